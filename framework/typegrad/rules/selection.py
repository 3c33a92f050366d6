"""Gradients of `ops/selection.yaml`."""

from __future__ import annotations

from typegrad.graph.operand import Output
from typegrad.graph.scope import Scope
from typegrad.op.core import Constant, Select
from typegrad.rules.common import Gradients, N


def select_v2(scope: Scope, op: Select[N], grad: Output[N]) -> Gradients:
    condition, zero = op.inputs.condition, Constant.create(scope, 0, grad.dtype)
    return lambda: Select.create(scope, condition, grad, zero), lambda: Select.create(scope, condition, zero, grad)
