"""What replaces the value of a constant in its shape functions."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from attrs import frozen

from typegrad.base.array import Array, DType
from typegrad.base.shape import Dim, Shape
from typegrad.mypy_plugin.values.static_values import NotStatic, is_known

__all__ = ["stand_in"]

_NO_INTEGERS: Final[DType] = np.dtype(np.float32)
"""The dtype of an array whose values are not asked for."""


@frozen
class _PartlySized:
    """An array of which some sizes are not known, in the form that the shape functions of constants take."""

    shape: tuple[Dim, ...]
    dtype: DType = _NO_INTEGERS


def stand_in(shape: Shape, value: Any) -> Array | _PartlySized:
    """An array of this shape for the shape functions of constants, with the integers of `value`, or the only float."""
    if shape.dims is None:
        raise NotStatic
    if not shape.is_static:
        return _PartlySized(shape.dims)
    sizes = shape.as_ints()
    if is_known(value) and shape.size is not None:
        array = np.asarray(value)
        if array.dtype.kind in ("biuf" if sizes == () else "biu") and array.shape == sizes:
            return array
    return np.broadcast_to(np.float32(0), sizes)
