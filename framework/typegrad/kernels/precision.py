"""Narrow floats: half and bfloat16 are computed in float32 and rounded once."""

from __future__ import annotations

from typing import Final

import numpy as np

from typegrad.base.bfloat16 import BFLOAT16
from typegrad.kernels.namespace import Array, DType, Function, Namespace

_HALF: Final[DType] = np.dtype(np.float16)
_NARROW: Final = frozenset({_HALF, BFLOAT16})
_WIDE: Final[DType] = np.dtype(np.float32)
AT_ONCE: Final = 1 << 16
"""How many halves are converted at once, in the processor's cache."""
_FEW: Final = 1 << 13
"""So few halves take less time one by one."""
_WITHOUT_SIGN: Final = np.int16(0x7FFF)
_INFINITE: Final = 0x7C00
"""The bits of infinity; nan has more."""
_MOVED: Final = 23 - 10
"""By how many places: the difference of the lengths of the fractions."""
_KEPT: Final = np.int32(-0x70002000)
"""What is left of a moved half, and its sign."""
_EXPONENT: Final = np.int32(0x7F800000)
_NORMAL: Final = np.int32(127 - 14 << 23)
"""The exponent of the least half that has all its digits."""
_TOO_LARGE: Final = 65520
"""What is rounded to infinity."""
_SIGN: Final = np.int16(-0x8000)
_SCALE: Final = np.float32(2.0 ** (127 - 15))
"""By the difference of the biases of the exponents."""


def wide_type(dtype: DType) -> DType:
    """The type to compute in: float32 for a narrow float."""
    return _WIDE if dtype in _NARROW else dtype


def wide(x: Array) -> Array:
    """`x` in the type to compute in."""
    return _floats(x) if x.dtype in _NARROW else x


def widened(xp: Namespace, function: Function, *arrays: Array, **keywords: Array) -> Array:
    """`function(*arrays)`, computed in float32 and rounded back if the arrays are half or bfloat16."""
    dtype = arrays[0].dtype
    if dtype in _NARROW:
        return narrowed(function(*map(_floats, arrays), **keywords), dtype)
    return function(*arrays, **keywords)


def narrowed(x: Array, dtype: DType) -> Array:
    """`x.astype(dtype)`; many floats become halves by their bits.

    A power of 2 that is added to a number rounds it to the digits of a half, and leaves them at the end of the sum.
    """
    if dtype != _HALF or x.dtype != _WIDE or x.size < _FEW:
        return x.astype(dtype, copy=False)
    result = np.empty(x.shape, _HALF)
    floats, halves = x.reshape(-1), result.reshape(-1)
    normal = np.full(min(x.size, AT_ONCE), _NORMAL)
    for first in range(0, x.size, AT_ONCE):
        part, y = floats[first : first + AT_ONCE], halves[first : first + AT_ONCE]
        size = np.abs(part)
        if not size.max() < _TOO_LARGE:
            y[:] = part
            continue
        exponent = np.bitwise_and(part.view(np.int32), _EXPONENT)
        np.maximum(exponent, normal[: part.size], out=exponent)
        size += (exponent + (_MOVED << 23)).view(_WIDE)
        exponent -= _NORMAL
        exponent >>= _MOVED
        exponent += size.view(np.int32)
        bits = y.view(np.int16)
        bits[:] = exponent
        bits += np.signbit(part) * _SIGN
    return result


def _floats(x: Array) -> Array:
    """`x.astype(float32)`; many halves by their bits, which in their new places are a float times a power of 2."""
    if x.dtype != _HALF or x.size < _FEW:
        return x.astype(_WIDE)
    result = np.empty(x.shape, _WIDE)
    halves, floats = x.reshape(-1), result.reshape(-1)
    for first in range(0, x.size, AT_ONCE):
        part, y = halves[first : first + AT_ONCE], floats[first : first + AT_ONCE]
        if (part.view(np.int16) & _WITHOUT_SIGN).max() >= _INFINITE:
            y[:] = part
            continue
        bits = y.view(np.int32)
        bits[:] = part.view(np.int16)
        bits <<= _MOVED
        bits &= _KEPT
        y *= _SCALE
    return result
