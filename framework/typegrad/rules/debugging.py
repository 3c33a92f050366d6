"""Gradients of `ops/debugging.yaml`."""

from __future__ import annotations

from typegrad.graph.operand import Output
from typegrad.graph.scope import Scope
from typegrad.op.debugging import CheckNumerics
from typegrad.rules.common import F, Gradients


def check_numerics_v2(scope: Scope, op: CheckNumerics[F], grad: Output[F]) -> Gradients:
    """Check the gradient; its error says that it is one."""
    return CheckNumerics.create(scope, grad, message=f"the gradient of {op.inputs.message}")
