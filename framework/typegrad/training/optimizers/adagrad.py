"""AdaGrad, as a step and by dual averaging."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, final

from typing_extensions import Unpack

from typegrad.base.errors import AttributeValueError
from typegrad.graph.graph import Graph
from typegrad.graph.indexed_slices import IndexedSlices
from typegrad.graph.wrapper import Op
from typegrad.op.train import (
    ResourceApplyAdagrad,
    ResourceApplyAdagradDa,
    ResourceSparseApplyAdagradDa,
    ResourceSparseApplyAdagradV2,
)
from typegrad.training.optimizers.checks import at_least_zero, positive
from typegrad.training.optimizers.optimizer import Optimizer, Options
from typegrad.training.optimizers.step import AnyOperand, LearningRate, Update

__all__ = ["AdaGrad", "AdaGradDA"]


@final
class AdaGrad(Optimizer):
    """Divides the gradient by the root of the sum of its squares so far: `w -= learning_rate * g / (sqrt(accumulator) + epsilon)`.

    A sparse gradient costs the rows it has, and rare rows keep a large step.

    Defaults are those of TensorFlow Java's `AdaGrad`, which has no `epsilon`. Keras' `Adagrad` starts at 0.1 and adds 1e-7, though
    under the root.

    Slots: `accumulator`, at first `initial_accumulator_value`.

    Source: Duchi, Hazan and Singer, Adaptive Subgradient Methods for Online Learning and Stochastic Optimization (2011).
    """

    _rowwise: ClassVar[bool] = True

    def __init__(
        self,
        graph: Graph,
        learning_rate: LearningRate = 0.001,
        initial_accumulator_value: float = 0.01,
        epsilon: float = 0.0,
        **options: Unpack[Options],
    ) -> None:
        """AdaGrad on `graph`; see `Optimizer` for the options and errors."""
        self._initial = at_least_zero("initial_accumulator_value", initial_accumulator_value)
        self._epsilon = at_least_zero("epsilon", epsilon)
        if not self._initial and not self._epsilon:
            raise AttributeValueError(
                "initial_accumulator_value and epsilon must not both be 0: a gradient of 0 would be divided by 0"
            )
        super().__init__(graph, learning_rate, **options)

    def _slots(self) -> dict[str, float]:
        return {"accumulator": self._initial}

    def _dense(self, update: Update, grad: AnyOperand) -> Sequence[Op]:
        epsilon = update.constant("epsilon", self._epsilon)
        accumulator = update.slot("accumulator")
        return [
            ResourceApplyAdagrad.create(update.scope, update.handle, accumulator, update.learning_rate, epsilon, grad)
        ]

    def _sparse(self, update: Update, grad: IndexedSlices[Any, Any]) -> Sequence[Op]:
        rows = update.unique(grad)
        return [
            ResourceSparseApplyAdagradV2.create(
                update.scope,
                update.handle,
                update.slot("accumulator"),
                update.learning_rate,
                update.constant("epsilon", self._epsilon),
                rows.values,
                rows.indices,
            )
        ]


@final
class AdaGradDA(Optimizer):
    """AdaGrad by dual averaging: each step computes the variable anew from the sum of all gradients, whatever it was before.

    With the sum `g` of the gradients, the sum `s` of their squares and the step's number t, the variable becomes
    `-sign(g) * max(abs(g) - t * l1, 0) * learning_rate / (t * learning_rate * l2 + sqrt(s))`. The penalty `l1` makes many elements
    exactly zero. As the variable's initial value has no influence, this is for linear models that start at zero.

    Parameters and defaults are those of TensorFlow Java's `AdaGradDA`; Keras has none. Steps are counted from 1, as TensorFlow's
    Python does.

    Slots: `gradient_accumulator` and `gradient_squared_accumulator`; the optimizer counts its steps in `iterations`.

    Source: Duchi, Hazan and Singer, Adaptive Subgradient Methods for Online Learning and Stochastic Optimization (2011).
    """

    def __init__(
        self,
        graph: Graph,
        learning_rate: LearningRate = 0.001,
        initial_accumulator_value: float = 0.1,
        l1_strength: float = 0.0,
        l2_strength: float = 0.0,
        **options: Unpack[Options],
    ) -> None:
        """AdaGradDA on `graph`; see `Optimizer` for the options and errors."""
        self._initial = positive("initial_accumulator_value", initial_accumulator_value)
        self._l1 = at_least_zero("l1_strength", l1_strength)
        self._l2 = at_least_zero("l2_strength", l2_strength)
        super().__init__(graph, learning_rate, **options)

    def _slots(self) -> dict[str, float]:
        return {"gradient_accumulator": 0.0, "gradient_squared_accumulator": self._initial}

    def _numbers(self, update: Update) -> tuple[AnyOperand, AnyOperand, AnyOperand, AnyOperand]:
        return (
            update.learning_rate,
            update.constant("l1_strength", self._l1),
            update.constant("l2_strength", self._l2),
            update.step.number_as_int(),
        )

    def _dense(self, update: Update, grad: AnyOperand) -> Sequence[Op]:
        slots = update.slot("gradient_accumulator"), update.slot("gradient_squared_accumulator")
        return [ResourceApplyAdagradDa.create(update.scope, update.handle, *slots, grad, *self._numbers(update))]

    def _sparse(self, update: Update, grad: IndexedSlices[Any, Any]) -> Sequence[Op]:
        rows = update.unique(grad)
        slots = update.slot("gradient_accumulator"), update.slot("gradient_squared_accumulator")
        return [
            ResourceSparseApplyAdagradDa.create(
                update.scope, update.handle, *slots, rows.values, rows.indices, *self._numbers(update)
            )
        ]
