"""Gradient descent, without and with momentum."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, final

from typing_extensions import Unpack

from typegrad.functions.rows import subtract_rows
from typegrad.graph.graph import Graph
from typegrad.graph.indexed_slices import IndexedSlices
from typegrad.graph.wrapper import Op
from typegrad.op.train import ResourceApplyGradientDescent, ResourceApplyKerasMomentum, ResourceSparseApplyKerasMomentum
from typegrad.training.optimizers.checks import unit
from typegrad.training.optimizers.optimizer import Optimizer, Options
from typegrad.training.optimizers.step import AnyOperand, LearningRate, Update

__all__ = ["GradientDescent", "Momentum"]


@final
class GradientDescent(Optimizer):
    """Each step subtracts `learning_rate` times the gradient from each variable.

    Keras' `SGD` and TensorFlow Java's `GradientDescent`. A sparse gradient costs the rows it has.

    Source: Robbins and Monro, A Stochastic Approximation Method (1951).
    """

    _rowwise: ClassVar[bool] = True

    def __init__(self, graph: Graph, learning_rate: LearningRate = 0.01, **options: Unpack[Options]) -> None:
        """Gradient descent on `graph`; see `Optimizer` for the options and errors."""
        super().__init__(graph, learning_rate, **options)

    def _dense(self, update: Update, grad: AnyOperand) -> Sequence[Op]:
        return [ResourceApplyGradientDescent.create(update.scope, update.handle, update.learning_rate, grad)]

    def _sparse(self, update: Update, grad: IndexedSlices[Any, Any]) -> Sequence[Op]:
        change = update.formula().mul(grad.values, update.learning_rate)
        return [subtract_rows(update.scope, update.variable, grad.indices, change)]


@final
class Momentum(Optimizer):
    """Gradient descent with a velocity, which keeps `momentum` of itself: `v = momentum * v - learning_rate * g; w += v`.

    With `nesterov`, the variable moves as if the velocity had already been applied: `w += momentum * v - learning_rate * g`.

    Keras' `SGD(momentum=...)`. TensorFlow Java's `Momentum` has the learning rate outside of the velocity, which is the same as
    long as the rate stays the same.

    Slots: `momentum`, the velocity.

    Source: Polyak (1964); Sutskever, Martens, Dahl and Hinton, On the Importance of Initialization and Momentum in Deep Learning
    (2013).
    """

    def __init__(
        self,
        graph: Graph,
        learning_rate: LearningRate = 0.01,
        momentum: float = 0.0,
        *,
        nesterov: bool = False,
        **options: Unpack[Options],
    ) -> None:
        """Momentum on `graph`; see `Optimizer` for the options and errors."""
        self._momentum = unit("momentum", momentum)
        self._nesterov = nesterov
        super().__init__(graph, learning_rate, **options)

    def _slots(self) -> dict[str, float]:
        return {"momentum": 0.0}

    def _dense(self, update: Update, grad: AnyOperand) -> Sequence[Op]:
        momentum = update.constant("momentum", self._momentum)
        return [
            ResourceApplyKerasMomentum.create(
                update.scope,
                update.handle,
                update.slot("momentum"),
                update.learning_rate,
                grad,
                momentum,
                use_nesterov=self._nesterov,
            )
        ]

    def _sparse(self, update: Update, grad: IndexedSlices[Any, Any]) -> Sequence[Op]:
        rows = update.unique(grad)
        momentum = update.constant("momentum", self._momentum)
        return [
            ResourceSparseApplyKerasMomentum.create(
                update.scope,
                update.handle,
                update.slot("momentum"),
                update.learning_rate,
                rows.values,
                rows.indices,
                momentum,
                use_nesterov=self._nesterov,
            )
        ]
