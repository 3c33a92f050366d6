"""What code does that is followed on trial, and how it is undone."""

from __future__ import annotations

import collections
from argparse import Namespace
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from functools import partial
from types import CellType, FunctionType, MethodType, ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from typegrad.dry_run.known.arrays import StandIn
from typegrad.dry_run.source.expressions import MACHINE
from typegrad.dry_run.tracking.code import assigned_outside

if TYPE_CHECKING:
    from typegrad.dry_run.tracking.core import Core

__all__ = ["Undo", "undone"]

_STATE: Final = (
    "any_passes", "called", "changes", "doubts", "graphs", "guesses", "loops", "muted", "open_lists", "sessions",
    "skips", "steps", "tries", "unfollowed",
)  # fmt: skip
"""What a machine knows of what it follows."""
_CHANGED: Final = (
    collections.deque, dict, list, set, np.ndarray, FunctionType, MethodType, Namespace, SimpleNamespace,
)  # fmt: skip
"""What a program may change, besides its own modules and the objects of its own classes."""
_OF_FUNCTION: Final = ("__defaults__", "__kwdefaults__")
"""The attributes of functions that calls depend on."""
_MISSING: Final = object()


class Undo:
    """How objects were before they were changed."""

    def __init__(self, is_own: Callable[[type], bool]) -> None:
        """`is_own` tells whether a class is the program's own."""
        self._is_own = is_own
        self._restores: dict[object, tuple[object, list[Callable[[], object]]]] = {}
        """What restores each object, by its identity, and each name of a module, by this and that of the module."""
        self.iterators: list[object] = []
        """The iterators that are made."""

    def note(self, value: Any) -> None:
        """Remember how an object is, if it is the first time; of several objects, each."""
        if type(value) in (list, tuple):
            for each in value:
                self.note(each)
        if isinstance(value, (collections.ChainMap, collections.UserDict, collections.UserList)):
            self.note(value.maps if isinstance(value, collections.ChainMap) else value.data)
        kind = value if isinstance(value, type) else type(value)
        is_changed = (isinstance(value, _CHANGED) and not isinstance(value, StandIn)) or self._is_own(kind)
        is_changed |= isinstance(value, ModuleType) and MACHINE in vars(value)
        if is_changed and id(value) not in self._restores:
            self._restores[id(value)] = value, list(_restores(value))

    def note_graphs(self, graphs: Sequence[Any]) -> None:
        """Remember how graphs are, which something may be added to."""
        for each in graphs:
            if id(each) not in self._restores:
                self._restores[id(each)] = each, list(_of_graph(each))

    def note_names(self, names: dict[str, Any], name: str) -> None:
        """Remember the value of a name of a module."""
        self._restores.setdefault((id(names), name), (names, [partial(_bind, names, name, names.get(name, _MISSING))]))

    def undo(self) -> None:
        """Make all objects what they were."""
        for _, restores in reversed(self._restores.values()):
            for each in restores:
                each()
        self._restores.clear()


@contextmanager
def undone(machine: Core) -> Generator[None]:
    """Follow code whose effects are undone at the end."""
    tainted = machine.tainted
    before = {name: copy(getattr(machine, name)) for name in _STATE}
    saved, outer, tainted.undo = tainted.saved(), tainted.undo, Undo(machine.is_users_class)
    restores = [owner.on_trial() for owner in machine.sessions]
    try:
        yield
    finally:
        tainted.undo.undo()
        for each in restores:
            each()
        tainted.undo = outer
        tainted.restore(saved)
        for name, value in before.items():
            setattr(machine, name, value)


def _restores(value: Any) -> Iterator[Callable[[], object]]:
    """What makes an object what it is now."""
    if isinstance(value, (list, collections.deque, dict, set)):
        yield partial(_refill, value, copy(value))
    elif isinstance(value, np.ndarray):
        yield partial(_rewrite, value, value.shape, value.copy())
    elif isinstance(value, MethodType):
        yield from _restores(value.__func__)
    elif isinstance(value, FunctionType):
        yield from _of_function(value)
    elif isinstance(value, type):
        yield partial(_redefine, value, dict(vars(value)))
    else:
        yield from _of_attributes(value)


def _of_attributes(value: Any) -> Iterator[Callable[[], object]]:
    yield partial(_reclass, value, type(value))
    attributes = getattr(value, "__dict__", None)
    if isinstance(attributes, dict):
        yield partial(_refill, attributes, dict(attributes))
    for class_ in type(value).__mro__:
        slots = vars(class_).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__") and hasattr(vars(class_).get(name), "__set__"):
                yield partial(_reset, value, name, getattr(value, name, _MISSING))


def _of_function(function: FunctionType) -> Iterator[Callable[[], object]]:
    """What restores a function of the program, and the names outside it that it assigns."""
    yield from (partial(setattr, function, name, getattr(function, name)) for name in _OF_FUNCTION)
    yield from _of_attributes(function)
    names, cells = assigned_outside(function)
    for name in names:
        yield partial(_bind, function.__globals__, name, function.__globals__.get(name, _MISSING))
    for cell in cells:
        yield partial(_fill, cell, _contents(cell))


def _of_graph(graph: Any) -> Iterator[Callable[[], object]]:
    yield partial(graph.withdraw, len(graph))
    for each in vars(graph).values():
        if isinstance(each, (list, dict)):
            yield partial(_refill, each, copy(each))


def _refill(container: Any, items: Any) -> None:
    if isinstance(container, list):
        container[:] = items
        return
    container.clear()
    if isinstance(container, collections.deque):
        container.extend(items)
    else:
        container.update(items)


def _rewrite(array: Any, shape: tuple[int, ...], values: Any) -> None:
    if array.shape != shape:
        array.shape = shape
    if array.flags.writeable:
        array[...] = values


def _redefine(class_: type, attributes: dict[str, Any]) -> None:
    now = dict(vars(class_))
    for name in now.keys() - attributes.keys():
        delattr(class_, name)
    for name, value in attributes.items():
        if now.get(name, _MISSING) is not value:
            setattr(class_, name, value)


def _reclass(owner: Any, class_: type) -> None:
    if type(owner) is not class_:
        object.__setattr__(owner, "__class__", class_)


def _reset(owner: Any, name: str, value: Any) -> None:
    if value is not _MISSING:
        object.__setattr__(owner, name, value)
    elif hasattr(owner, name):
        object.__delattr__(owner, name)


def _bind(names: dict[str, Any], name: str, value: Any) -> None:
    if value is _MISSING:
        names.pop(name, None)
    else:
        names[name] = value


def _contents(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return _MISSING


def _fill(cell: CellType, value: Any) -> None:
    if value is not _MISSING:
        cell.cell_contents = value
