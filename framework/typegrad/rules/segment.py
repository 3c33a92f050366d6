"""Gradients of `ops/segment.yaml`."""

from __future__ import annotations

from typegrad.graph.operand import AnyOperand, AnyOutput, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import Concat, ExpandDims, Fill, Gather, Rank, Reshape, Select, Shape
from typegrad.op.math import Maximum, UnsortedSegmentSum
from typegrad.rules.common import Gradients, N


def unsorted_segment_sum(scope: Scope, op: UnsortedSegmentSum[N], grad: Output[N]) -> Gradients:
    """For each row, the gradient of its segment; zero for a row that was dropped."""
    data, ids = op.inputs.data, op.inputs.segment_ids
    rows = Gather.create(scope, grad, Maximum.create(scope, ids, 0), 0)
    return Select.create(scope, _stretched(scope, ids >= 0, data), rows, 0)


def _stretched(scope: Scope, mask: AnyOperand, data: AnyOutput) -> AnyOperand:
    """A mask over the rows of `data`, with a dimension of size 1 for each dimension of a row."""
    if mask.rank is not None and data.rank is not None:
        for _ in range(data.rank - mask.rank):
            mask = ExpandDims.create(scope, mask, -1)
        return mask
    missing = Rank.create(scope, data) - Rank.create(scope, mask)
    ones = Fill.create(scope, ExpandDims.create(scope, missing, 0), 1)
    return Reshape.create(scope, mask, Concat.create(scope, [Shape.create(scope, mask), ones], 0))
