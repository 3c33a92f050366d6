"""Gradients of `ops/sorting.yaml`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typegrad.base.types import TInt32
from typegrad.graph.operand import Output
from typegrad.graph.scope import Scope
from typegrad.op.core import ExpandDims, Range, Reshape, Sum
from typegrad.op.dtypes import Cast
from typegrad.op.math import Equal, UnsortedSegmentSum
from typegrad.op.nn import NthElement, TopK
from typegrad.rules.common import F, Gradients
from typegrad.rules.sizes import shape_of, size_between, vector


def top_kv2(scope: Scope, op: TopK[F, Any], grads: Sequence[Output[F]]) -> Gradients:
    """The gradients of the values, in the places of the elements that were taken; zeros elsewhere."""
    x, places = op.inputs.input, op.indices
    length, count = size_between(scope, x, -1, None), size_between(scope, x, 0, -1)
    offsets = Range.create(scope, 0, count, 1) * length
    rest = vector(scope, [count, size_between(scope, places, -1, None)])
    ids = Reshape.create(scope, Cast.create(scope, places, TInt32), rest) + Reshape.create(scope, offsets, [-1, 1])
    flat = UnsortedSegmentSum.create(
        scope, Reshape.create(scope, grads[0], [-1]), Reshape.create(scope, ids, [-1]), count * length
    )
    return Reshape.create(scope, flat, shape_of(scope, x))


def nth_element(scope: Scope, op: NthElement[F], grad: Output[F]) -> Gradients:
    """The gradient, divided evenly among the elements that are equal to the result."""
    x = op.inputs.input
    chosen = Cast.create(scope, Equal.create(scope, x, ExpandDims.create(scope, op, -1)), x.dtype)
    return chosen * ExpandDims.create(scope, grad / Sum.create(scope, chosen, -1), -1)
