"""Small deterministic arrays for cases, over element types and shapes."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from support.recording import BFLOAT16, Array

FLOATING: Final = ("bfloat16", "half", "float", "double")
SIGNED: Final = ("int8", "int16", "int32", "int64")
UNSIGNED: Final = ("uint8", "uint16", "uint32", "uint64")
COMPLEX: Final = ("complex64", "complex128")
REAL: Final = (*FLOATING, *SIGNED, *UNSIGNED)
INTEGRAL: Final = (*SIGNED, *UNSIGNED)
INEXACT: Final = (*FLOATING, *COMPLEX)
NUMBER: Final = (*REAL, *COMPLEX)
ALL: Final = (*NUMBER, "bool")

SPECIAL: Final = (np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 2.5, -2.5, 0.5, 3.5, -7.0)
"""Floating-point values at which formulas break."""


def numpy_type(dtype: str) -> np.dtype[Any]:
    """The NumPy dtype of a type by TensorFlow's name."""
    names = {"half": "float16", "float": "float32", "double": "float64"}
    return BFLOAT16 if dtype == "bfloat16" else np.dtype(names.get(dtype, dtype))


def sample(
    dtype: str, shape: tuple[int, ...], low: float = -4, high: float = 4, *, gap: float = 0, seed: int = 0
) -> Array:
    """Numbers from `low` to `high` (at least 0 if unsigned; both parts if complex), none closer to 0 than `gap`."""
    rng = np.random.default_rng(seed)
    target = numpy_type(dtype)
    if target.kind == "b":
        return rng.integers(0, 2, shape).astype(bool)
    if target.kind in "iu":
        values: Array = rng.integers(round(max(low, 0) if target.kind == "u" else low), round(high) + 1, shape)
    else:
        values = rng.uniform(low, high, shape)
    values = np.where(np.abs(values) < gap, np.where(values < 0, values - gap, values + gap), values)
    if target.kind == "c":
        return np.asarray(values + 1j * rng.uniform(low, high, shape)).astype(target)
    return np.asarray(values).astype(target)


def values(dtype: str, *numbers: Any) -> Array:
    """A vector of these numbers."""
    return np.array(numbers, numpy_type(dtype))


def ints(*numbers: Any) -> Array:
    """A vector of indices or sizes."""
    return values("int32", *numbers)


def pairs(dtype: str, numbers: tuple[float, ...] = SPECIAL) -> tuple[Array, Array]:
    """All pairs of these numbers, as a column and a row that broadcast against each other."""
    row = values(dtype, *numbers)
    return row[:, None], row


def strings(*items: str) -> Array:
    """A vector of strings."""
    return np.array([item.encode() for item in items], object)
