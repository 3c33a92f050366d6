"""Narrow floats: half and bfloat16 are computed in float32 and rounded once."""

from __future__ import annotations

from typing import Final

import ml_dtypes
import numpy as np

from typegrad.kernels.namespace import Array, DType, Function, Namespace

_NARROW: Final = frozenset({np.dtype(np.float16), np.dtype(ml_dtypes.bfloat16)})
_WIDE: Final[DType] = np.dtype(np.float32)


def wide_type(dtype: DType) -> DType:
    """The type to compute in: float32 for a narrow float."""
    return _WIDE if dtype in _NARROW else dtype


def wide(x: Array) -> Array:
    """`x` in the type to compute in."""
    return x.astype(_WIDE) if x.dtype in _NARROW else x


def widened(xp: Namespace, function: Function, *arrays: Array, **keywords: Array) -> Array:
    """`function(*arrays)`, computed in float32 and rounded back if the arrays are half or bfloat16."""
    dtype = arrays[0].dtype
    if dtype in _NARROW:
        return function(*(a.astype(_WIDE) for a in arrays), **keywords).astype(dtype)
    return function(*arrays, **keywords)
