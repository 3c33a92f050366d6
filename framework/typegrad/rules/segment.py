"""Gradients of `ops/segment.yaml`."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypeVar

from typegrad.base.types import TComplex, TFloating
from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import Concat, Constant, ExpandDims, Fill, Gather, Rank, Reshape, Select, Shape
from typegrad.op.math import GreaterEqual, Maximum, Sub, UnsortedSegmentSum
from typegrad.rules.common import Gradients, scalar_like

N = TypeVar("N", bound=TFloating | TComplex)


def unsorted_segment_sum(scope: Scope, op: UnsortedSegmentSum[N], grad: Output[N]) -> Gradients:
    """Each row has the gradient of its segment; a row that was dropped has none."""
    data, ids = op.inputs.data, op.inputs.segment_ids
    zero = scalar_like(scope, 0, ids)
    rows = Gather.create(scope, grad, Maximum.create(scope, ids, zero), 0)
    is_used = _stretched(scope, GreaterEqual.create(scope, ids, zero), data)
    return Select.create(scope, is_used, rows, scalar_like(scope, 0, grad))


def _stretched(scope: Scope, mask: Operand[Any, Any], data: Output[Any, Any]) -> Operand[Any, Any]:
    """A mask over the rows of `data`, with dimensions of size 1 in the place of those of a row."""
    if mask.rank is not None and data.rank is not None:
        for _ in range(data.rank - mask.rank):
            mask = ExpandDims.create(scope, mask, -1)
        return mask
    missing = Sub.create(scope, Rank.create(scope, data), Rank.create(scope, mask))
    ones = Fill.create(scope, ExpandDims.create(scope, missing, 0), Constant.create(scope, 1))
    return Reshape.create(scope, mask, Concat.create(scope, [Shape.create(scope, mask), ones], 0))
