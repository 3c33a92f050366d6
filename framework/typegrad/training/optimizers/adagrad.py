"""AdaGrad, also by dual averaging, and AdaDelta."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, final

from typing_extensions import Unpack

from typegrad.base.errors import AttributeValueError
from typegrad.base.types import TFloating
from typegrad.graph.graph import Graph
from typegrad.graph.indexed_slices import IndexedSlices
from typegrad.graph.wrapper import Op
from typegrad.training.optimizers.checks import at_least_zero, positive, unit
from typegrad.training.optimizers.optimizer import Optimizer, Options
from typegrad.training.optimizers.step import Floats, LearningRate, Update

__all__ = ["AdaDelta", "AdaGrad", "AdaGradDA"]


@final
class AdaGrad(Optimizer):
    """`w -= learning_rate * g / (sqrt(accumulator) + epsilon)`, where the accumulator sums the squares of g.

    The cost of a sparse gradient is proportional to its rows, and rare rows keep a large step.

    Defaults follow TensorFlow Java's `AdaGrad`, which has no `epsilon`. Keras' `Adagrad` starts at 0.1 and adds 1e-7,
    but under the root.

    Slots: `accumulator`, initially `initial_accumulator_value`.

    Source: Duchi, Hazan and Singer, Adaptive Subgradient Methods for Online Learning and Stochastic Optimization
    (2011).
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

    def _dense(self, update: Update, grad: Floats) -> Sequence[Op]:
        epsilon = update.constant("epsilon", self._epsilon)
        accumulator = update.slot("accumulator")
        rate = update.learning_rate
        return [update.tf.train.resource_apply_adagrad(update.handle, accumulator, rate, epsilon, grad)]

    def _sparse(self, update: Update, grad: IndexedSlices[TFloating]) -> Sequence[Op]:
        rows = update.unique(grad)
        return [
            update.tf.train.resource_sparse_apply_adagrad_v2(
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
    """AdaGrad by dual averaging: each step computes the variable from the sum of all gradients, not from its value.

    With the sum `g` of the gradients, the sum `s` of their squares and the step's number t, the variable becomes
    `-sign(g) * max(abs(g) - t * l1, 0) * learning_rate / (t * learning_rate * l2 + sqrt(s))`. The penalty `l1` makes
    many elements exactly zero. The variable's initial value has no influence, so this is for linear models that start
    at zero.

    Parameters and defaults follow TensorFlow Java's `AdaGradDA`; Keras has none. Steps are counted from 1, as
    TensorFlow's Python does.

    Slots: `gradient_accumulator` and `gradient_squared_accumulator`; the optimizer counts its steps in `iterations`.

    Source: Duchi, Hazan and Singer, Adaptive Subgradient Methods for Online Learning and Stochastic Optimization
    (2011).
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

    def _numbers(self, update: Update) -> tuple[Floats, Floats, Floats]:
        return (
            update.learning_rate,
            update.constant("l1_strength", self._l1),
            update.constant("l2_strength", self._l2),
        )

    def _dense(self, update: Update, grad: Floats) -> Sequence[Op]:
        slots = update.slot("gradient_accumulator"), update.slot("gradient_squared_accumulator")
        numbers, count = self._numbers(update), update.step.number_as_int()
        return [update.tf.train.resource_apply_adagrad_da(update.handle, *slots, grad, *numbers, count)]

    def _sparse(self, update: Update, grad: IndexedSlices[TFloating]) -> Sequence[Op]:
        rows = update.unique(grad)
        slots = update.slot("gradient_accumulator"), update.slot("gradient_squared_accumulator")
        inputs = *slots, rows.values, rows.indices, *self._numbers(update), update.step.number_as_int()
        return [update.tf.train.resource_sparse_apply_adagrad_da(update.handle, *inputs)]


@final
class AdaDelta(Optimizer):
    """Scales the gradient by the ratio of two root mean squares: of recent steps and of recent gradients.

    `accum` is the moving average of the squared gradient, `accum_update` of the squared step
    `sqrt(accum_update + epsilon) / sqrt(accum + epsilon) * g`; both have the decay `rho`. The variable moves by
    `learning_rate` times the step; in the paper the rate is 1.

    Defaults follow Keras' `Adadelta` and TensorFlow Java's `AdaDelta`. Slots: `accum` and `accum_update`, initially
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

    def _numbers(self, update: Update) -> tuple[Floats, Floats, Floats]:
        return (update.learning_rate, update.constant("rho", self._rho), update.constant("epsilon", self._epsilon))

    def _dense(self, update: Update, grad: Floats) -> Sequence[Op]:
        slots = update.slot("accum"), update.slot("accum_update")
        return [update.tf.train.resource_apply_adadelta(update.handle, *slots, *self._numbers(update), grad)]

    def _sparse(self, update: Update, grad: IndexedSlices[TFloating]) -> Sequence[Op]:
        rows = update.unique(grad)
        slots = update.slot("accum"), update.slot("accum_update")
        inputs = *slots, *self._numbers(update), rows.values, rows.indices
        return [update.tf.train.resource_sparse_apply_adadelta(update.handle, *inputs)]
