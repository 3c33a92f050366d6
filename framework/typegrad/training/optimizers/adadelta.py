"""AdaDelta: steps in the units of the variable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

from typing_extensions import Unpack

from typegrad.graph.graph import Graph
from typegrad.graph.indexed_slices import IndexedSlices
from typegrad.graph.wrapper import Op
from typegrad.op.train import ResourceApplyAdadelta, ResourceSparseApplyAdadelta
from typegrad.training.optimizers.checks import at_least_zero, unit
from typegrad.training.optimizers.optimizer import Optimizer, Options
from typegrad.training.optimizers.step import AnyOperand, LearningRate, Update

__all__ = ["AdaDelta"]


@final
class AdaDelta(Optimizer):
    """Scales the gradient by the root mean square of the recent steps over that of the recent gradients.

    `accum` averages the squared gradient and `accum_update` the squared step `sqrt(accum_update + epsilon) / sqrt(accum + epsilon) * g`;
    both keep `rho` of themselves. The variable moves by `learning_rate` times the step; in the paper the rate is 1.

    Defaults are those of Keras' `Adadelta` and TensorFlow Java's `AdaDelta`. Slots: `accum` and `accum_update`, at first
    `initial_accumulator_value` and `initial_update_value`.

    Source: Zeiler, ADADELTA: An Adaptive Learning Rate Method (2012).
    """

    def __init__(
        self,
        graph: Graph,
        learning_rate: LearningRate = 0.001,
        rho: float = 0.95,
        epsilon: float = 1e-7,
        *,
        initial_accumulator_value: float = 0.0,
        initial_update_value: float = 0.0,
        **options: Unpack[Options],
    ) -> None:
        """AdaDelta on `graph`; see `Optimizer` for the options and errors."""
        self._rho = unit("rho", rho)
        self._epsilon = at_least_zero("epsilon", epsilon)
        self._initial = {
            "accum": at_least_zero("initial_accumulator_value", initial_accumulator_value),
            "accum_update": at_least_zero("initial_update_value", initial_update_value),
        }
        super().__init__(graph, learning_rate, **options)

    def _slots(self) -> dict[str, float]:
        return self._initial

    def _numbers(self, update: Update) -> tuple[AnyOperand, AnyOperand, AnyOperand]:
        return (update.learning_rate, update.constant("rho", self._rho), update.constant("epsilon", self._epsilon))

    def _dense(self, update: Update, grad: AnyOperand) -> Sequence[Op]:
        slots = update.slot("accum"), update.slot("accum_update")
        return [ResourceApplyAdadelta.create(update.scope, update.handle, *slots, *self._numbers(update), grad)]

    def _sparse(self, update: Update, grad: IndexedSlices[Any, Any]) -> Sequence[Op]:
        rows = update.unique(grad)
        slots = update.slot("accum"), update.slot("accum_update")
        numbers = self._numbers(update)
        return [
            ResourceSparseApplyAdadelta.create(update.scope, update.handle, *slots, *numbers, rows.values, rows.indices)
        ]
