"""Gradient descent with a fixed learning rate."""

from __future__ import annotations

from typing import Any, final

import numpy as np

from typegrad.errors import AttributeValueError
from typegrad.graph import Graph
from typegrad.operand import Operand
from typegrad.operation import Operation
from typegrad.optimizers.optimizer import Optimizer
from typegrad.scope import Scope
from typegrad.tensors import constant
from typegrad.variable import Variable

__all__ = ["GradientDescent"]


@final
class GradientDescent(Optimizer):
    """Each step subtracts `learning_rate` times the gradient from each variable (`train.ResourceApplyGradientDescent`)."""

    def __init__(self, graph: Graph, learning_rate: float) -> None:
        """`learning_rate`: a finite number; raises `AttributeValueError` otherwise."""
        super().__init__(graph)
        if not np.isfinite(learning_rate):
            raise AttributeValueError(f"learning_rate must be a finite number, but is {learning_rate!r}")
        self._learning_rate = learning_rate

    def _update(self, scope: Scope, grad: Operand[Any, Any], variable: Variable[Any, Any]) -> Operation:
        from typegrad.op.train import ResourceApplyGradientDescent

        alpha = constant(self._scope.with_name("learning_rate"), self._learning_rate, variable.dtype)
        return ResourceApplyGradientDescent.create(scope, variable.handle, alpha, grad).op
