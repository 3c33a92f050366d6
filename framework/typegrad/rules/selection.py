"""Gradients of `ops/selection.yaml`."""

from __future__ import annotations

from typing_extensions import TypeVar

from typegrad.base.types import TComplex, TFloating
from typegrad.graph.operand import Output
from typegrad.graph.scope import Scope
from typegrad.op.core import Select
from typegrad.rules.common import Gradients, scalar_like

N = TypeVar("N", bound=TFloating | TComplex)


def select_v2(scope: Scope, op: Select[N], grad: Output[N]) -> Gradients:
    """Each array has the gradient where it was chosen."""
    condition, zero = op.inputs.condition, scalar_like(scope, 0, grad)
    return (
        lambda: Select.create(scope, condition, grad, zero),
        lambda: Select.create(scope, condition, zero, grad),
    )
