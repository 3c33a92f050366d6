"""Elementwise operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from contenders.inputs import Array

__all__ = ["FUNCTIONS"]

Work = Callable[[], Array]


def _sign(x: Array) -> Work:
    result = np.empty_like(x)
    return lambda: np.sign(x, out=result)


FUNCTIONS: Final[dict[str, Callable[..., Work]]] = {"Sign": _sign}
"""For each operation, a function of its inputs and attributes that returns what computes the result."""
