"""RMSProp: gradients divided by the root of their mean square."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

from typing_extensions import Unpack

from typegrad.graph.graph import Graph
from typegrad.graph.indexed_slices import IndexedSlices
from typegrad.graph.wrapper import Op
from typegrad.op.train import (
    ResourceApplyCenteredRmsProp,
    ResourceApplyRmsProp,
    ResourceSparseApplyCenteredRmsProp,
    ResourceSparseApplyRmsProp,
)
from typegrad.training.optimizers.checks import at_least_zero, unit
from typegrad.training.optimizers.optimizer import Optimizer, Options
from typegrad.training.optimizers.step import AnyOperand, LearningRate, Update

__all__ = ["RMSProp"]


@final
class RMSProp(Optimizer):
    """Divides the gradient by the root of the average of its square, `rms`, which keeps `rho` of itself.

    `momentum = momentum * previous momentum + learning_rate * g / sqrt(rms + epsilon)` is subtracted from the variable. With
    `centered`, the square of the average gradient, `mg`, is taken off `rms` first, which leaves the variance.

    Defaults are those of TensorFlow Java's `RMSProp` and TensorFlow 1's, which call `rho` the decay: the first steps are small, as if
    the gradients before had a mean square of 1. Keras' `RMSprop` has `initial_mean_square=0.0` and `epsilon=1e-7`.

    Slots: `rms`, at first `initial_mean_square`, `momentum` and, if centered, `mg`, both at first 0.

    Source: Hinton, Neural Networks for Machine Learning, lecture 6 (2012); centered: Graves, Generating Sequences with Recurrent
    Neural Networks (2013).
    """

    def __init__(
        self,
        graph: Graph,
        learning_rate: LearningRate = 0.001,
        rho: float = 0.9,
        momentum: float = 0.0,
        epsilon: float = 1e-10,
        *,
        centered: bool = False,
        initial_mean_square: float = 1.0,
        **options: Unpack[Options],
    ) -> None:
        """RMSProp on `graph`; see `Optimizer` for the options and errors."""
        self._rho = unit("rho", rho)
        self._momentum = unit("momentum", momentum)
        self._epsilon = at_least_zero("epsilon", epsilon)
        self._centered = centered
        self._initial = at_least_zero("initial_mean_square", initial_mean_square)
        super().__init__(graph, learning_rate, **options)

    def _slots(self) -> dict[str, float]:
        plain = {"rms": self._initial, "momentum": 0.0}
        return {**plain, "mg": 0.0} if self._centered else plain

    def _numbers(self, update: Update) -> tuple[AnyOperand, AnyOperand, AnyOperand, AnyOperand]:
        return (
            update.learning_rate,
            update.constant("rho", self._rho),
            update.constant("momentum", self._momentum),
            update.constant("epsilon", self._epsilon),
        )

    def _dense(self, update: Update, grad: AnyOperand) -> Sequence[Op]:
        slots = update.slot("rms"), update.slot("momentum")
        numbers = self._numbers(update)
        if not self._centered:
            return [ResourceApplyRmsProp.create(update.scope, update.handle, *slots, *numbers, grad)]
        mean = update.slot("mg")
        return [ResourceApplyCenteredRmsProp.create(update.scope, update.handle, mean, *slots, *numbers, grad)]

    def _sparse(self, update: Update, grad: IndexedSlices[Any, Any]) -> Sequence[Op]:
        rows = update.unique(grad)
        slots = update.slot("rms"), update.slot("momentum")
        given = *self._numbers(update), rows.values, rows.indices
        if not self._centered:
            return [ResourceSparseApplyRmsProp.create(update.scope, update.handle, *slots, *given)]
        mean = update.slot("mg")
        return [ResourceSparseApplyCenteredRmsProp.create(update.scope, update.handle, mean, *slots, *given)]
