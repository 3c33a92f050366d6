"""Ftrl: follow the regularized leader."""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

from typing_extensions import Unpack

from typegrad.base.errors import AttributeValueError
from typegrad.base.types import TFloating
from typegrad.graph.graph import Graph
from typegrad.graph.indexed_slices import IndexedSlices
from typegrad.graph.wrapper import Op
from typegrad.training.optimizers.checks import at_least_zero, finite
from typegrad.training.optimizers.optimizer import Optimizer, Options
from typegrad.training.optimizers.step import Floats, LearningRate, Update

__all__ = ["Ftrl"]


@final
class Ftrl(Optimizer):
    """Follow the regularized leader, with a learning rate per coordinate: for sparse linear models.

    Each step sets the variable to the minimizer of the linearized losses so far plus the penalties, so its initial
    value has no influence. The L1 penalty makes many elements exactly zero. `l2_shrinkage_regularization_strength` adds
    the variable itself to the gradient, which unlike the L2 penalty is not weighted by the history; `beta` acts as an
    L2 penalty of `beta / (2 * learning_rate)`.

    Defaults follow Keras' and TensorFlow Java's `Ftrl`; Java's has no `beta`. Slots: `accumulator`, the sum of squared
    gradients, initially `initial_accumulator_value`, and `linear`, initially 0.

    Source: McMahan et al., Ad Click Prediction: a View from the Trenches (2013).
    """

    def __init__(
        self,
        graph: Graph,
        learning_rate: LearningRate = 0.001,
        learning_rate_power: float = -0.5,
        initial_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        l2_shrinkage_regularization_strength: float = 0.0,
        beta: float = 0.0,
        **options: Unpack[Options],
    ) -> None:
        """Ftrl on `graph`; see `Optimizer` for the options and errors."""
        if finite("learning_rate_power", learning_rate_power) > 0:
            raise AttributeValueError(f"learning_rate_power must not be positive, but is {learning_rate_power!r}")
        self._power = learning_rate_power
        self._initial = at_least_zero("initial_accumulator_value", initial_accumulator_value)
        self._l1 = at_least_zero("l1_regularization_strength", l1_regularization_strength)
        self._l2 = at_least_zero("l2_regularization_strength", l2_regularization_strength)
        self._shrinkage = at_least_zero("l2_shrinkage_regularization_strength", l2_shrinkage_regularization_strength)
        self._beta = at_least_zero("beta", beta)
        super().__init__(graph, learning_rate, **options)

    def _slots(self) -> dict[str, float]:
        return {"accumulator": self._initial, "linear": 0.0}

    def _numbers(self, update: Update) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        return (
            update.learning_rate,
            update.constant("l1_regularization_strength", self._l1),
            self._l2_strength(update),
            update.constant("l2_shrinkage_regularization_strength", self._shrinkage),
            update.constant("learning_rate_power", self._power),
        )

    def _l2_strength(self, update: Update) -> Floats:
        strength = update.constant("l2_regularization_strength", self._l2)
        if not self._beta:
            return strength
        return strength + update.constant("beta", self._beta) / (2.0 * update.learning_rate)

    def _dense(self, update: Update, grad: Floats) -> Sequence[Op]:
        slots = update.slot("accumulator"), update.slot("linear")
        return [update.tf.train.resource_apply_ftrl(update.handle, *slots, grad, *self._numbers(update))]

    def _sparse(self, update: Update, grad: IndexedSlices[TFloating]) -> Sequence[Op]:
        rows = update.unique(grad)
        slots = update.slot("accumulator"), update.slot("linear")
        numbers = self._numbers(update)
        return [update.tf.train.resource_sparse_apply_ftrl(update.handle, *slots, rows.values, rows.indices, *numbers)]
