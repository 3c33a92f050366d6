"""Lion: steps of one size, in the direction of a sign."""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

from typing_extensions import Unpack

from typegrad.base.errors import AttributeValueError
from typegrad.graph.graph import Graph
from typegrad.training.optimizers.by_rule import ByRule, Change
from typegrad.training.optimizers.checks import unit
from typegrad.training.optimizers.formula import Formula
from typegrad.training.optimizers.optimizer import Options
from typegrad.training.optimizers.step import AnyOperand, LearningRate, Update

__all__ = ["Lion"]


@final
class Lion(ByRule):
    """Moves every element by the learning rate: `w -= learning_rate * sign(beta_1 * m + (1 - beta_1) * g)`.

    The average `m` of the gradient keeps `beta_2` of itself. Steps are larger than Adam's, so the learning rate should be some three
    to ten times smaller. Parameters and defaults are those of Keras' `Lion`. Slots: `m`.

    Source: Chen et al., Symbolic Discovery of Optimization Algorithms (2023).
    """

    def __init__(
        self,
        graph: Graph,
        learning_rate: LearningRate = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.99,
        **options: Unpack[Options],
    ) -> None:
        """Lion on `graph`; see `Optimizer` for the options and errors."""
        if unit("beta_1", beta_1) == 0:
            raise AttributeValueError("beta_1 must be more than 0: with 0, Lion only follows the sign of the gradient")
        self._beta_1 = beta_1
        self._beta_2 = unit("beta_2", beta_2)
        super().__init__(graph, learning_rate, **options)

    def _slots(self) -> dict[str, float]:
        return {"m": 0.0}

    def _rule(self, update: Update, f: Formula, grad: AnyOperand, slots: Mapping[str, AnyOperand]) -> Change:
        beta_1, beta_2 = update.constant("beta_1", self._beta_1), update.constant("beta_2", self._beta_2)
        m = slots["m"]
        direction = f.sign(f.add(f.mul(m, beta_1), f.mul(grad, f.sub(1.0, beta_1))))
        return f.mul(update.learning_rate, direction), {"m": f.add(f.mul(m, beta_2), f.mul(grad, f.sub(1.0, beta_2)))}
