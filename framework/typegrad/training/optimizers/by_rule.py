"""Optimizers whose rule is a formula: for whole variables and for rows of them, where TensorFlow has no operation of its own."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from typegrad.functions.rows import gather, replace_rows, subtract_rows
from typegrad.graph.indexed_slices import IndexedSlices
from typegrad.graph.wrapper import Op
from typegrad.training.optimizers.formula import Formula
from typegrad.training.optimizers.optimizer import Optimizer
from typegrad.training.optimizers.step import AnyOperand, Update

__all__ = ["ByRule", "Change"]

Change: TypeAlias = tuple[AnyOperand, Mapping[str, AnyOperand]]
"""What to subtract from the variable, and the new values of the slots."""


class ByRule(Optimizer):
    """An optimizer whose rule works element by element, so that it can be applied to some of the rows."""

    @abstractmethod
    def _rule(self, update: Update, f: Formula, grad: AnyOperand, slots: Mapping[str, AnyOperand]) -> Change:
        """The change that a gradient makes, and the slots after it. All slots are of the gradient's shape."""

    def _dense(self, update: Update, grad: AnyOperand) -> Sequence[Op]:
        slots = {name: slot.read(update.scope) for name, slot in update.slots.items()}
        change, new = self._rule(update, update.formula(), grad, slots)
        moved = [update.slots[name].assign(update.scope, value) for name, value in new.items()]
        return [*moved, update.variable.assign_sub(update.scope, change)]

    def _sparse(self, update: Update, grad: IndexedSlices[Any, Any]) -> Sequence[Op]:
        unique = update.unique(grad)
        rows = unique.indices
        slots = {name: gather(update.scope, slot, rows) for name, slot in update.slots.items()}
        change, new = self._rule(update, update.formula(), unique.values, slots)
        moved = [replace_rows(update.scope, update.slots[name], rows, value) for name, value in new.items()]
        return [*moved, subtract_rows(update.scope, update.variable, rows, change)]
