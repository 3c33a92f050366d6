"""RMSProp: gradients divided by the root of their mean square."""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

from typing_extensions import Unpack

from typegrad.base.types import TFloating
from typegrad.graph.graph import Graph
from typegrad.graph.indexed_slices import IndexedSlices
from typegrad.graph.wrapper import Op
from typegrad.training.optimizers.checks import at_least_zero, unit
from typegrad.training.optimizers.optimizer import Optimizer, Options
from typegrad.training.optimizers.step import Floats, LearningRate, Update

__all__ = ["RMSProp"]


@final
class RMSProp(Optimizer):
    """Divides the gradient by the root of the average of its square, `rms`, which keeps `rho` of itself.

    Each step subtracts `m = momentum * m + learning_rate * g / sqrt(rms + epsilon)` from the variable. With `centered`,
    the square of the average gradient, `mg`, is first subtracted from `rms`, which leaves the variance.

    Defaults follow TensorFlow Java's and TensorFlow 1's `RMSProp`, which call `rho` the decay: the first steps are
    small, as if the earlier gradients had a mean square of 1. Keras' `RMSprop` has `initial_mean_square=0.0` and
    `epsilon=1e-7`.

    Slots: `rms`, initially `initial_mean_square`; `momentum` and, if centered, `mg`, both initially 0.

    Source: Hinton, Neural Networks for Machine Learning, lecture 6 (2012); centered: Graves, Generating Sequences with
    Recurrent Neural Networks (2013).
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

    def _numbers(self, update: Update) -> tuple[Floats, Floats, Floats, Floats]:
        return (
            update.learning_rate,
            update.constant("rho", self._rho),
            update.constant("momentum", self._momentum),
            update.constant("epsilon", self._epsilon),
        )

    def _dense(self, update: Update, grad: Floats) -> Sequence[Op]:
        slots = update.slot("rms"), update.slot("momentum")
        numbers = self._numbers(update)
        if not self._centered:
            return [update.tf.train.resource_apply_rms_prop(update.handle, *slots, *numbers, grad)]
        mean = update.slot("mg")
        return [update.tf.train.resource_apply_centered_rms_prop(update.handle, mean, *slots, *numbers, grad)]

    def _sparse(self, update: Update, grad: IndexedSlices[TFloating]) -> Sequence[Op]:
        rows = update.unique(grad)
        slots = update.slot("rms"), update.slot("momentum")
        inputs = *slots, *self._numbers(update), rows.values, rows.indices
        if not self._centered:
            return [update.tf.train.resource_sparse_apply_rms_prop(update.handle, *inputs)]
        return [update.tf.train.resource_sparse_apply_centered_rms_prop(update.handle, update.slot("mg"), *inputs)]
