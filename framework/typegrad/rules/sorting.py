"""Gradients of `ops/sorting.yaml`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typegrad.base.types import TInt32
from typegrad.graph.operand import AnyOperand, AnyOutput, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import ApproxTopK, ExpandDims, Range, Rank, Reshape, Select, Sum
from typegrad.op.dtypes import Cast
from typegrad.op.linalg import Transpose
from typegrad.op.math import Equal, UnsortedSegmentSum
from typegrad.op.nn import NthElement, TopK
from typegrad.rules.common import F, Gradients
from typegrad.rules.sizes import shape_of, size_between, vector


def top_kv2(scope: Scope, op: TopK[F, Any], grads: Sequence[Output[F]]) -> Gradients:
    """The gradients of the values, in the places of the elements that were taken; zeros elsewhere."""
    return _placed(scope, op.inputs.input, op.indices, grads[0])


def _placed(scope: Scope, x: AnyOutput, places: AnyOutput, grad: AnyOutput) -> AnyOperand:
    """An array of the shape of `x`, with a gradient in some places of each row."""
    length, count = size_between(scope, x, -1, None), size_between(scope, x, 0, -1)
    offsets = Range.create(scope, 0, count, 1) * length
    rest = vector(scope, [count, size_between(scope, places, -1, None)])
    ids = Reshape.create(scope, Cast.create(scope, places, TInt32), rest) + Reshape.create(scope, offsets, [-1, 1])
    flat = UnsortedSegmentSum.create(
        scope, Reshape.create(scope, grad, [-1]), Reshape.create(scope, ids, [-1]), count * length
    )
    return Reshape.create(scope, flat, shape_of(scope, x))


def approx_top_k(scope: Scope, op: ApproxTopK[F], grads: Sequence[Output[F]]) -> Gradients:
    """The same, in rows along any dimension."""
    x, axis = op.inputs.input, op.inputs.reduction_dimension
    if axis in (-1, (x.rank or 0) - 1):
        return _placed(scope, x, op.indices, grads[0])
    order = _to_the_end(scope, x, axis)

    def exchanged(array: AnyOperand) -> AnyOutput:
        return Transpose.create(scope, array, order).as_output()

    return exchanged(_placed(scope, exchanged(x), exchanged(op.indices), exchanged(grads[0])))


def _to_the_end(scope: Scope, x: AnyOperand, axis: int) -> Any:
    """The order of dimensions in which one of them is exchanged with the last one."""
    if x.rank is not None:
        order = list(range(x.rank))
        order[axis], order[-1] = order[-1], order[axis]
        return order
    rank = Rank.create(scope, x)
    axes, last, at = Range.create(scope, 0, rank, 1), rank - 1, axis % rank
    others = Select.create(scope, Equal.create(scope, axes, last), at, axes)
    return Select.create(scope, Equal.create(scope, axes, at), last, others)


def nth_element(scope: Scope, op: NthElement[F], grad: Output[F]) -> Gradients:
    """The gradient, divided evenly among the elements that are equal to the result."""
    x = op.inputs.input
    chosen = Cast.create(scope, Equal.create(scope, x, ExpandDims.create(scope, op, -1)), x.dtype)
    return chosen * ExpandDims.create(scope, grad / Sum.create(scope, chosen, -1), -1)
