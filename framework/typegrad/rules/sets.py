"""Gradients of `ops/sets.yaml`."""

from __future__ import annotations

from typing import Any

from typegrad.graph.scope import Scope
from typegrad.op.core import SetDiff1d, Size
from typegrad.op.math import UnsortedSegmentSum
from typegrad.rules.common import Gradients, N, OutputGradients


def list_diff(scope: Scope, op: SetDiff1d[N], grads: OutputGradients) -> Gradients:
    idx: Any = op.idx
    return UnsortedSegmentSum.create(scope, grads[0], idx, Size.create(scope, op.inputs.x))
