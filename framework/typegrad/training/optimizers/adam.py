"""Adam and its relatives: AdamW, AMSGrad, Adamax, Nadam."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, final

from typing_extensions import Unpack

from typegrad.base.types import TFloat64
from typegrad.functions.casting import as_type
from typegrad.graph.graph import Graph
from typegrad.graph.operand import Operand
from typegrad.graph.wrapper import Op
from typegrad.training.optimizers.checks import at_least_zero, unit
from typegrad.training.optimizers.optimizer import ByRule, Change, CommonOptions, Options, average
from typegrad.training.optimizers.step import Floats, LearningRate, Step, Update

__all__ = ["AMSGrad", "Adam", "AdamW", "Adamax", "Nadam"]

_NADAM_DECAY: Final = 0.96
"""How fast Nadam's momentum approaches `beta_1`."""


class Adam(ByRule):
    """Steps along the moving average of the gradient, `m`, divided by the root of its mean square, `v`.

    `m` has the decay `beta_1` and `v` the decay `beta_2`. Both start at zero, and the steps correct that bias:
    `w -= learning_rate * sqrt(1 - beta_2 ** t) / (1 - beta_1 ** t) * m / (sqrt(v) + epsilon)` at step t = 1, 2, ...

    Parameters and defaults follow TensorFlow Java's `Adam`; Keras' `epsilon` is 1e-7.

    Slots: `m` and `v`; the optimizer counts its steps in `iterations`.

    Source: Kingma and Ba, Adam: A Method for Stochastic Optimization (2014).
    """

    def __init__(
        self,
        graph: Graph,
        learning_rate: LearningRate = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-8,
        **options: Unpack[Options],
    ) -> None:
        """Adam on `graph`; see `Optimizer` for the options and errors."""
        self._beta_1 = unit("beta_1", beta_1)
        self._beta_2 = unit("beta_2", beta_2)
        self._epsilon = at_least_zero("epsilon", epsilon)
        super().__init__(graph, learning_rate, **options)

    def _slots(self) -> dict[str, float]:
        return {"m": 0.0, "v": 0.0}

    def _numbers(self, update: Update) -> tuple[Floats, Floats, Floats, Floats, Floats, Floats]:
        """The scalars that the operations take, from the powers to `epsilon`."""
        return (
            update.power("beta_1", self._beta_1),
            update.power("beta_2", self._beta_2),
            update.learning_rate,
            update.constant("beta_1", self._beta_1),
            update.constant("beta_2", self._beta_2),
            update.constant("epsilon", self._epsilon),
        )

    def _dense(self, update: Update, grad: Floats) -> Sequence[Op]:
        slots = update.slot("m"), update.slot("v")
        return [update.tf.train.resource_apply_adam(update.handle, *slots, *self._numbers(update), grad)]

    def _rule(self, update: Update, grad: Floats, slots: Mapping[str, Floats]) -> Change:
        math = update.tf.math
        power_1, power_2, rate, beta_1, beta_2, epsilon = self._numbers(update)
        new = {"m": average(slots["m"], grad, beta_1), "v": average(slots["v"], math.square(grad), beta_2)}
        if "vhat" in slots:
            new["vhat"] = math.maximum(slots["vhat"], new["v"])
        alpha = rate * math.sqrt(1.0 - power_2) / (1.0 - power_1)
        return new["m"] * alpha / (math.sqrt(new.get("vhat", new["v"])) + epsilon), new


@final
class AdamW(Adam):
    """`Adam` with decoupled weight decay: each step also subtracts `learning_rate * weight_decay * w`.

    Parameters follow Keras' `AdamW`; defaults follow `Adam`, and Keras for `weight_decay`.

    Source: Loshchilov and Hutter, Decoupled Weight Decay Regularization (2017).
    """

    def __init__(
        self,
        graph: Graph,
        learning_rate: LearningRate = 0.001,
        weight_decay: float = 0.004,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-8,
        **options: Unpack[CommonOptions],
    ) -> None:
        """AdamW on `graph`; see `Optimizer` for the options and errors."""
        super().__init__(graph, learning_rate, beta_1, beta_2, epsilon, weight_decay=weight_decay, **options)


@final
class AMSGrad(Adam):
    """`Adam` with the largest `v` so far, `vhat`, in place of `v`, so that a falling `v` never makes steps grow.

    Keras' `Adam(amsgrad=True)`. Slots: `m`, `v` and `vhat`.

    Source: Reddi, Kale and Kumar, On the Convergence of Adam and Beyond (2018).
    """

    def _slots(self) -> dict[str, float]:
        return {"m": 0.0, "v": 0.0, "vhat": 0.0}

    def _dense(self, update: Update, grad: Floats) -> Sequence[Op]:
        slots = update.slot("m"), update.slot("v"), update.slot("vhat")
        inputs = *slots, *self._numbers(update), grad
        return [update.tf.train.resource_apply_adam_with_amsgrad(update.handle, *inputs)]


