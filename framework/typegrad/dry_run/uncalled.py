"""Functions and methods that nothing in a program calls: errors that each call raises with arguments as declared.

They are followed on trial, like branches whose condition is not known, and so is what they find in the program's state.
"""

from __future__ import annotations

import ast
import inspect
from abc import ABCMeta
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from types import FunctionType, ModuleType
from typing import Any, Final

from typegrad.base.errors import GraphError
from typegrad.dry_run.functions.declared_arguments import (
    declared_arguments,
    is_annotated,
    methods_of,
    plain_fields,
)
from typegrad.dry_run.functions.instead import instead_of
from typegrad.dry_run.known.open_shapes import OPEN_GRAPHS
from typegrad.dry_run.known.unknown import UNKNOWN, Base, UncertainError
from typegrad.dry_run.machine import Machine
from typegrad.dry_run.source.trees import nodes_of
from typegrad.dry_run.tracking.core import NOWHERE, Failure, OutOfTimeError
from typegrad.graph.graph import Graph
from typegrad.session.session import Session

__all__ = ["failures_of_uncalled"]

_CATCHING: Final = frozenset(("assertRaises", "assertRaisesRegex", "raises", "suppress"))
"""The context managers in which an error is expected."""
_STEPS: Final = 500
"""How many calls are followed in one of them: an unknown argument may make it call itself without an end."""
_TEST: Final = "test"
"""With what the names of tests begin, which are called as pytest does it, or not at all."""


def failures_of_uncalled(machine: Machine, module: ModuleType) -> Iterator[Failure]:
    """The errors of functions and methods of a module, where nothing calls them; one of each line."""
    machine.renew_steps()
    told: set[tuple[str, int]] = set()
    allowed = _names_to_follow(machine.trees)
    for call in _calls(machine, module, allowed):
        try:
            _, error = machine.on_trial(call, vars(module), _STEPS)
        except OutOfTimeError:  # any name may have been bound
            return
        failure = machine.failure_of(error)
        if failure is None or not failure.frames or isinstance(failure.error, GraphError):
            continue  # one of two graphs is where the operands that a call passes are from
        place = failure.frames[0].file, failure.frames[0].line
        if place not in told:
            told.add(place)
            yield failure


def _calls(machine: Machine, module: ModuleType, is_allowed: Callable[[str], bool]) -> Iterator[Callable[[], object]]:
    """What calls each of them."""
    for name, value in [*vars(module).items()]:
        if not isinstance(value, (FunctionType, type)) or value.__name__ != name or not is_allowed(name):
            continue
        if value.__module__ != module.__name__ or name.casefold().startswith(_TEST):
            continue
        if isinstance(value, FunctionType):
            if not _is_called(machine, value) and not hasattr(value, "__wrapped__") and is_annotated(value):
                yield partial(_call, machine, value)
        elif _is_followed(machine, value):
            methods = [each for each in methods_of(value) if is_annotated(each, 1)]
            yield from (partial(_call_method, machine, value, each) for each in methods)
            if not methods:
                yield partial(_make, machine, value)


def _is_called(machine: Machine, function: FunctionType) -> bool:
    """Whether the program calls a function, or it is not the one that has the name in the program."""
    return function.__code__ in machine.called or function.__code__.co_name != function.__name__


def _is_followed(machine: Machine, class_: type) -> bool:
    """Whether nothing makes objects of a class, and it is one of which objects are made."""
    is_plain = type(class_) in (type, ABCMeta) and not issubclass(class_, (Base, BaseException, tuple, type))
    if not is_plain or inspect.isabstract(class_) or class_.__subclasses__() or getattr(class_, "_is_protocol", False):
        return False
    functions = [each for each in vars(class_).values() if isinstance(each, FunctionType)]
    made = _init(class_)
    is_own = isinstance(made, FunctionType)
    return not any(each.__code__ in machine.called for each in functions) and (
        is_annotated(made, 1) if is_own else made is object.__init__
    )


def _call(machine: Machine, function: FunctionType) -> None:
    args, kwargs = _Arguments(machine).of(function, 0)
    machine.call(NOWHERE, function, *args, **kwargs)


def _make(machine: Machine, class_: type) -> None:
    _made(machine, class_, _Arguments(machine))


def _call_method(machine: Machine, class_: type, method: FunctionType) -> None:
    arguments = _Arguments(machine)
    made = _made(machine, class_, arguments)
    args, kwargs = arguments.of(method, 1)
    machine.call(NOWHERE, method, made, *args, **kwargs)


def _made(machine: Machine, class_: type, arguments: _Arguments) -> Any:
    """An object of a class, which may be derived from."""
    machine.changed(class_)
    for name in [*plain_fields(class_)]:
        setattr(class_, name, UNKNOWN)
    init = _init(class_)
    args, kwargs = ([], {}) if init is object.__init__ else arguments.of(init, 1)
    made = machine.call(NOWHERE, class_, *args, **kwargs)
    if made is UNKNOWN:
        raise UncertainError
    return made


def _init(class_: type) -> Any:
    return getattr(class_, "__init__")  # noqa: B009  # which is unsound for types, but not for this class


class _Arguments:
    """Arguments of one graph, which may be any."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._graph = Graph()
        machine.graphs.append(self._graph)
        machine.open_ones += 1
        OPEN_GRAPHS.add(self._graph)

    def of(self, function: Any, owned: int) -> tuple[Sequence[Any], dict[str, Any]]:
        """What a function is called with, besides the object that a method is of."""
        count = len(self._graph)
        arguments = declared_arguments(function, owned, self._graph, self._session)
        self._machine.openings.add(self._graph.operations[count:])
        return arguments

    def _session(self) -> Any:
        """A session of which it is not known which variables have values."""
        session = self._machine.call(NOWHERE, instead_of(Session), self._graph)
        session.restore(UNKNOWN)
        return session


def _names_to_follow(trees: Sequence[ast.Module]) -> Callable[[str], bool]:
    """Whether nothing but calls reads a name, outside code that expects errors."""
    nodes = nodes_of(*trees)
    called = {id(each.func) for each in nodes if isinstance(each, ast.Call)}
    names = [each for each in nodes if isinstance(each, ast.Name)]
    read = {each.id for each in names if isinstance(each.ctx, ast.Load) and id(each) not in called}
    expecting = (each for node in nodes if _expects_errors(node) for each in nodes_of(node))
    read.update(each.id for each in expecting if isinstance(each, ast.Name))
    return lambda name: name not in read


def _expects_errors(node: ast.AST) -> bool:
    if isinstance(node, (ast.With, ast.AsyncWith)):
        names = (getattr(each, "attr", getattr(each, "id", "")) for each in nodes_of(*node.items))
        return not _CATCHING.isdisjoint(names)
    return isinstance(node, (ast.Try, ast.TryStar)) and bool(node.handlers)
