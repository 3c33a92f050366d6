"""The type of an array whose element type only the run knows."""

from __future__ import annotations

from typing import Any, TypeAlias

from numpy.typing import NDArray

__all__ = ["Array"]

Array: TypeAlias = NDArray[Any]
