"""Which values count as integers, as real or complex numbers, and as element types."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np

from typegrad.base.array import has_masked
from typegrad.base.types import ALL_TYPES, TBfloat16, element_type_of

__all__ = ["is_complex", "is_element_type", "is_integer", "is_real"]


def is_integer(value: Any) -> bool:
    """An int, or what Python takes for one, and no bool."""
    if type(value) is int:
        return True
    if isinstance(value, (bool, np.bool_)):
        return False
    try:
        index(value)
    except TypeError:  # an array may have __index__ and refuse it
        return False
    return True


def is_real(value: object) -> bool:
    """A number, or an array of rank 0, such as what a session returns for a loss."""
    if isinstance(value, (np.ndarray, np.generic)):
        is_number = value.ndim == 0 and not has_masked(value)
        return is_number and (value.dtype.kind in "iuf" or element_type_of(value.dtype) is TBfloat16)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    try:
        float(value)
    except OverflowError:
        return False
    return True


def is_complex(value: object) -> bool:
    """A complex number, or a real one."""
    return isinstance(value, (complex, np.complexfloating)) or is_real(value)


def is_element_type(value: object) -> bool:
    """The class of one element type, such as tg.TFloat32."""
    return any(value is leaf for leaf in ALL_TYPES)
