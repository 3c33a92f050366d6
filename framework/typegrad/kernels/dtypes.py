"""Kernels of `ops/dtypes.yaml`. They see the bytes of arrays in another type, so they run on NumPy only."""

from __future__ import annotations

from typing import Final

import numpy as np

from typegrad.base.bfloat16 import BFLOAT16
from typegrad.kernels.namespace import Array, DType, Namespace
from typegrad.kernels.precision import AT_ONCE, narrowed, wide

FRACTION_BITS: Final[dict[DType, int]] = {
    BFLOAT16: 7,
    np.dtype(np.float16): 10,
    np.dtype(np.float32): 23,
    np.dtype(np.float64): 52,
}
_COMPONENT: Final[dict[DType, DType]] = {
    np.dtype(np.complex64): np.dtype(np.float32),
    np.dtype(np.complex128): np.dtype(np.float64),
}
_INT32: Final = np.dtype(np.int32)
_INT64: Final = np.dtype(np.int64)
_UNSIGNED: Final = {2: np.uint16, 4: np.uint32, 8: np.uint64}


def cast(xp: Namespace, x: Array, *, dst_t: DType, truncate: bool) -> Array:
    """`x` as another type."""
    if x.dtype == dst_t:
        return x
    if x.dtype in _COMPONENT:
        if dst_t in _COMPONENT:
            parts = np.ascontiguousarray(x).reshape((*x.shape, 1)).view(_COMPONENT[x.dtype])
            return _cast_real(xp, parts, _COMPONENT[dst_t], truncate).view(dst_t).reshape(x.shape)
        x = xp.real(x)
    return _cast_real(xp, x, dst_t, truncate)


def _cast_real(xp: Namespace, x: Array, dtype: DType, truncate: bool) -> Array:
    if dtype == np.dtype(bool):
        return xp.not_equal(x, 0)
    if x.dtype not in FRACTION_BITS:
        return x.astype(dtype)
    if dtype.kind in "iu":
        return _to_integer(xp, x, dtype)
    component = _COMPONENT.get(dtype, dtype)
    drop = FRACTION_BITS[x.dtype] - FRACTION_BITS[component]
    if truncate and drop > 0:
        x = _toward_zero(xp, x, drop)
    elif component == np.dtype(np.float32):
        x = wide(x)
    return narrowed(x, dtype)


def _toward_zero(xp: Namespace, x: Array, bits: int) -> Array:
    """`x` with the lowest bits of its fraction cleared, so that nothing is left to round."""
    unsigned = _UNSIGNED[x.dtype.itemsize]
    kept = (x.view(unsigned) & unsigned(~((1 << bits) - 1) & (2 ** (8 * x.dtype.itemsize) - 1))).view(x.dtype)
    return xp.where(xp.isnan(x), x, kept)


def _to_integer(xp: Namespace, x: Array, dtype: DType) -> Array:
    """Truncated toward zero. What an x86 processor's scalar conversion gives outside the range, on every machine.

    That is the lowest int32 for 8-bit, 16-bit and signed 32-bit integers, the low bits of the lowest int64 for the
    others.
    """
    x = wide(x)
    if dtype == np.dtype(np.uint64):
        is_upper = (x >= 2.0**63) & (x < 2.0**64)
        upper = _within(xp, xp.where(is_upper, x - x.dtype.type(2.0**63), 0), _INT64).astype(dtype) + dtype.type(2**63)
        return xp.where(is_upper, upper, _within(xp, x, _INT64).astype(dtype))
    signed = _INT64 if dtype in (_INT64, np.dtype(np.uint32)) else _INT32
    return _within(xp, x, signed).astype(dtype, copy=False)


def _within(xp: Namespace, x: Array, dtype: DType) -> Array:
    """Numbers as integers of a signed type; those outside its range and nan become its lowest.

    They are looked at and converted part by part, in the processor's cache. A sum of squares tells soonest that all are
    near 0.
    """
    lowest = float(np.iinfo(dtype).min)
    result = xp.empty(x.shape, dtype)
    numbers, integers = x.reshape(-1), result.reshape(-1)
    for first in range(0, x.size, AT_ONCE):
        part = numbers[first : first + AT_ONCE]
        if not (xp.vecdot(part, part) < lowest**2 or (part.min() >= lowest and part.max() < -lowest)):
            part = xp.where((part >= lowest) & (part < -lowest), part, x.dtype.type(lowest))
        integers[first : first + AT_ONCE] = part
    return result


def bitcast(xp: Namespace, x: Array, *, type: DType) -> Array:
    """The same bytes as another type, with a last axis added or removed where the sizes differ."""
    ratio, rest = divmod(type.itemsize, x.dtype.itemsize)
    if rest:
        return np.ascontiguousarray(x).reshape((*x.shape, 1)).view(type)
    if ratio == 1:
        return x.view(type)
    return np.ascontiguousarray(x).view(type).reshape(x.shape[:-1])


def to_bool(xp: Namespace, x: Array) -> Array:
    """Whether a scalar is neither 0 nor empty, and any other array has elements."""
    return xp.asarray(bool(x.size if x.ndim else x.item()))
