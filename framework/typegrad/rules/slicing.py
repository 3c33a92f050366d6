"""Gradients of `ops/slicing.yaml`."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypeVar

from typegrad.base.errors import GradientError
from typegrad.base.types import TComplex, TFloating, TInt16, TInt32
from typegrad.graph.indexed_slices import IndexedSlices
from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import (
    Concat,
    Constant,
    ExpandDims,
    Gather,
    Pad,
    Range,
    Reshape,
    Select,
    Shape,
    Slice,
    Stack,
    StridedSlice,
    StridedSliceGrad,
)
from typegrad.op.dtypes import Cast
from typegrad.op.linalg import Transpose
from typegrad.op.math import AddV2, Mul, Sub, UnsortedSegmentSum
from typegrad.rules.arrays import shape_of
from typegrad.rules.common import Gradients, scalar_like
from typegrad.rules.sizes import Size, axis_of, plus, size_between, times, vector

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


def strided_slice_grad(scope: Scope, op: StridedSliceGrad[N], grad: Output[N]) -> Gradients:
    """The slice of the gradient."""
    given = op.inputs
    return StridedSlice.create(scope, grad, given.begin, given.end, given.strides, **_masks(op))


def _masks(op: StridedSlice[Any] | StridedSliceGrad[Any]) -> dict[str, int]:
    given = op.inputs
    return {
        "begin_mask": given.begin_mask,
        "end_mask": given.end_mask,
        "ellipsis_mask": given.ellipsis_mask,
        "new_axis_mask": given.new_axis_mask,
        "shrink_axis_mask": given.shrink_axis_mask,
    }


def gather_v2(scope: Scope, op: Gather[N], grad: Output[N]) -> Gradients:
    """Each slice has the sum of the gradients of all places it was taken to."""
    params, indices = op.inputs.params, op.inputs.indices
    axis, batch = axis_of(scope, params, op.inputs.axis), _batch_dims(op)
    if axis == 0:
        return rows_of(scope, params, indices, grad)
    after = plus(scope, axis, 1)
    count, outer = size_between(scope, params, 0, batch), size_between(scope, params, batch, axis)
    length, inner = size_between(scope, params, axis, after), size_between(scope, params, after, None)
    chosen = size_between(scope, indices, batch, None)
    ids: Operand[Any, Any] = Reshape.create(scope, indices, vector(scope, [count, chosen]))
    if batch:
        ids = _by_member(scope, ids, count, length)
    if outer == 1:
        sums = UnsortedSegmentSum.create(
            scope, Reshape.create(scope, grad, vector(scope, [count, chosen, inner])), ids, times(scope, count, length)
        )
        return Reshape.create(scope, sums, shape_of(scope, params))
    rows = _swapped(scope, Reshape.create(scope, grad, vector(scope, [count, outer, chosen, inner])))
    sums = UnsortedSegmentSum.create(scope, rows, ids, times(scope, count, length))
    blocks = _swapped(scope, Reshape.create(scope, sums, vector(scope, [count, length, outer, inner])))
    return Reshape.create(scope, blocks, shape_of(scope, params))


def rows_of(scope: Scope, params: Output[N], indices: Output[Any], grad: Output[N]) -> IndexedSlices[N]:
    """The gradient of a table from which rows were taken, as these rows."""
    if indices.dtype is TInt16:  # which the operations that update rows do not take
        indices = Cast.create(scope, indices, TInt32).as_output()
    count = size_between(scope, params, 0, 1)
    if indices.rank == 1:
        return IndexedSlices(scope, grad, indices, count, params.shape)
    rows = Reshape.create(scope, grad, _row_shape(scope, params))
    return IndexedSlices(scope, rows, Reshape.create(scope, indices, [-1]), count, params.shape)


def _row_shape(scope: Scope, params: Output[Any]) -> Any:
    """The shape of any number of rows."""
    if params.rank is not None:
        return vector(scope, [-1, *(size_between(scope, params, axis, axis + 1) for axis in range(1, params.rank))])
    row = StridedSlice.create(scope, Shape.create(scope, params), [1], [0], [1], end_mask=1)
    return Concat.create(scope, [Constant.create(scope, [-1]), row], 0)


def _batch_dims(op: Gather[Any]) -> int:
    batch, rank = op.inputs.batch_dims, op.inputs.indices.rank
    if batch >= 0:
        return batch
    if rank is None:
        raise GradientError(
            f"the gradient of '{op.op.name}' needs the rank of `indices`, because `batch_dims` is {batch}; "
            "give the indices a shape with core.EnsureShape, or state `batch_dims` as a number from 0 up"
        )
    return batch + rank


def _swapped(scope: Scope, x: Operand[N, Any]) -> Operand[N, Any]:
    """The second and third of four dimensions exchanged."""
    return Transpose.create(scope, x, [0, 2, 1, 3])


def _by_member(scope: Scope, ids: Operand[Any, Any], count: Size, length: Size) -> Operand[Any, Any]:
    """Indices into each member of a batch as indices into all members, one after the other."""
    ids = ids if ids.dtype is TInt32 else Cast.create(scope, ids, TInt32)
    offsets = Mul.create(scope, Range.create(scope, 0, count, 1), _scalar(scope, length))
    return AddV2.create(scope, ids, ExpandDims.create(scope, offsets, 1))


def _scalar(scope: Scope, size: Size) -> Operand[TInt32, Any]:
    return Constant.create(scope, size, TInt32) if isinstance(size, int) else size


def select_v2(scope: Scope, op: Select[N], grad: Output[N]) -> Gradients:
    """Each array has the gradient where it was chosen."""
    condition, zero = op.inputs.condition, scalar_like(scope, 0, grad)
    return (
        lambda: Select.create(scope, condition, grad, zero),
        lambda: Select.create(scope, condition, zero, grad),
    )
