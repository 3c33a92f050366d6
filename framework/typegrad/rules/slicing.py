"""Gradients of `ops/slicing.yaml`."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypeVar

from typegrad.base.types import TComplex, TFloating, TInt16, TInt32
from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import Constant, Pad, Shape, Slice, Stack, StridedSlice, StridedSliceGrad
from typegrad.op.dtypes import Cast
from typegrad.op.math import AddV2, Sub
from typegrad.rules.common import Gradients, scalar_like
from typegrad.rules.sizes import shape_of

N = TypeVar("N", bound=TFloating | TComplex)


def slice_(scope: Scope, op: Slice[N], grad: Output[N]) -> Gradients:
    """Zeros around the gradient of the block."""
    return Pad.create(scope, grad, _paddings(scope, op), scalar_like(scope, 0, grad))


def _paddings(scope: Scope, op: Slice[Any]) -> Operand[Any, Any]:
    """How much of the input is before and after the block, dimension by dimension."""
    x, y, begin = op.inputs.input, op.as_output(), op.inputs.begin
    known = begin.static_value
    if known and None not in known and x.shape.is_static and y.shape.is_static:
        sizes = zip(known, x.shape.as_ints(), y.shape.as_ints(), strict=True)
        return Constant.create(scope, [[before, size - block - before] for before, size, block in sizes])
    before_and_block = AddV2.create(scope, begin, Shape.create(scope, y, out_type=begin.dtype))
    rest = Sub.create(scope, Shape.create(scope, x, out_type=begin.dtype), before_and_block)
    return Stack.create(scope, [begin, rest], axis=1)


def strided_slice(scope: Scope, op: StridedSlice[N], grad: Output[N]) -> Gradients:
    """The gradient in the place of the slice, zeros elsewhere."""
    begin, end, strides = op.inputs.begin, op.inputs.end, op.inputs.strides
    if begin.dtype is TInt16:  # which the operation below does not take
        begin, end, strides = (Cast.create(scope, each, TInt32).as_output() for each in (begin, end, strides))
    shape = shape_of(scope, op.inputs.input, begin.dtype)
    return StridedSliceGrad.create(scope, shape, begin, end, strides, grad, **_masks(op))


def _masks(op: StridedSlice[Any] | StridedSliceGrad[Any]) -> dict[str, int]:
    given = op.inputs
    return {
        "begin_mask": given.begin_mask,
        "end_mask": given.end_mask,
        "ellipsis_mask": given.ellipsis_mask,
        "new_axis_mask": given.new_axis_mask,
        "shrink_axis_mask": given.shrink_axis_mask,
    }


def strided_slice_grad(scope: Scope, op: StridedSliceGrad[N], grad: Output[N]) -> Gradients:
    """The slice of the gradient."""
    given = op.inputs
    return StridedSlice.create(scope, grad, given.begin, given.end, given.strides, **_masks(op))
