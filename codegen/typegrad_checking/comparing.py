"""Comparing arrays: exact dtype and shape; values exact, or within a few units in the last place for floats."""

from __future__ import annotations

from typing import Final

import ml_dtypes
import numpy as np
from numpy.typing import ArrayLike

from typegrad.base.array import Array

__all__ = ["difference"]

TOLERANCE: Final = {
    np.dtype(ml_dtypes.bfloat16): 1.6e-2,
    np.dtype(np.float16): 2e-3,
    np.dtype(np.float32): 2e-6,
    np.dtype(np.float64): 1e-13,
    np.dtype(np.complex64): 4e-6,
    np.dtype(np.complex128): 2e-13,
}
"""Relative to the value, or to the largest value of the array, so that sums which cancel are not held to the
impossible."""


def difference(actual: ArrayLike, expected: Array, rtol: float | None = None, slack: float = 1.0) -> str:
    """How `actual` differs from `expected`; "" if it does not. Not-a-numbers are equal, signs of zeros do not count."""
    actual = np.asarray(actual)
    if actual.dtype != expected.dtype:
        return f"dtype is {actual.dtype}, not {expected.dtype}"
    if actual.shape != expected.shape:
        return f"shape is {actual.shape}, not {expected.shape}"
    if expected.dtype not in TOLERANCE:
        same = np.asarray(actual == expected)
    else:
        same = close(actual, expected, slack * (TOLERANCE[expected.dtype] if rtol is None else rtol))
    if bool(np.all(same)):
        return ""
    where = np.unravel_index(int(np.argmin(same)), expected.shape)
    place = f" at {[int(i) for i in where]}" if expected.shape else ""
    return f"{int(np.sum(~same))} of {same.size} differ: {actual[where]!r}, not {expected[where]!r}{place}"


def close(actual: Array, expected: Array, rtol: float) -> Array:
    """Where two float or complex arrays of one dtype and shape agree."""
    wide = np.complex128 if expected.dtype.kind == "c" else np.float64
    a, e = actual.astype(wide), expected.astype(wide)
    finite = np.isfinite(e)
    scale = float(np.max(np.abs(e[finite]), initial=0.0))
    with np.errstate(invalid="ignore", over="ignore"):
        near = np.abs(a - e) <= rtol * np.maximum(np.abs(e), scale)
        return np.asarray(np.where(finite, near, (a == e) | (np.isnan(a) & np.isnan(e))))
