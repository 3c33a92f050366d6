"""Gradients of `ops/creation.yaml`."""

from __future__ import annotations

from typegrad.graph.operand import Output
from typegrad.graph.scope import Scope
from typegrad.op.core import Fill, Sum
from typegrad.rules.common import Gradients, N


def fill(scope: Scope, op: Fill[N], grad: Output[N]) -> Gradients:
    return Sum.create(scope, grad)
