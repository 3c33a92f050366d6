"""Gradients of `ops/slicing.yaml`."""

from __future__ import annotations

from typing import Any

from typegrad.base.types import TInt16, TInt32
from typegrad.graph.operand import AnyOperand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import (
    Constant,
    Pad,
    Shape,
    Slice,
    Stack,
    StridedSlice,
    StridedSliceGrad,
    TensorStridedSliceUpdate,
    ZerosLike,
)
from typegrad.op.dtypes import Cast
from typegrad.rules.broadcasting import sum_to_shape
from typegrad.rules.common import Gradients, N
from typegrad.rules.sizes import shape_of


def slice_(scope: Scope, op: Slice[N], grad: Output[N]) -> Gradients:
    return Pad.create(scope, grad, _paddings(scope, op), 0)


def _paddings(scope: Scope, op: Slice[Any]) -> AnyOperand:
    """How much of the input is before and after the block, dimension by dimension."""
    x, y, begin = op.inputs.input, op.as_output(), op.inputs.begin
    known = begin.static_value
    if known and None not in known and x.shape.is_static and y.shape.is_static:
        sizes = zip(known, x.shape.as_ints(), y.shape.as_ints(), strict=True)
        return Constant.create(scope, [[before, size - block - before] for before, size, block in sizes])
    whole, block = (Shape.create(scope, each, out_type=begin.dtype) for each in (x, y))
    return Stack.create(scope, [begin, whole - (begin + block)], axis=1)


def strided_slice(scope: Scope, op: StridedSlice[N], grad: Output[N]) -> Gradients:
    begin, end, strides = op.inputs.begin, op.inputs.end, op.inputs.strides
    if begin.dtype is TInt16:  # which the operation below does not take
        begin, end, strides = (Cast.create(scope, each, TInt32).as_output() for each in (begin, end, strides))
    shape = shape_of(scope, op.inputs.input, begin.dtype)
    return StridedSliceGrad.create(scope, shape, begin, end, strides, grad, **_masks(op))


def _masks(op: StridedSlice[Any] | StridedSliceGrad[Any] | TensorStridedSliceUpdate[Any]) -> dict[str, int]:
    inputs = op.inputs
    return {
        "begin_mask": inputs.begin_mask,
        "end_mask": inputs.end_mask,
        "ellipsis_mask": inputs.ellipsis_mask,
        "new_axis_mask": inputs.new_axis_mask,
        "shrink_axis_mask": inputs.shrink_axis_mask,
    }


def strided_slice_grad(scope: Scope, op: StridedSliceGrad[N], grad: Output[N]) -> Gradients:
    inputs = op.inputs
    return StridedSlice.create(scope, grad, inputs.begin, inputs.end, inputs.strides, **_masks(op))


def tensor_strided_slice_update(scope: Scope, op: TensorStridedSliceUpdate[N], grad: Output[N]) -> Gradients:
    inputs, masks = op.inputs, _masks(op)
    begin, end, strides = inputs.begin, inputs.end, inputs.strides

    def others() -> AnyOperand:
        return TensorStridedSliceUpdate.create(scope, grad, begin, end, strides, 0, **masks)

    def replaced() -> AnyOperand:
        value, part = inputs.value, StridedSlice.create(scope, grad, begin, end, strides, **masks)
        if value.rank is None or part.rank is None or value.rank > part.rank:  # with leading dimensions of size 1
            return sum_to_shape(scope, (part + ZerosLike.create(scope, value)).as_output(), value)
        return sum_to_shape(scope, part.as_output(), value)

    return others, replaced
