"""Gradients of `ops/graph.yaml`."""

from __future__ import annotations

from typegrad.base.errors import GradientError
from typegrad.graph.operand import Output
from typegrad.graph.scope import Scope
from typegrad.op.train import PreventGradient
from typegrad.rules.common import Gradients, T


def prevent_gradient(scope: Scope, op: PreventGradient[T], grad: Output[T]) -> Gradients:
    """Refuse."""
    raise GradientError(f"PreventGradient refuses a gradient: {op.inputs.message or 'it gives no reason'}")
