"""Objects whose attributes do not change: scopes, nodes, graphs, sessions, optimizers. What to write instead."""

from __future__ import annotations

from types import new_class
from typing import Any, Final, TypeVar, cast

from typegrad.arguments.unknown import UnknownNameError
from typegrad.base.errors import FixedAttributeError

__all__ = ["NO_OTHER_RATE", "draft", "fixed_attribute"]

_C = TypeVar("_C", bound=type[Any])

_WITH_NAME: Final = 'scope.with_name("y")'
_ANOTHER_RATE: Final = (
    "what is built keeps its rate. Give the optimizer a variable as its rate, made with trainable=False: "
    "session.assign(rate, 0.01) changes it between steps"
)
NO_OTHER_RATE: Final = f"`learning_rate` of an optimizer cannot be set; {_ANOTHER_RATE}"
_REMEDIES: Final = {
    ("Graph", "seed"): "write tg.Graph(seed=1), or create operations in scope.with_seed(1)",
    ("Operation", "control_inputs"): "create it in scope.with_control_dependencies([op])",
    ("Operation", "device"): 'create it in scope.with_device("/cpu:0")',
    ("Operation", "name"): f"create it in {_WITH_NAME}",
    ("Optimizer", "learning_rate"): _ANOTHER_RATE,
    ("Scope", "control_inputs"): "write scope.with_control_dependencies([op])",
    ("Scope", "device"): 'write scope.with_device("/cpu:0")',
    ("Scope", "name"): f"write {_WITH_NAME}",
    ("Scope", "path"): 'write scope.with_sub_scope("layer")',
    ("Scope", "seed"): "write scope.with_seed(3)",
    ("Variable", "name"): f"create it in {_WITH_NAME}",
    ("Variable", "trainable"): (
        "write Variable.create(scope, value, trainable=False), or minimize(loss, var_list=[...]) with what is to learn"
    ),
}
"""By the class and the attribute: how to get an object with another one."""


def fixed_attribute(self: Any, name: str, value: object) -> None:
    """The `__setattr__` of such a class, hidden from type checkers, which know it from `Final` and properties.

    A slot is set once, and a private attribute at any time. A class derived by a user adds attributes of its own.
    """
    cls = type(self)
    is_own = cls.__module__.partition(".")[0] == __name__.partition(".")[0]
    if name.startswith("_") or (not hasattr(self, name) and (hasattr(cls, name) or not is_own)):
        object.__setattr__(self, name, value)
    elif hasattr(cls, name) or _is_parameter(cls, name):
        raise FixedAttributeError(f"`{name}` of {_shown(self)} cannot be set; {_remedy(cls, name)}")
    else:
        raise UnknownNameError(cls, name)


def draft(cls: _C) -> _C:
    """A class of objects that are not complete yet: `__init__` sets their attributes, then it makes them a `cls`.

    To ask `fixed_attribute` for each of them would take longer than all else in it.
    """
    free = {"__slots__": (), "__module__": cls.__module__, "__setattr__": object.__setattr__}
    return cast("_C", new_class(cls.__name__, (cls,), exec_body=lambda names: names.update(free)))


def _is_parameter(cls: type, name: str) -> bool:
    """Whether an attribute has the name of an argument with which such objects are made."""
    from typegrad.arguments.guarding import kind_in

    return kind_in(cls, name) is not None


def _shown(value: object) -> str:
    shown = repr(value)
    return shown if shown.startswith("<") and " at 0x" not in shown else type(value).__name__


def _remedy(cls: type, name: str) -> str:
    of_bases = (_REMEDIES.get((base.__name__, name)) for base in cls.__mro__)
    return next(filter(None, of_bases), f"it is what this {cls.__name__} was made with; make another one")
