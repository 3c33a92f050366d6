"""Adam, with decoupled weight decay, and with a second moment that never falls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import final

from typing_extensions import Unpack

from typegrad.graph.graph import Graph
from typegrad.graph.wrapper import Op
from typegrad.op.train import ResourceApplyAdam, ResourceApplyAdamWithAmsgrad
from typegrad.training.optimizers.by_rule import ByRule, Change
from typegrad.training.optimizers.checks import at_least_zero, unit
from typegrad.training.optimizers.formula import Formula
from typegrad.training.optimizers.optimizer import CommonOptions, Options
from typegrad.training.optimizers.step import AnyOperand, LearningRate, Update

__all__ = ["AMSGrad", "Adam", "AdamW"]


class Adam(ByRule):
    """Steps along the average of the gradient, `m`, divided by the root of the average of its square, `v`.

    `m` keeps `beta_1` and `v` keeps `beta_2` of itself at each step. Both start at zero, which the first steps make up for:
    `w -= learning_rate * sqrt(1 - beta_2 ** t) / (1 - beta_1 ** t) * m / (sqrt(v) + epsilon)` at step t = 1, 2, ...

    Parameters and defaults are those of TensorFlow Java's `Adam`; Keras' `epsilon` is 1e-7.

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

    def _numbers(self, update: Update) -> tuple[AnyOperand, AnyOperand, AnyOperand, AnyOperand, AnyOperand, AnyOperand]:
        """The scalars that the operations take, from the powers to `epsilon`."""
        return (
            update.power("beta_1", self._beta_1),
            update.power("beta_2", self._beta_2),
            update.learning_rate,
            update.constant("beta_1", self._beta_1),
            update.constant("beta_2", self._beta_2),
            update.constant("epsilon", self._epsilon),
        )

    def _dense(self, update: Update, grad: AnyOperand) -> Sequence[Op]:
        slots = update.slot("m"), update.slot("v")
        return [ResourceApplyAdam.create(update.scope, update.handle, *slots, *self._numbers(update), grad)]

    def _rule(self, update: Update, f: Formula, grad: AnyOperand, slots: Mapping[str, AnyOperand]) -> Change:
        power_1, power_2, rate, beta_1, beta_2, epsilon = self._numbers(update)
        new = {"m": f.mix(slots["m"], grad, beta_1), "v": f.mix(slots["v"], f.square(grad), beta_2)}
        if "vhat" in slots:
            new["vhat"] = f.maximum(slots["vhat"], new["v"])
        alpha = f.div(f.mul(rate, f.sqrt(f.sub(1.0, power_2))), f.sub(1.0, power_1))
        scale = f.add(f.sqrt(new.get("vhat", new["v"])), epsilon)
        return f.div(f.mul(new["m"], alpha), scale), new


@final
class AdamW(Adam):
    """`Adam` whose weights decay by `weight_decay` times the learning rate at each step, beside the gradient rather than in it.

    Parameters are those of Keras' `AdamW`; the defaults are those of `Adam`, and Keras' for `weight_decay`.

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
    """`Adam` divided by the root of the largest `v` so far, `vhat`, so that the steps never grow on that account.

    Keras' `Adam(amsgrad=True)`. Slots: `m`, `v` and `vhat`.

    Source: Reddi, Kale and Kumar, On the Convergence of Adam and Beyond (2018).
    """

    def _slots(self) -> dict[str, float]:
        return {"m": 0.0, "v": 0.0, "vhat": 0.0}

    def _dense(self, update: Update, grad: AnyOperand) -> Sequence[Op]:
        slots = update.slot("m"), update.slot("v"), update.slot("vhat")
        return [ResourceApplyAdamWithAmsgrad.create(update.scope, update.handle, *slots, *self._numbers(update), grad)]
