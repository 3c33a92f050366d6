"""Gradients of `ops/selection.yaml`."""

from __future__ import annotations

from typegrad.graph.operand import Output
from typegrad.graph.scope import Scope
from typegrad.op.core import Select
from typegrad.rules.common import Gradients, N


def select_v2(scope: Scope, op: Select[N], grad: Output[N]) -> Gradients:
    condition = op.inputs.condition
    return lambda: Select.create(scope, condition, grad, 0), lambda: Select.create(scope, condition, 0, grad)
