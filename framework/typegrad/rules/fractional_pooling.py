"""Gradients of `ops/fractional_pooling.yaml`."""

from __future__ import annotations

from typing import Any

from typegrad.base.types import TFloat64, TInt32, TInt64
from typegrad.graph.operand import AnyOperand, AnyOutput, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import ExpandDims, Range, Reshape, StridedSlice, Sum
from typegrad.op.dtypes import Cast
from typegrad.op.linalg import Einsum
from typegrad.op.math import FloorMod, LogicalAnd, UnsortedSegmentSum
from typegrad.op.nn import FractionalAvgPool, FractionalAvgPoolGrad, FractionalMaxPool, FractionalMaxPoolGrad
from typegrad.rules.common import Gradients, N, OutputGradients
from typegrad.rules.sizes import Size, shape_of, size_between


def fractional_max_pool(scope: Scope, op: FractionalMaxPool[Any], grads: OutputGradients) -> Gradients:
    return FractionalMaxPoolGrad.create(
        scope,
        op.inputs.value,
        op.output,
        grads[0],
        op.row_pooling_sequence,
        op.col_pooling_sequence,
        overlapping=op.inputs.overlapping,
    )


def fractional_avg_pool(scope: Scope, op: FractionalAvgPool[Any], grads: OutputGradients) -> Gradients:
    return FractionalAvgPoolGrad.create(
        scope,
        shape_of(scope, op.inputs.value, TInt64),
        grads[0],
        op.row_pooling_sequence,
        op.col_pooling_sequence,
        overlapping=op.inputs.overlapping,
    )


def fractional_max_pool_grad(scope: Scope, op: FractionalMaxPoolGrad[N], grad: Output[N]) -> Gradients:
    """Take the elements that windows chose: the operation itself, of the numbers of windows, marks which they are.

    Windows that overlap may choose the same element. Every second one, in rows and columns, overlaps no other.
    """
    inputs = op.inputs
    count = size_between(scope, inputs.out_backprop, 0, None)
    shape = shape_of(scope, inputs.out_backprop)
    numbers = Reshape.create(scope, Range.create(scope, 1, count + 1, 1), shape)
    shares: list[AnyOperand] = _apart(scope, inputs.out_backprop) if inputs.overlapping else [numbers * 0 + 1]
    taken = [_taken(scope, op, grad, numbers * share, count) for share in shares]
    return Reshape.create(scope, sum(taken[1:], start=taken[0]), shape)


def _taken(
    scope: Scope, op: FractionalMaxPoolGrad[Any], grad: AnyOutput, numbers: AnyOperand, count: Size
) -> AnyOperand:
    """The elements that the windows of these numbers chose, for all windows, one after the other."""
    inputs = op.inputs
    marks = FractionalMaxPoolGrad.create(
        scope,
        Cast.create(scope, inputs.orig_input, TFloat64),
        Cast.create(scope, inputs.orig_output, TFloat64),
        Cast.create(scope, numbers, TFloat64),
        inputs.row_pooling_sequence,
        inputs.col_pooling_sequence,
        overlapping=inputs.overlapping,
    )
    places = Reshape.create(scope, Cast.create(scope, marks, TInt32), [-1]) - 1
    return UnsortedSegmentSum.create(scope, Reshape.create(scope, grad, [-1]), places, count)


def _apart(scope: Scope, pooled: AnyOutput) -> list[AnyOperand]:
    """1 for every second row and column of windows, 0 elsewhere: the four arrays [rows, columns, 1] of this kind."""
    sizes = (size_between(scope, pooled, axis, axis + 1) for axis in (1, 2))
    rows, columns = (FloorMod.create(scope, Range.create(scope, 0, size, 1), 2) for size in sizes)
    each_row = (ExpandDims.create(scope, own, 1) for own in (rows, 1 - rows))
    return [ExpandDims.create(scope, row * column, 2) for row in each_row for column in (columns, 1 - columns)]


def fractional_avg_pool_grad(scope: Scope, op: FractionalAvgPoolGrad[N], grad: Output[N]) -> Gradients:
    """The mean of each window: products with matrices that say which rows and columns a window has."""
    inputs = op.inputs
    rows = _members(scope, inputs.row_pooling_sequence, size_between(scope, grad, 1, 2), inputs.overlapping, grad.dtype)
    columns = _members(
        scope, inputs.col_pooling_sequence, size_between(scope, grad, 2, 3), inputs.overlapping, grad.dtype
    )
    by_row = Einsum.create(scope, [rows, grad], "ir,brwc->biwc")
    return Einsum.create(scope, [columns, by_row], "jw,biwc->bijc")


def _members(scope: Scope, sequence: AnyOutput, length: Size, overlapping: bool, dtype: Any) -> AnyOperand:
    """For each window and each element of a dimension, its share in the mean of the window."""
    starts = ExpandDims.create(scope, StridedSlice.create(scope, sequence, [0], [-1], [1]), 1)
    ends = ExpandDims.create(scope, StridedSlice.create(scope, sequence, [1], [0], [1], end_mask=1), 1)
    places = Cast.create(scope, Range.create(scope, 0, length, 1), TInt64)
    # The last window ends with the dimension; a place beyond it does not exist.
    is_before = places <= ends if overlapping else places < ends
    member = Cast.create(scope, LogicalAnd.create(scope, places >= starts, is_before), dtype)
    return member / Sum.create(scope, member, 1, keep_dims=True)
