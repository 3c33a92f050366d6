"""Gradients of `ops/isotonic.yaml`."""

from __future__ import annotations

from typing import Any

from typegrad.graph.scope import Scope
from typegrad.op.core import Gather, OnesLike, Range, Reshape
from typegrad.op.math import UnsortedSegmentSum
from typegrad.op.nn import IsotonicRegression
from typegrad.rules.common import Gradients, OutputGradients, cast_to
from typegrad.rules.sizes import shape_of, size_between


def isotonic_regression(scope: Scope, op: IsotonicRegression[Any], grads: OutputGradients) -> Gradients:
    """The mean of the gradient over each segment. A segment is numbered by its place in all rows."""
    segments = Reshape.create(scope, op.segments, [-1])
    count = size_between(scope, segments.as_output(), 0, None)
    grad = Reshape.create(scope, grads[0], [-1])
    places = Range.create(scope, 0, count, 1)
    length = size_between(scope, op.segments, -1, None) if op.segments.rank != 0 else 1
    ids = segments + places - places % length
    sums, counts = (UnsortedSegmentSum.create(scope, each, ids, count) for each in (grad, OnesLike.create(scope, grad)))
    mean = Gather.create(scope, sums, ids, 0) / Gather.create(scope, counts, ids, 0)
    x = op.inputs.input
    return cast_to(scope, Reshape.create(scope, mean, shape_of(scope, x)), x.dtype)
