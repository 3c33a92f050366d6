"""The types of arrays and element types that only the run knows."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["Array", "DType"]

Array: TypeAlias = NDArray[Any]

DType: TypeAlias = np.dtype[Any]
