"""Gradients of `ops/graph.yaml`."""

from __future__ import annotations

from typing_extensions import TypeVar

from typegrad.base.errors import GradientError
from typegrad.base.types import TType
from typegrad.graph.operand import Output
from typegrad.graph.scope import Scope
from typegrad.op.train import PreventGradient
from typegrad.rules.common import Gradients

T = TypeVar("T", bound=TType)


def prevent_gradient(scope: Scope, op: PreventGradient[T], grad: Output[T]) -> Gradients:
    """An error: that is what the operation is for."""
    raise GradientError(f"PreventGradient refuses a gradient: {op.inputs.message or 'it gives no reason'}")
