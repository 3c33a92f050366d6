"""Gradients of `ops/sorting.yaml`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typing_extensions import TypeVar

from typegrad.base.types import TFloating, TInt32
from typegrad.graph.operand import Output
from typegrad.graph.scope import Scope
from typegrad.op.core import Constant, Range, Reshape
from typegrad.op.dtypes import Cast
from typegrad.op.math import AddV2, Mul, UnsortedSegmentSum
from typegrad.op.nn import TopK
from typegrad.rules.common import Gradients
from typegrad.rules.sizes import shape_of, size_between, times, vector

F = TypeVar("F", bound=TFloating)


def top_kv2(scope: Scope, op: TopK[F, Any], grads: Sequence[Output[F]]) -> Gradients:
    """Each element that was taken has its gradient, the others have none."""
    x, places = op.inputs.input, op.indices
    length, count = size_between(scope, x, -1, None), size_between(scope, x, 0, -1)
    rows = Range.create(scope, 0, count, 1)
    offsets = Mul.create(scope, rows, Constant.create(scope, length, TInt32) if isinstance(length, int) else length)
    rest = vector(scope, [count, size_between(scope, places, -1, None)])
    positions = Reshape.create(scope, Cast.create(scope, places, TInt32), rest)
    ids = AddV2.create(scope, positions, Reshape.create(scope, offsets, [-1, 1]))
    flat = UnsortedSegmentSum.create(
        scope, Reshape.create(scope, grads[0], [-1]), Reshape.create(scope, ids, [-1]), times(scope, count, length)
    )
    return Reshape.create(scope, flat, shape_of(scope, x))