@final
class Adamax(ByRule):
    """Steps along the moving average of the gradient, `m`, divided by its largest recent absolute value, `v`.

    `v = max(beta_2 * v, abs(g))` and `w -= learning_rate / (1 - beta_1 ** t) * m / (v + epsilon)` at step t = 1, 2, ...

    Parameters and defaults follow Keras' and TensorFlow Java's `Adamax`.

    Slots: `m` and `v`; the optimizer counts its steps in `iterations`.

    Source: Kingma and Ba, Adam: A Method for Stochastic Optimization (2014), section 7.
    """

    def __init__(
        self,
        graph: Graph,
        learning_rate: LearningRate = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-7,
        **options: Unpack[Options],
    ) -> None:
        """Adamax on `graph`; see `Optimizer` for the options and errors."""
        self._beta_1 = unit("beta_1", beta_1)
        self._beta_2 = unit("beta_2", beta_2)
        self._epsilon = at_least_zero("epsilon", epsilon)
        super().__init__(graph, learning_rate, **options)

    def _slots(self) -> dict[str, float]:
        return {"m": 0.0, "v": 0.0}

    def _numbers(self, update: Update) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        return (
            update.power("beta_1", self._beta_1),
            update.learning_rate,
            update.constant("beta_1", self._beta_1),
            update.constant("beta_2", self._beta_2),
            update.constant("epsilon", self._epsilon),
        )

    def _dense(self, update: Update, grad: Floats) -> Sequence[Op]:
        slots = update.slot("m"), update.slot("v")
        return [update.tf.train.resource_apply_ada_max(update.handle, *slots, *self._numbers(update), grad)]

    def _rule(self, update: Update, grad: Floats, slots: Mapping[str, Floats]) -> Change:
        power, rate, beta_1, beta_2, epsilon = self._numbers(update)
        m, v = average(slots["m"], grad, beta_1), update.tf.math.maximum(beta_2 * slots["v"], abs(grad))
        return rate / (1.0 - power) * (m / (v + epsilon)), {"m": m, "v": v}


@final
class Nadam(ByRule):
    """`Adam` with Nesterov momentum, which looks one step ahead and grows along a schedule towards `beta_1`.

    At step t the momentum is `u(t) = beta_1 * (1 - 0.96 ** t / 2)`. The product of all momenta so far, `u_product`,
    corrects the bias of averages that start at zero:
    `w -= learning_rate * (u(t+1) * m / (1 - u_product * u(t+1)) + (1 - u(t)) * g / (1 - u_product)) / (sqrt(v / (1 -
    beta_2 ** t)) + epsilon)`.

    The schedule is Keras'; TensorFlow Java's and PyTorch's `Nadam` have `0.004 * t` in place of t. Parameters and
    defaults are TensorFlow Java's; Keras' `epsilon` is 1e-7. Slots: `m` and `v`; the optimizer counts its steps in
    `iterations` and keeps the product in `u_product`.

    Source: Dozat, Incorporating Nesterov Momentum into Adam (2016).
    """

    def __init__(
        self,
        graph: Graph,
        learning_rate: LearningRate = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-8,
        **options: Unpack[Options],
    ) -> None:
        """Nadam on `graph`; see `Optimizer` for the options and errors."""
        self._beta_1 = unit("beta_1", beta_1)
        self._beta_2 = unit("beta_2", beta_2)
        self._epsilon = at_least_zero("epsilon", epsilon)
        super().__init__(graph, learning_rate, **options)

    def _slots(self) -> dict[str, float]:
        return {"m": 0.0, "v": 0.0}

    def _schedule(self, step: Step) -> tuple[Operand[TFloat64], Operand[TFloat64], Operand[TFloat64]]:
        """The momenta of this step and of the next, and the product of all up to this one."""
        with step.scope.with_sub_scope("momentum") as scope:
            now, following = (
                self._beta_1 * (1.0 - 0.5 * _NADAM_DECAY**number) for number in (step.number(), step.number() + 1.0)
            )
            product = step.state.own("u_product", 1.0, TFloat64).read(scope)
            return now, following, product * now

    def _weights(self, step: Step) -> tuple[Operand[TFloat64], Operand[TFloat64]]:
        """The factors of `m` and of the gradient, without the learning rate."""
        now, following, product = step.shared("momentum", lambda: self._schedule(step))
        with step.scope.with_sub_scope("weights"):
            return following / (1.0 - product * following), (1.0 - now) / (1.0 - product)

    def _rule(self, update: Update, grad: Floats, slots: Mapping[str, Floats]) -> Change:
        weights = update.step.shared("weights", lambda: self._weights(update.step))
        of_m, of_grad = (as_type(update.scope, weight, grad.dtype) for weight in weights)
        beta_1, beta_2 = update.constant("beta_1", self._beta_1), update.constant("beta_2", self._beta_2)
        m, v = average(slots["m"], grad, beta_1), average(slots["v"], update.tf.math.square(grad), beta_2)
        mean_square = v / (1.0 - update.power("beta_2", self._beta_2))
        scale = update.tf.math.sqrt(mean_square) + update.constant("epsilon", self._epsilon)
        return (of_m * m + of_grad * grad) * update.learning_rate / scale, {"m": m, "v": v}

    def _finish(self, step: Step) -> Sequence[Op]:
        _, _, product = step.shared("momentum", lambda: self._schedule(step))
        return [step.state.own("u_product", 1.0, TFloat64).assign(step.scope.with_name("next_u_product"), product)]
