"""Linear algebra: what takes some microseconds, in the least function that takes arrays and checks what they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from contenders.inputs import Array

__all__ = ["FUNCTIONS"]

Work = Callable[[], Array]


def _products(x: Array, y: Array, **_: object) -> Work:
    dtype, shape, shape_of_y = x.dtype, x.shape, y.shape

    def product(x: Array, y: Array) -> Array:
        is_known = type(x) is type(y) is np.ndarray and x.dtype is y.dtype is dtype
        if not is_known or x.shape != shape or y.shape != shape_of_y:
            raise ValueError("these are other arrays")
        result: Array = np.matmul(x, y)
        return result

    return lambda: product(x, y)


FUNCTIONS: Final[dict[str, Callable[..., Work]]] = {"BatchMatMulV3": _products}
"""For each operation, a function of its inputs and attributes that returns what computes the result."""
