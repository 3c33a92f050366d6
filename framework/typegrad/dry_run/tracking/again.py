"""What functions of a program may have changed that others call any number of times, such as callbacks.

Only the first call is followed. What later ones may change, these functions change somewhere by its name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from typegrad.dry_run.known.unsized import Many
from typegrad.dry_run.source.private_names import parsed
from typegrad.dry_run.source.state import State
from typegrad.dry_run.source.trees import Nodes
from typegrad.dry_run.tracking.code import cells_of, read_by
from typegrad.dry_run.tracking.memory import CONTAINERS

if TYPE_CHECKING:
    from typegrad.dry_run.tracking.core import Core

__all__ = ["body_of", "forget_changes", "gives_away"]


def body_of(machine: Core, function: Any) -> Any:
    """What is called in the place of an object of the program: the method `__call__` of its class."""
    is_object = callable(function) and not isinstance(function, type) and machine.is_users_class(type(function))
    return type(function).__call__ if is_object else function


def forget_changes(machine: Core, functions: Sequence[Any], changes: Sequence[object]) -> None:
    """Forget what functions have changed, and may change when they are called again."""
    bodies = [body_of(machine, each) for each in functions]
    objects = {id(each) for each, body in zip(functions, bodies, strict=True) if body is not each}
    for each in changes:
        if id(each) in objects:  # what is in it is among the changes itself
            machine.tainted.lose_moved(each)
    machine.tainted.add_changes([*bodies, *(each for each in changes if id(each) not in objects)])
    for function, body in zip(functions, bodies, strict=True):
        plain = getattr(body, "__func__", body)
        if isinstance(plain, FunctionType) and machine.is_users(plain):
            _Again(machine, plain, getattr(function, "__self__", function)).forget()


def gives_away(machine: Core, function: FunctionType) -> bool:
    """Whether who calls a function of the program may get what was made elsewhere, and so may change it."""
    place = function.__code__.co_name, function.__code__.co_firstlineno
    found: list[Any] = [getattr(each, "value", each) for each in _functions(tuple(machine.texts)).get(place, ())]
    return not found or any(map(machine.program_state.gives_away, found))


class _Again:
    """What a function may change when it is called again."""

    def __init__(self, machine: Core, function: FunctionType, owner: object) -> None:
        self._machine = machine
        self._names: set[str] = set()
        self._seen: dict[int, object] = {}
        """The functions that it calls, and the objects whose methods these may be, by identity."""
        self._spaces: list[Mapping[str, Any]] = []
        """Where names have values."""
        waiting: list[object] = [function, owner]
        while waiting:
            for each in waiting:
                self._look_at(each)
            waiting = [value for _, value in self._read() if id(value) not in self._seen]

    def _look_at(self, value: Any) -> None:
        self._seen[id(value)] = value
        if isinstance(value, FunctionType) and self._machine.is_users(value):
            self._names |= read_by(value)
            self._spaces += [value.__globals__, cells_of(value)]
        elif self._machine.is_users_class(type(value)):
            self._spaces += _attributes(value)

    def _read(self) -> Iterator[tuple[str, Any]]:
        """The names that are read, also of attributes, with all that may have them."""
        for space in self._spaces:
            yield from ((name, space[name]) for name in self._names & space.keys())

    def forget(self) -> None:
        """Forget it: lists and arrays by the names by which they are changed, and attributes that are assigned."""
        tainted, texts = self._machine.tainted, tuple(self._machine.texts)
        functions = [each for each in self._seen.values() if isinstance(each, FunctionType)]
        codes = [each.__code__ for each in functions]
        bodies = [body for each in codes for body in _functions(texts).get((each.co_name, each.co_firstlineno), ())]
        state = State(Nodes([ast.Module(bodies, [])]))
        tainted.add_changes(functions)
        for name, value in [*self._read()]:
            is_changed = name in state.arrays if isinstance(value, np.ndarray) else state.may_change(name)
            if isinstance(value, (*CONTAINERS, Many, np.ndarray)) and is_changed:
                tainted.add_moved(value)
        self._forget_attributes(state)

    def _forget_attributes(self, state: State) -> None:
        """Forget those that are assigned; an object may have got one that none has so far."""
        objects = [each for each in self._seen.values() if self._machine.is_users_class(type(each))]
        assigned = [set[str]().union(*_attributes(each)).intersection(state.attributes) for each in objects]
        is_any = state.is_open or not set[str]().union(*assigned).issuperset(state.attributes)
        for each, names in zip(objects, assigned, strict=True):
            if names or is_any:
                self._machine.tainted.lose_moved(each)


@lru_cache(maxsize=1)
def _functions(texts: tuple[str, ...]) -> Mapping[tuple[str, int], Sequence[ast.stmt]]:
    """The functions of some modules, by name and first line."""
    found: dict[tuple[str, int], list[ast.stmt]] = {}
    for node in (each for text in texts for each in ast.walk(parsed(text))):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found.setdefault((node.name, node.lineno), []).append(node)
        elif isinstance(node, ast.Lambda):
            found.setdefault(("<lambda>", node.lineno), []).append(ast.Expr(node))
    return found


def _attributes(value: object) -> list[Mapping[str, Any]]:
    """The attributes of an object, and those of its class."""
    return [getattr(value, "__dict__", {}), *map(vars, type(value).__mro__)]
