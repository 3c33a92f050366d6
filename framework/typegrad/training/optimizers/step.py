"""What the updates of one training step have in common: the learning rate, the step's number, constants."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias, final

from typegrad.base.types import TFloat64, TInt64, TResource, TType
from typegrad.functions.rows import sum_duplicates
from typegrad.graph.indexed_slices import IndexedSlices
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.graph.tensors import constant
from typegrad.graph.variable import Variable
from typegrad.graph.wrapper import Op
from typegrad.training.optimizers.checks import fits, floating_scalar
from typegrad.training.optimizers.formula import AnyOperand, Formula
from typegrad.training.optimizers.schedules import Schedule
from typegrad.training.optimizers.slots import Slots

__all__ = ["AnyOperand", "LearningRate", "Step", "Update"]

LearningRate: TypeAlias = float | Operand[Any, Any] | Schedule
"""A number, a scalar that the graph computes, or a schedule (`typegrad.training.optimizers.schedules`)."""


@final
class Step:
    """One call of `apply_gradients`. All that it reads is read before anything is written."""

    def __init__(
        self, scope: Scope, learning_rate: LearningRate, state: Slots, global_step: Variable[Any, Any] | None
    ) -> None:
        """A schedule goes by `global_step` if there is one, else by the count of steps in `state`."""
        self.scope: Final = scope
        self.state: Final = state
        self._rate = learning_rate
        self._global_step = global_step
        self._made: dict[object, Any] = {}
        if not isinstance(learning_rate, (int, float)):
            self.shared("learning_rate", self._varying_rate)

    def shared(self, key: object, make: Callable[[], Any]) -> Any:
        """What `make` makes, once for all variables of the step."""
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]

    def finish(self) -> list[Op]:
        """The operations that move on the counts of steps that were used."""
        one = self.scope.with_name("next")
        counts = [self.state.own("iterations", 0, TInt64)] if "taken" in self._made else []
        if self._global_step is not None:
            counts.append(self._global_step)
        return [count.assign_add(one, 1) for count in counts]

    def _taken(self) -> AnyOperand:
        """How many steps the optimizer took before this one, int64."""
        scope = self.scope.with_name("taken")
        found: AnyOperand = self.shared("taken", lambda: self.state.own("iterations", 0, TInt64).read(scope))
        return found

    def number(self) -> AnyOperand:
        """The number of this step, counted from 1, as a double."""
        formula = Formula(self.scope, TFloat64)
        found: AnyOperand = self.shared("number", lambda: formula.add(self._taken(), 1.0))
        return found

    def number_as_int(self) -> AnyOperand:
        """The number of this step, counted from 1, as an int64."""
        formula = Formula(self.scope, TInt64)
        found: AnyOperand = self.shared(
            "number_as_int", lambda: formula.add(self._taken(), constant(self.scope, 1, TInt64))
        )
        return found

    def _varying_rate(self) -> AnyOperand:
        rate = self._rate
        if not isinstance(rate, Operand):
            assert callable(rate)
            taken = self._taken() if self._global_step is None else self._global_step.read(self.scope)
            with self.scope:
                rate = rate(self.scope, taken)
        return floating_scalar("learning_rate", rate)

    def learning_rate(self, dtype: type[TType]) -> AnyOperand:
        """The learning rate as a scalar of `dtype`."""
        if isinstance(self._rate, (int, float)):
            return self.constant("learning_rate", self._rate, dtype)
        rate = self.shared("learning_rate", self._varying_rate)
        found: AnyOperand = self.shared(("learning_rate", dtype), lambda: Formula(self.scope, dtype).term(rate))
        return found

    def constant(self, name: str, value: float, dtype: type[TType]) -> AnyOperand:
        """`value` as a scalar of `dtype`, unless it loses its meaning there."""
        rounded = fits(name, value, dtype)
        found: AnyOperand = self.shared(
            (name, value, dtype), lambda: constant(self.scope.with_name(name), rounded, dtype)
        )
        return found

    def power(self, name: str, base: float, dtype: type[TType]) -> AnyOperand:
        """`base`, rounded to `dtype` as the update rule sees it, to the power of the step's number: computed in double precision."""
        rounded = fits(name, base, dtype)
        formula = Formula(self.scope.with_name(f"{name}_power"), TFloat64)
        found: AnyOperand = self.shared(
            ("power", base, dtype), lambda: Formula(self.scope, dtype).term(formula.pow(rounded, self.number()))
        )
        return found


@final
class Update:
    """The update of one variable within a step: scope, scalars of the variable's type, handles of its slots."""

    def __init__(
        self, step: Step, scope: Scope, variable: Variable[Any, Any], slots: Mapping[str, Variable[Any, Any]]
    ) -> None:
        """The update of `variable`, whose operations go into `scope`."""
        self.step: Final = step
        self.scope: Final = scope
        self.variable: Final = variable
        self.slots: Final = slots
        self._unique: IndexedSlices[Any, Any] | None = None

    @property
    def handle(self) -> Operand[TResource, Any]:
        """The handle of the variable."""
        return self.variable.handle

    def slot(self, name: str) -> Operand[TResource, Any]:
        """The handle of a slot."""
        return self.slots[name].handle

    @property
    def learning_rate(self) -> AnyOperand:
        """The learning rate."""
        return self.step.learning_rate(self.variable.dtype)

    def constant(self, name: str, value: float) -> AnyOperand:
        """A number, called `name` in errors and in the graph."""
        return self.step.constant(name, value, self.variable.dtype)

    def power(self, name: str, base: float) -> AnyOperand:
        """`base` to the power of the step's number."""
        return self.step.power(name, base, self.variable.dtype)

    def formula(self) -> Formula:
        """Arithmetic in this scope, in the variable's type."""
        return Formula(self.scope, self.variable.dtype)

    def unique(self, grad: IndexedSlices[Any, Any]) -> IndexedSlices[Any, Any]:
        """The variable's gradient with each row once, made when it is first asked for."""
        if self._unique is None:
            self._unique = sum_duplicates(self.scope, grad)
        return self._unique
