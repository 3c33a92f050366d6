"""Reductions along the last axis, as calls for groups: a block of rows has the same results as all rows."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from typegrad.base.types import TFloat32, TFloat64, TInt32, TInt64
from typegrad.kernels.namespace import NUMPY
from typegrad.kernels.reduction import extreme, sums_of_rows
from typegrad.session.ufuncs import Call, FixedOperand

if TYPE_CHECKING:
    from typegrad.base.array import Array
    from typegrad.base.types import TType
    from typegrad.graph.operand import AnyOutput
    from typegrad.graph.operation import Operation
    from typegrad.kernels.namespace import DType
    from typegrad.session.ufuncs import Expression

__all__ = ["reduction_of_rows"]

_UFUNCS: Final = {"Max": np.maximum, "Mean": np.add, "Min": np.minimum, "Sum": np.add}

_FLOATS: Final[tuple[type[TType], ...]] = (TFloat32, TFloat64)

_TYPES: Final[tuple[type[TType], ...]] = (*_FLOATS, TInt32, TInt64)
"""The types that are reduced as they are."""


def reduction_of_rows(op: Operation, constants: Mapping[AnyOutput, object]) -> Expression | None:
    """The calls for `op`, if it reduces the last of several axes to one element; they take the first input."""
    ufunc = _UFUNCS.get(op.type)
    if ufunc is None or op.inputs[0].dtype not in _TYPES or not op.attrs["keep_dims"]:
        return None
    x, axes = op.inputs
    dims, known = x.shape.dims, constants.get(axes)
    if dims is None or len(dims) < 2 or not isinstance(known, np.ndarray) or known.size != 1:
        return None
    if known.item() not in (-1, len(dims) - 1):
        return None
    dtype = x.dtype.numpy
    reduction = _sum if ufunc is np.add else _extreme(ufunc, dtype)
    in_blocks = partial(reduction, is_block=True)
    calls: Expression = (Call(reduction, (0,), dtype, is_reduction=True, in_blocks=in_blocks),)
    if op.type != "Mean":
        return calls
    count = dims[-1]
    if x.dtype not in _FLOATS or not isinstance(count, int):
        return None
    return (*calls, Call(np.true_divide, (1, FixedOperand(count)), dtype))


def _extreme(ufunc: np.ufunc, dtype: DType) -> Any:
    lowest, highest = (np.iinfo(dtype).min, np.iinfo(dtype).max) if dtype.kind == "i" else (-np.inf, np.inf)
    initial = lowest if ufunc is np.maximum else highest
    return partial(extreme, ufunc, initial, axes=(-1,), keep_dims=True)


def _sum(x: Array, *, is_block: bool = False) -> Array:
    """The sum; as in the kernel, a single -0 is no sum."""
    return x.copy() if x.shape[-1] == 1 else sums_of_rows(NUMPY, x, is_block=is_block)
