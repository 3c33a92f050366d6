"""Gradients of `ops/gather_and_scatter.yaml`."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from typegrad.base.errors import GradientError
from typegrad.base.types import TInt16, TInt32, TUint16
from typegrad.graph.indexed_slices import IndexedSlices
from typegrad.graph.operand import AnyOperand, AnyOutput, Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import (
    Concat,
    ExpandDims,
    Fill,
    Gather,
    GatherNd,
    Pad,
    Range,
    Reshape,
    ScatterNd,
    ScatterNdNonAliasingAdd,
    Select,
    Shape,
    StridedSlice,
    TensorScatterNdAdd,
    TensorScatterNdMax,
    TensorScatterNdMin,
    TensorScatterNdSub,
    TensorScatterNdUpdate,
    ZerosLike,
)
from typegrad.op.core import Size as SizeOf
from typegrad.op.dtypes import Cast
from typegrad.op.linalg import Transpose
from typegrad.op.math import Equal, UnsortedSegmentSum
from typegrad.rules.common import F, Gradients, N, cast_to
from typegrad.rules.sizes import Size, axis_of, shape_of, size_between, vector

_Policy: TypeAlias = Literal["", "DEFAULT", "ERROR", "IGNORE"]


def gather_v2(scope: Scope, op: Gather[N], grad: Output[N]) -> Gradients:
    """For each slice, the sum of the gradients of all places that it was taken to."""
    params, indices = op.inputs.params, op.inputs.indices
    axis, batch = axis_of(scope, params, op.inputs.axis), _batch_dims(op)
    if axis == 0:
        return rows_of(scope, params, indices, grad)
    after = axis + 1
    count, outer = size_between(scope, params, 0, batch), size_between(scope, params, batch, axis)
    length, inner = size_between(scope, params, axis, after), size_between(scope, params, after, None)
    chosen = size_between(scope, indices, batch, None)
    ids: AnyOperand = Reshape.create(scope, indices, vector(scope, [count, chosen]))
    if batch:
        ids = _by_member(scope, ids, count, length)
    if outer == 1:
        sums = UnsortedSegmentSum.create(
            scope, Reshape.create(scope, grad, vector(scope, [count, chosen, inner])), ids, count * length
        )
        return Reshape.create(scope, sums, shape_of(scope, params))
    rows = _swapped(scope, Reshape.create(scope, grad, vector(scope, [count, outer, chosen, inner])))
    sums = UnsortedSegmentSum.create(scope, rows, ids, count * length)
    blocks = _swapped(scope, Reshape.create(scope, sums, vector(scope, [count, length, outer, inner])))
    return Reshape.create(scope, blocks, shape_of(scope, params))


def rows_of(scope: Scope, params: Output[N], indices: AnyOutput, grad: Output[N]) -> IndexedSlices[N]:
    """The gradient of a table from which rows were taken: only these rows."""
    if indices.dtype is TInt16:  # which the operations that update rows do not take
        indices = Cast.create(scope, indices, TInt32).as_output()
    count = size_between(scope, params, 0, 1)
    if indices.rank == 1:
        return IndexedSlices(scope, grad, indices, count, params.shape)
    rows = Reshape.create(scope, grad, _row_shape(scope, params, size_between(scope, indices, 0, None)))
    return IndexedSlices(scope, rows, Reshape.create(scope, indices, [-1]), count, params.shape)


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


def _swapped(scope: Scope, x: Operand[N]) -> Operand[N]:
    """Exchange the second and third of four dimensions."""
    return Transpose.create(scope, x, [0, 2, 1, 3])


def _by_member(scope: Scope, ids: AnyOperand, count: Size, length: Size) -> AnyOperand:
    """Indices into each member of a batch as indices into all members, one after the other."""
    own = cast_to(scope, ids, TInt32)
    offsets = Range.create(scope, 0, count, 1) * length
    return own + ExpandDims.create(scope, offsets, 1)


def _row_shape(scope: Scope, params: AnyOutput, count: Size) -> Any:
    """The shape of so many rows, which may be empty, so that their number does not follow from the elements."""
    if params.rank is not None:
        return vector(scope, [count, *(size_between(scope, params, axis, axis + 1) for axis in range(1, params.rank))])
    row = StridedSlice.create(scope, Shape.create(scope, params), [1], [0], [1], end_mask=1)
    return Concat.create(scope, [[count] if isinstance(count, int) else Reshape.create(scope, count, [1]), row], 0)


def gather_nd(scope: Scope, op: GatherNd[N], grad: Output[N]) -> Gradients:
    """For each element, the sum of the gradients of all places that it was taken to. Whole rows are left as rows."""
    params, indices, policy = op.inputs.params, op.inputs.indices, op.inputs.bad_indices_policy
    dims = indices.shape.dims
    if dims is not None and len(dims) == 2 and dims[1] == 1 and policy != "IGNORE":
        return rows_of(scope, params, Reshape.create(scope, indices, [-1]).as_output(), grad)
    if indices.dtype is TInt16:  # in which a shape may not fit
        indices = Cast.create(scope, indices, TInt32).as_output()
    shape: Any = shape_of(scope, params, indices.dtype)
    return ScatterNd.create(scope, indices, grad, shape, bad_indices_policy=policy)


def scatter_nd(scope: Scope, op: ScatterNd[N], grad: Output[N]) -> Gradients:
    indices, policy = op.inputs.indices, op.inputs.bad_indices_policy
    if grad.rank:
        return GatherNd.create(scope, grad, indices, bad_indices_policy=policy)
    count, depth = size_between(scope, indices, 0, -1), size_between(scope, indices, -1, None)
    points = Pad.create(scope, Reshape.create(scope, indices, vector(scope, [count, depth])), [[0, 0], [1, 0]])
    array = ExpandDims.create(scope, grad, 0)  # because `GatherNd` takes no scalars
    rows = GatherNd.create(scope, array, points, bad_indices_policy=policy)
    return Reshape.create(scope, rows, shape_of(scope, op.inputs.updates))


def tensor_scatter_update(scope: Scope, op: TensorScatterNdUpdate[N], grad: Output[N]) -> Gradients:
    """`tensor` gets zeros at the points; of several updates of one point, the last one gets the gradient."""
    tensor, indices, updates, policy = _inputs(op)

    def replaced() -> Operand[N]:
        zeros = ZerosLike.create(scope, updates)
        return TensorScatterNdUpdate.create(scope, grad, indices, zeros, bad_indices_policy=policy)

    def remaining() -> Operand[N]:
        numbers = Reshape.create(
            scope, Range.create(scope, 0, SizeOf.create(scope, updates), 1), shape_of(scope, updates)
        )
        nowhere = Fill.create(scope, shape_of(scope, tensor), -1)
        owner = TensorScatterNdUpdate.create(scope, nowhere, indices, numbers, bad_indices_policy=policy)
        is_last = Equal.create(scope, _at(scope, owner, op), numbers)
        return Select.create(scope, is_last, _at(scope, grad, op), 0)

    return replaced, remaining


def _inputs(op: Any) -> tuple[AnyOutput, AnyOutput, AnyOutput, _Policy]:
    """The inputs of an operation that updates an array at points."""
    array, indices, updates = op.op.inputs
    return array, indices, updates, op.inputs.bad_indices_policy


def _at(scope: Scope, array: AnyOperand, op: Any) -> AnyOperand:
    """The elements or slices of an array at the points of an operation."""
    _, indices, _, policy = _inputs(op)
    if indices.dtype is TUint16:  # which `GatherNd` does not take
        indices = Cast.create(scope, indices, TInt32).as_output()
    return GatherNd.create(scope, array, indices, bad_indices_policy=policy)


def tensor_scatter_add(scope: Scope, op: TensorScatterNdAdd[N], grad: Output[N]) -> Gradients:
    return _at(scope, grad, op)


def scatter_nd_non_aliasing_add(scope: Scope, op: ScatterNdNonAliasingAdd[N], grad: Output[N]) -> Gradients:
    return _at(scope, grad, op)


def tensor_scatter_sub(scope: Scope, op: TensorScatterNdSub[N], grad: Output[N]) -> Gradients:
    return -_at(scope, grad, op)


def scattered_extremum(scope: Scope, op: TensorScatterNdMax[F] | TensorScatterNdMin[F], grad: Output[F]) -> Gradients:
    """Divide the gradient evenly among the element and the updates that are equal to the result."""
    tensor, indices, updates, policy = _inputs(op)
    is_element = Cast.create(scope, Equal.create(scope, tensor, op), grad.dtype)
    is_update = Cast.create(scope, Equal.create(scope, updates, _at(scope, op, op)), grad.dtype)
    count = TensorScatterNdAdd.create(scope, is_element, indices, is_update, bad_indices_policy=policy)
    share = grad / count
    return lambda: is_element * share, lambda: is_update * _at(scope, share, op)
