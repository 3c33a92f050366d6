"""Adamax: Adam with the maximum in place of the mean square."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import final

from typing_extensions import Unpack

from typegrad.graph.graph import Graph
from typegrad.graph.wrapper import Op
from typegrad.op.train import ResourceApplyAdaMax
from typegrad.training.optimizers.by_rule import ByRule, Change
from typegrad.training.optimizers.checks import at_least_zero, unit
from typegrad.training.optimizers.formula import Formula
from typegrad.training.optimizers.optimizer import Options
from typegrad.training.optimizers.step import AnyOperand, LearningRate, Update

__all__ = ["Adamax"]


@final
class Adamax(ByRule):
    """Steps along the average of the gradient, `m`, divided by its largest absolute value of late, `v`.

    `v` is the larger of `beta_2 * v` and the gradient's absolute value; `w -= learning_rate / (1 - beta_1 ** t) * m / (v + epsilon)`.

    Parameters and defaults are those of Keras' and TensorFlow Java's `Adamax`.

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

    def _numbers(self, update: Update) -> tuple[AnyOperand, AnyOperand, AnyOperand, AnyOperand, AnyOperand]:
        return (
            update.power("beta_1", self._beta_1),
            update.learning_rate,
            update.constant("beta_1", self._beta_1),
            update.constant("beta_2", self._beta_2),
            update.constant("epsilon", self._epsilon),
        )

    def _dense(self, update: Update, grad: AnyOperand) -> Sequence[Op]:
        slots = update.slot("m"), update.slot("v")
        return [ResourceApplyAdaMax.create(update.scope, update.handle, *slots, *self._numbers(update), grad)]

    def _rule(self, update: Update, f: Formula, grad: AnyOperand, slots: Mapping[str, AnyOperand]) -> Change:
        power, rate, beta_1, beta_2, epsilon = self._numbers(update)
        new = {"m": f.mix(slots["m"], grad, beta_1), "v": f.maximum(f.mul(beta_2, slots["v"]), f.abs(grad))}
        return f.mul(f.div(rate, f.sub(1.0, power)), f.div(new["m"], f.add(new["v"], epsilon))), new
