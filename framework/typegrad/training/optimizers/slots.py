"""`Slots`: the variables that hold an optimizer's state, for each trained variable and for the optimizer itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, final

from typegrad.base.errors import GraphError
from typegrad.base.types import TType
from typegrad.graph.scope import Scope
from typegrad.graph.variable import AnyVariable, Variable
from typegrad.op._ops import Ops

__all__ = ["Slots"]


@final
class Slots:
    """Makes variables that no optimizer trains, and finds them again.

    As variables of the graph, they are saved like all others.
    """

    def __init__(self, owner: Scope, initial: Mapping[str, float]) -> None:
        """`owner` is the scope of the optimizer; `initial` has the initial value of each slot."""
        self._owner: Final = owner
        self._top: Final = Scope(owner.graph)
        self._initial: Final = initial
        self._slots: dict[AnyVariable, dict[str, AnyVariable]] = {}
        self._own: dict[str, AnyVariable] = {}

    @property
    def names(self) -> list[str]:
        """The names of the slots of each variable."""
        return list(self._initial)

    @property
    def variables(self) -> list[AnyVariable]:
        """All that were made so far."""
        return [*(slot for slots in self._slots.values() for slot in slots.values()), *self._own.values()]

    def of(self, variable: AnyVariable) -> Mapping[str, AnyVariable]:
        """The slots of `variable`, called `variable/optimizer/slot`; made on first use."""
        if variable not in self._slots:
            prefix = f"{variable.name}/{self._owner.path}"
            self._slots[variable] = {
                name: self._filled(f"{prefix}/{name}", variable, value) for name, value in self._initial.items()
            }
        return self._slots[variable]

    def get(self, variable: AnyVariable, name: str) -> AnyVariable:
        """The slot `name` of `variable`; a `GraphError` if there is none."""
        if name not in self._initial:
            known = ", ".join(self._initial) or "none"
            raise GraphError(f"{self._owner.path} keeps no slot {name!r}; its slots are: {known}")
        if variable not in self._slots:
            raise GraphError(
                f"{self._owner.path} has no slots for '{variable.name}' yet; minimize or apply_gradients makes them"
            )
        return self._slots[variable][name]

    def own(self, name: str, value: float, dtype: type[TType]) -> Variable[Any, tuple[()]]:
        """A scalar that all variables share, called `optimizer/name`; made on first use."""
        if name not in self._own:
            scope = self._top.with_name(f"{self._owner.path}/{name}")
            self._own[name] = Variable.create(scope, value, dtype, trainable=False)
        return self._own[name]

    def _filled(self, name: str, variable: AnyVariable, value: float) -> AnyVariable:
        """A variable of the same shape and type; the session that initializes it fills it, so the graph stays small."""
        tf = Ops.create(self._top.with_name(f"{name}/initial_value"))
        sizes = variable.shape.as_ints() if variable.shape.is_static else tf.shape(variable.read(tf.scope))
        filled = tf.fill(sizes, tf.constant(value, variable.dtype))
        return Variable.create(self._top.with_name(name), filled, trainable=False)
