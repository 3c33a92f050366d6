"""The common parts of the updates in one training step: the learning rate, the step's number, constants."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias, cast, final

import numpy as np
from typing_extensions import TypeVar

from typegrad.base.errors import DTypeError
from typegrad.base.types import TFloat64, TFloating, TInt64, TResource
from typegrad.functions.casting import as_type
from typegrad.functions.rows import sum_duplicates
from typegrad.graph.indexed_slices import IndexedSlices
from typegrad.graph.operand import AnyOperand, F, Operand
from typegrad.graph.scope import Scope
from typegrad.graph.variable import AnyVariable, Variable
from typegrad.graph.wrapper import Op
from typegrad.op._ops import Ops
from typegrad.training.optimizers.checks import fits, floating_scalar
from typegrad.training.optimizers.schedules import NO_OPERAND, Schedule
from typegrad.training.optimizers.slots import Slots

__all__ = ["Floats", "LearningRate", "Step", "Update"]

V = TypeVar("V")

Floats: TypeAlias = Operand[TFloating]
"""An operand of a floating-point type; in an update, of the variable's type."""

LearningRate: TypeAlias = float | np.floating[Any] | AnyOperand | Schedule
"""A number, a scalar that the graph computes, or a schedule (`typegrad.training.optimizers.schedules`)."""


@final
class Step:
    """One call of `apply_gradients`. Everything is read before anything is written."""

    def __init__(
        self, scope: Scope, learning_rate: LearningRate, state: Slots, global_step: AnyVariable | None
    ) -> None:
        """A schedule gets `global_step` if there is one, else the count of steps in `state`."""
        self.scope: Final = scope
        self.state: Final = state
        self._rate = learning_rate
        self._global_step = global_step
        self._made: dict[object, object] = {}
        if not isinstance(learning_rate, (int, float)):
            self.shared("learning_rate", self._varying_rate)

    def shared(self, key: object, make: Callable[[], V]) -> V:
        """The result of `make`, which is called once for all variables of the step."""
        if key not in self._made:
            self._made[key] = make()
        return cast("V", self._made[key])

    def finish(self) -> list[Op]:
        """The operations that increment the counts of steps."""
        one = self.scope.with_name("next")
        counts = [self._iterations()] if "taken" in self._made else []
        if self._global_step is not None:
            counts.append(self._global_step)
        return [count.assign_add(one, 1) for count in counts]

    def _iterations(self) -> Variable[TInt64, tuple[()]]:
        return self.state.own("iterations", 0, TInt64)

    def _earlier_steps(self) -> Operand[TInt64, tuple[()]]:
        """The number of steps that the optimizer took before this one."""
        return self.shared("taken", lambda: self._iterations().read(self.scope.with_name("taken")))

    def number(self) -> Operand[TFloat64]:
        """The number of this step, counted from 1, as a double."""

        def make() -> Operand[TFloat64]:
            with self.scope:
                return as_type(self.scope, self._earlier_steps(), TFloat64) + 1.0

        return self.shared("number", make)

    def number_as_int(self) -> Operand[TInt64]:
        """The number of this step, counted from 1, as an int64."""

        def make() -> Operand[TInt64]:
            with self.scope:
                return self._earlier_steps() + 1

        return self.shared("number_as_int", make)

    def _varying_rate(self) -> AnyOperand:
        rate = self._rate
        if not isinstance(rate, Operand):
            assert callable(rate)
            count = self._earlier_steps() if self._global_step is None else self._global_step.read(self.scope)
            with self.scope:
                rate = rate(self.scope, count)
            if not isinstance(rate, Operand):
                raise DTypeError(f"learning_rate: {NO_OPERAND}")
        return floating_scalar("learning_rate", rate)

    def learning_rate(self, dtype: type[F]) -> Operand[F]:
        """The learning rate as a scalar of `dtype`."""
        if isinstance(self._rate, (int, float)):
            return self.constant("learning_rate", self._rate, dtype)
        rate = self.shared("learning_rate", self._varying_rate)
        return self.shared(("learning_rate", dtype), lambda: as_type(self.scope, rate, dtype))

    def constant(self, name: str, value: float, dtype: type[F]) -> Operand[F]:
        """`value` as a scalar of `dtype`, unless it loses its meaning there."""
        rounded = fits(name, value, dtype)
        return self.shared(
            (name, value, dtype), lambda: Ops.create(self.scope.with_name(name)).constant(rounded, dtype)
        )

    def power(self, name: str, base: float, dtype: type[F]) -> Operand[F]:
        """`base`, rounded to `dtype` as in the update, to the power of the step's number, in double precision."""
        rounded = fits(name, base, dtype)

        def make() -> Operand[F]:
            number = self.number()
            with self.scope.with_name(f"{name}_power"):
                return as_type(self.scope, rounded**number, dtype)

        return self.shared(("power", base, dtype), make)


@final
class Update:
    """The update of one variable within a step: scope, scalars of the variable's type, handles of its slots."""

    def __init__(self, step: Step, scope: Scope, variable: AnyVariable, slots: Mapping[str, AnyVariable]) -> None:
        """The update of `variable`, whose operations go into `scope`."""
        self.step: Final = step
        self.tf: Final = Ops.create(scope)
        self.variable: Final = variable
        self.slots: Final = slots
        self._unique: IndexedSlices[TFloating] | None = None

    @property
    def scope(self) -> Scope:
        """The scope of the update's operations."""
        return self.tf.scope

    @property
    def handle(self) -> Operand[TResource]:
        """The handle of the variable."""
        return self.variable.handle

    def slot(self, name: str) -> Operand[TResource]:
        """The handle of a slot."""
        return self.slots[name].handle

    @property
    def learning_rate(self) -> Floats:
        """The learning rate."""
        return self.step.learning_rate(self.variable.dtype)

    def constant(self, name: str, value: float) -> Floats:
        """A number, called `name` in errors and in the graph."""
        return self.step.constant(name, value, self.variable.dtype)

    def power(self, name: str, base: float) -> Floats:
        """`base` to the power of the step's number."""
        return self.step.power(name, base, self.variable.dtype)

    def unique(self, grad: IndexedSlices[TFloating]) -> IndexedSlices[TFloating]:
        """The variable's gradient with each row once, made on first use."""
        if self._unique is None:
            self._unique = sum_duplicates(self.scope, grad)
        return self._unique
