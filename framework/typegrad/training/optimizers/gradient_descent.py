"""Gradient descent: plain, with momentum, and by the sign of a momentum (Lion)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, final

from typing_extensions import Unpack

from typegrad.base.errors import AttributeValueError
from typegrad.base.types import TFloating
from typegrad.functions.rows import subtract_rows
from typegrad.graph.graph import Graph
from typegrad.graph.indexed_slices import IndexedSlices
from typegrad.graph.wrapper import Op
from typegrad.training.optimizers.checks import unit
from typegrad.training.optimizers.optimizer import ByRule, Change, Optimizer, Options
from typegrad.training.optimizers.step import Floats, LearningRate, Update

__all__ = ["GradientDescent", "Lion", "Momentum"]


@final
class GradientDescent(Optimizer):
    """Each step subtracts `learning_rate` times the gradient from each variable.

    Keras' `SGD` and TensorFlow Java's `GradientDescent`. The cost of a sparse gradient is proportional to its rows.

    Source: Robbins and Monro, A Stochastic Approximation Method (1951).
    """

    _rowwise: ClassVar[bool] = True

    def __init__(self, graph: Graph, learning_rate: LearningRate = 0.01, **options: Unpack[Options]) -> None:
        """Gradient descent on `graph`; see `Optimizer` for the options and errors."""
        super().__init__(graph, learning_rate, **options)

    def _dense(self, update: Update, grad: Floats) -> Sequence[Op]:
        return [update.tf.train.resource_apply_gradient_descent(update.handle, update.learning_rate, grad)]

    def _sparse(self, update: Update, grad: IndexedSlices[TFloating]) -> Sequence[Op]:
        return [subtract_rows(update.scope, update.variable, grad.indices, grad.values * update.learning_rate)]


@final
class Momentum(Optimizer):
    """Gradient descent with a velocity that decays by `momentum`: `v = momentum * v - learning_rate * g; w += v`.

    With `nesterov`, the variable moves as if the velocity had already been applied:
    `w += momentum * v - learning_rate * g`.

    Keras' `SGD(momentum=...)`. TensorFlow Java's `Momentum` applies the learning rate outside of the velocity, which is
    the same while the rate is constant.

    Slots: `momentum`, the velocity.

    Source: Polyak (1964); Sutskever, Martens, Dahl and Hinton, On the Importance of Initialization and Momentum in Deep
    Learning (2013).
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

    def _dense(self, update: Update, grad: Floats) -> Sequence[Op]:
        momentum = update.constant("momentum", self._momentum)
        return [
            update.tf.train.resource_apply_keras_momentum(
                update.handle,
                update.slot("momentum"),
                update.learning_rate,
                grad,
                momentum,
                use_nesterov=self._nesterov,
            )
        ]

    def _sparse(self, update: Update, grad: IndexedSlices[TFloating]) -> Sequence[Op]:
        rows = update.unique(grad)
        momentum = update.constant("momentum", self._momentum)
        return [
            update.tf.train.resource_sparse_apply_keras_momentum(
                update.handle,
                update.slot("momentum"),
                update.learning_rate,
                rows.values,
                rows.indices,
                momentum,
                use_nesterov=self._nesterov,
            )
        ]


@final
class Lion(ByRule):
    """Moves every element by the learning rate: `w -= learning_rate * sign(beta_1 * m + (1 - beta_1) * g)`.

    The moving average `m` of the gradient has the decay `beta_2`. Steps are larger than Adam's, so the learning rate
    should be three to ten times smaller. Parameters and defaults follow Keras' `Lion`. Slots: `m`.

    Source: Chen et al., Symbolic Discovery of Optimization Algorithms (2023).
    """

    def __init__(
        self,
        graph: Graph,
        learning_rate: LearningRate = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.99,
        **options: Unpack[Options],
    ) -> None:
        """Lion on `graph`; see `Optimizer` for the options and errors."""
        if unit("beta_1", beta_1) == 0:
            raise AttributeValueError("beta_1 must be more than 0: with 0, Lion only follows the sign of the gradient")
        self._beta_1 = beta_1
        self._beta_2 = unit("beta_2", beta_2)
        super().__init__(graph, learning_rate, **options)

    def _slots(self) -> dict[str, float]:
        return {"m": 0.0}

    def _rule(self, update: Update, grad: Floats, slots: Mapping[str, Floats]) -> Change:
        beta_1, beta_2 = update.constant("beta_1", self._beta_1), update.constant("beta_2", self._beta_2)
        m = slots["m"]
        direction = update.tf.math.sign(m * beta_1 + grad * (1.0 - beta_1))
        return update.learning_rate * direction, {"m": m * beta_2 + grad * (1.0 - beta_2)}
