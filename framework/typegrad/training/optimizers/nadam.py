"""Nadam: Adam with Nesterov's momentum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, final

from typing_extensions import Unpack

from typegrad.base.types import TFloat64
from typegrad.graph.graph import Graph
from typegrad.graph.wrapper import Op
from typegrad.training.optimizers.by_rule import ByRule, Change
from typegrad.training.optimizers.checks import at_least_zero, unit
from typegrad.training.optimizers.formula import Formula
from typegrad.training.optimizers.optimizer import Options
from typegrad.training.optimizers.step import AnyOperand, LearningRate, Step, Update

__all__ = ["Nadam"]

_DECAY: Final = 0.96


@final
class Nadam(ByRule):
    """`Adam` with a momentum that looks one step ahead, and that grows along a schedule towards `beta_1`.

    At step t the momentum is `u(t) = beta_1 * (1 - 0.96 ** t / 2)`. The product of those so far, `u_product`, corrects the averages
    for their start at zero: `w -= learning_rate * (u(t+1) * m / (1 - u_product * u(t+1)) + (1 - u(t)) * g / (1 - u_product)) /
    (sqrt(v / (1 - beta_2 ** t)) + epsilon)`.

    The schedule is that of Keras' `Nadam`; TensorFlow Java's and PyTorch's has `0.004 * t` in place of t. Parameters and defaults are
    those of TensorFlow Java's; Keras' `epsilon` is 1e-7. Slots: `m` and `v`; the optimizer counts its steps in `iterations` and keeps
    the product in `u_product`.

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

    def _schedule(self, step: Step) -> tuple[AnyOperand, AnyOperand, AnyOperand]:
        """The momentum of this step and of the next, and the product of those until this one."""
        f = Formula(step.scope.with_sub_scope("momentum"), TFloat64)
        now, following = (self._momentum(f, number) for number in (step.number(), f.add(step.number(), 1.0)))
        product = step.state.own("u_product", 1.0, TFloat64).read(f.scope)
        return now, following, f.mul(product, now)

    def _momentum(self, f: Formula, number: AnyOperand) -> AnyOperand:
        return f.mul(self._beta_1, f.sub(1.0, f.mul(0.5, f.pow(_DECAY, number))))

    def _weights(self, step: Step) -> tuple[AnyOperand, AnyOperand]:
        """What `m` and the gradient count for, before the learning rate."""
        now, following, product = step.shared("momentum", lambda: self._schedule(step))
        f = Formula(step.scope.with_sub_scope("weights"), TFloat64)
        return (
            f.div(following, f.sub(1.0, f.mul(product, following))),
            f.div(f.sub(1.0, now), f.sub(1.0, product)),
        )

    def _rule(self, update: Update, f: Formula, grad: AnyOperand, slots: Mapping[str, AnyOperand]) -> Change:
        of_m, of_grad = update.step.shared("weights", lambda: self._weights(update.step))
        beta_1, beta_2 = update.constant("beta_1", self._beta_1), update.constant("beta_2", self._beta_2)
        new = {"m": f.mix(slots["m"], grad, beta_1), "v": f.mix(slots["v"], f.square(grad), beta_2)}
        direction = f.add(f.mul(of_m, new["m"]), f.mul(of_grad, grad))
        mean_square = f.div(new["v"], f.sub(1.0, update.power("beta_2", self._beta_2)))
        scale = f.add(f.sqrt(mean_square), update.constant("epsilon", self._epsilon))
        return f.div(f.mul(direction, update.learning_rate), scale), new

    def _finish(self, step: Step) -> Sequence[Op]:
        _, _, product = step.shared("momentum", lambda: self._schedule(step))
        return [step.state.own("u_product", 1.0, TFloat64).assign(step.scope.with_name("next_u_product"), product)]
