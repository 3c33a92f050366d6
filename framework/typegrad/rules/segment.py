"""Gradients of `ops/segment.yaml`."""

from __future__ import annotations

from typing import Any, TypeAlias

from typegrad.base.types import TInt32
from typegrad.graph.operand import AnyOperand, AnyOutput, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import Concat, ExpandDims, Fill, Gather, OnesLike, Rank, Reshape, Select, Shape
from typegrad.op.dtypes import Cast
from typegrad.op.math import (
    DivNoNan,
    Equal,
    Maximum,
    SegmentMax,
    SegmentMean,
    SegmentMin,
    SegmentProd,
    SegmentSum,
    UnsortedSegmentMax,
    UnsortedSegmentMin,
    UnsortedSegmentProd,
    UnsortedSegmentSum,
)
from typegrad.rules.common import F, Gradients, N, conj
from typegrad.rules.sizes import size_between

Extremum: TypeAlias = UnsortedSegmentMax[F] | UnsortedSegmentMin[F] | SegmentMax[F] | SegmentMin[F]


def unsorted_segment_sum(scope: Scope, op: UnsortedSegmentSum[N] | SegmentSum[N], grad: Output[N]) -> Gradients:
    return _rows(scope, op, grad)


def unsorted_segment_prod(scope: Scope, op: UnsortedSegmentProd[N] | SegmentProd[N], grad: Output[N]) -> Gradients:
    """The product of the other rows: those that are not 0, all divided by one, times those that are.

    Of these, one is the sum of them all, whose derivative is 1, so that the second derivative is exact as well.
    """
    data = conj(op.inputs.data)
    is_zero = Equal.create(scope, data, 0)
    factors = Select.create(scope, is_zero, 1, data)
    others = _rows(scope, op, _same_segments(scope, op, UnsortedSegmentProd, factors)) / factors
    other_zeros = _sum_of_others(scope, op, Select.create(scope, is_zero, data, 0))
    count = _sum_of_others(scope, op, Cast.create(scope, is_zero, TInt32))
    one_or_none = Select.create(scope, Equal.create(scope, count, 0), others, others * other_zeros)
    return _rows(scope, op, grad) * Select.create(scope, count > 1, 0, one_or_none)


def _sum_of_others(scope: Scope, op: Any, data: AnyOperand) -> AnyOperand:
    """For each row, the sum of the other rows of its segment."""
    return _rows(scope, op, _same_segments(scope, op, UnsortedSegmentSum, data)) - data


def extremum(scope: Scope, op: Extremum[F], grad: Output[F]) -> Gradients:
    """The gradient of the maximum and the minimum, divided evenly among the rows that are equal to it."""
    chosen = Cast.create(scope, Equal.create(scope, op.inputs.data, _rows(scope, op, op)), grad.dtype)
    count = _rows(scope, op, _same_segments(scope, op, UnsortedSegmentSum, chosen))
    return DivNoNan.create(scope, chosen * _rows(scope, op, grad), count)


def _rows(scope: Scope, op: Any, segments: AnyOperand) -> AnyOperand:
    """For each row, the value of its segment; zero for a row that was dropped."""
    data, ids = op.inputs.data, op.inputs.segment_ids
    rows = Gather.create(scope, segments, Maximum.create(scope, ids, 0), 0)
    return Select.create(scope, stretched(scope, ids >= 0, data), rows, 0)


def _same_segments(scope: Scope, op: Any, operation: Any, data: AnyOperand) -> AnyOperand:
    """Another operation on the same segments."""
    result: AnyOperand = operation.create(scope, data, op.inputs.segment_ids, op.inputs.num_segments)
    return result


def stretched(scope: Scope, mask: AnyOperand, data: AnyOutput) -> AnyOperand:
    """A mask over the rows of `data`, with a dimension of size 1 for each dimension of a row."""
    if mask.rank is not None and data.rank is not None:
        for _ in range(data.rank - mask.rank):
            mask = ExpandDims.create(scope, mask, -1)
        return mask
    missing = Rank.create(scope, data) - Rank.create(scope, mask)
    ones = Fill.create(scope, ExpandDims.create(scope, missing, 0), 1)
    return Reshape.create(scope, mask, Concat.create(scope, [Shape.create(scope, mask), ones], 0))


def segment_mean(scope: Scope, op: SegmentMean[N], grad: Output[N]) -> Gradients:
    """Divide the gradient of each segment evenly among its rows."""
    ids = op.inputs.segment_ids
    ones = Cast.create(scope, OnesLike.create(scope, ids), TInt32)
    count = UnsortedSegmentSum.create(scope, ones, ids, size_between(scope, grad, 0, 1))
    divisors = Cast.create(scope, Maximum.create(scope, count, 1), grad.dtype)
    return Gather.create(scope, grad / stretched(scope, divisors, grad), ids, 0)
