"""Functions and methods that nothing in a program calls: errors that each call raises with arguments as declared.

They are followed on trial, like branches whose condition is not known, and so is what they find in the program's state.
"""

from __future__ import annotations

import ast
import inspect
from abc import ABCMeta
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from functools import partial
from types import FunctionType, GeneratorType, ModuleType
from typing import Any, Final, TypeAlias

from typegrad.base.errors import GraphError
from typegrad.dry_run.choices import Way, unavoidable
from typegrad.dry_run.flow.decisions import Choice, Decide
from typegrad.dry_run.functions.declared_arguments import (
    DeclaredArguments,
    generator_for,
    is_annotated,
    is_of_graph,
    methods_of,
    plain_fields,
    plain_function,
    takes_rests,
    with_named_rests,
)
from typegrad.dry_run.functions.instead import instead_of
from typegrad.dry_run.known.open_shapes import OPEN_GRAPHS
from typegrad.dry_run.known.unknown import UNKNOWN, Base, UncertainError
from typegrad.dry_run.machine import Machine
from typegrad.dry_run.source.trees import Nodes, nodes_of
from typegrad.dry_run.tracking.core import NOWHERE, Failure, OutOfTimeError
from typegrad.dry_run.tracking.memory import CACHED
from typegrad.graph.graph import Graph
from typegrad.session.session import Session

__all__ = ["DeclaredFixtures", "failures_of_uncalled"]

_CATCHING: Final = frozenset(("assertRaises", "assertRaisesRegex", "raises", "suppress"))
"""The context managers in which an error is expected."""
_STEPS: Final = 500
"""How many calls are followed in one of them: an unknown argument may make it call itself without an end."""
_Call: TypeAlias = Callable[[DeclaredArguments], object]
_DISPLAYS: Final = (ast.Dict, ast.List, ast.Set, ast.Tuple)
"""What has functions that the program chooses from."""
_TEST: Final = "test"
"""With what the names of tests begin, which are called as pytest does it, or not at all."""


class DeclaredFixtures:
    """What is known of the arguments of a test for which its file has no fixtures: they are of one graph."""

    def __init__(self, machine: Machine, module: ModuleType) -> None:
        self._machine = machine
        self._module = module
        self._arguments: DeclaredArguments | None = None

    def __call__(self, function: FunctionType, name: str) -> Any:
        """What a test, or a fixture, declares of one."""
        if not is_of_graph(function, name):
            return generator_for(function, name)
        if self._arguments is None:
            self._arguments = _arguments(self._machine, self._module, 0)
        graph = self._arguments.graph
        count = len(graph)
        value = self._arguments.named(function, name)
        self._machine.openings.add(graph.operations[count:])
        return value

    def may_refute(self, error: Exception) -> bool:
        """Whether an error may be none with what pytest passes: of another graph, or another element type."""
        made = self._arguments
        return made is not None and (isinstance(error, GraphError) or made.choices > 1)


def failures_of_uncalled(machine: Machine, module: ModuleType) -> Iterator[Failure]:
    """The errors of functions and methods of a module, where nothing calls them; one of each line."""
    machine.renew_steps()
    told: set[tuple[str, int]] = set()
    allowed = _names_to_follow(machine.nodes)
    open_calls: list[tuple[_Call, Collection[Choice]]] = []
    try:  # any name may have been bound
        for call in _calls(machine, module, allowed):
            failure = _failure(partial(_followed, machine, module, call))
            if failure is None and machine.choices:
                open_calls.append((call, machine.choices))
            yield from _told_once(failure, told)
        machine.renew_steps()
        for call, choices in open_calls:
            yield from _told_once(_failure(partial(_unavoidable, machine, module, call, choices)), told)
    except OutOfTimeError:
        return


def _told_once(failure: Failure | None, told: set[tuple[str, int]]) -> Iterator[Failure]:
    """An error of a line of which none was told."""
    if failure is not None and _place(failure) not in told:
        told.add(_place(failure))
        yield failure


def _failure(follow: Callable[[int], tuple[Failure | None, int]]) -> Failure | None:
    """The error that a call raises for all element types that type variables may stand for."""
    first, choices = follow(0)
    for choice in range(1, choices if first is not None else 0):
        other, _ = follow(choice)
        if first is None or other is None or _place(other) != _place(first):
            return None
    return first


def _unavoidable(
    machine: Machine, module: ModuleType, call: _Call, choices: Collection[Choice], choice: int
) -> tuple[Failure | None, int]:
    """The same of an error to which a call comes whichever way it goes."""
    counts = [0]

    def follow(decide: Decide) -> Way:
        failure, count = _followed(machine, module, call, choice, decide)
        counts.append(count)
        return Way(failure, False, machine.choices)

    return unavoidable(follow, choices, _STEPS), max(counts)


def _followed(
    machine: Machine, module: ModuleType, call: _Call, choice: int, decide: Decide = lambda _: None
) -> tuple[Failure | None, int]:
    """The error of a call with one choice of element types, and how many choices there are."""
    machine.begin_way(decide, is_on_trial=True)
    given: list[DeclaredArguments] = []

    def follow() -> None:
        given.append(_arguments(machine, module, choice))
        call(given[0])

    _, error = machine.on_trial(follow, vars(module), _STEPS)
    failure = machine.failure_of(error)
    if failure is None or not failure.frames or isinstance(failure.error, GraphError):
        return None, 0  # one of two graphs is where the operands that a call passes are from
    return failure, given[0].choices


def _place(failure: Failure) -> tuple[str, int]:
    return failure.frames[0].file, failure.frames[0].line


def _calls(machine: Machine, module: ModuleType, is_allowed: Callable[[str], bool]) -> Iterator[_Call]:
    """What calls each of them."""
    for name, value in [*vars(module).items()]:
        if not isinstance(value, (FunctionType, CACHED, type)) or value.__name__ != name or not is_allowed(name):
            continue
        if value.__module__ != module.__name__ or name.casefold().startswith(_TEST):
            continue
        if not isinstance(value, type):
            function = plain_function(value, machine.is_users)
            if function is not None and not _is_called(machine, function) and is_annotated(function):
                yield partial(_called, machine, function, ())
        elif _is_followed(machine, value):
            found = ((plain_function(member, machine.is_users), owner) for member, owner in methods_of(value))
            methods = [(each, owner) for each, owner in found if each is not None and is_annotated(each, bool(owner))]
            yield from (partial(_call_method, machine, value, each, owner) for each, owner in methods)
            if not methods:
                yield partial(_made, machine, value)


def _is_called(machine: Machine, function: FunctionType) -> bool:
    """Whether the program calls a function, or it is not the one that has the name in the program."""
    return function.__code__ in machine.called or function.__code__.co_name != function.__name__


def _is_followed(machine: Machine, class_: type) -> bool:
    """Whether nothing makes objects of a class, and it is one of which objects are made."""
    is_plain = type(class_) in (type, ABCMeta) and not issubclass(class_, (Base, BaseException, tuple, type))
    if not is_plain or inspect.isabstract(class_) or class_.__subclasses__() or getattr(class_, "_is_protocol", False):
        return False
    members = [*vars(class_).values(), *(each for each, _ in methods_of(class_))]
    functions = [plain_function(each, machine.is_users) for each in members]
    made = _init(class_)
    is_own = isinstance(made, FunctionType)
    return not any(each is not None and each.__code__ in machine.called for each in functions) and (
        is_annotated(made, 1) and not takes_rests(made) if is_own else made is object.__init__
    )


def _call_method(
    machine: Machine, class_: type, method: FunctionType, owner: str, arguments: DeclaredArguments
) -> None:
    made = _made(machine, class_, arguments)
    _called(machine, method, {"object": (made,), "class": (class_,)}.get(owner, ()), arguments)


def _called(machine: Machine, function: FunctionType, owner: tuple[Any, ...], arguments: DeclaredArguments) -> None:
    """Call a function, and take what it yields."""
    args, kwargs = _given(machine, arguments, function, len(owner))
    machine.rewrite(function)
    made = machine.call(NOWHERE, with_named_rests(function), *owner, *args, **kwargs)
    if isinstance(made, GeneratorType):
        with suppress(StopIteration):
            made.send(None)
            for _ in range(_STEPS):
                made.send(UNKNOWN)


def _made(machine: Machine, class_: type, arguments: DeclaredArguments) -> Any:
    """An object of a class, which may be derived from."""
    machine.changed(class_)
    for name in [*plain_fields(class_)]:
        setattr(class_, name, UNKNOWN)
    init = _init(class_)
    args, kwargs = ([], {}) if init is object.__init__ else _given(machine, arguments, init, 1)
    made = machine.call(NOWHERE, class_, *args, **kwargs)
    if made is UNKNOWN:
        raise UncertainError
    return made


def _init(class_: type) -> Any:
    return getattr(class_, "__init__")  # noqa: B009  # which is unsound for types, but not for this class


def _given(machine: Machine, arguments: DeclaredArguments, function: Any, owned: int) -> Any:
    """What a function is called with, by position and by name, besides the object that a method is of."""
    graph = arguments.graph
    count = len(graph)
    given = arguments.of(function, owned)
    machine.openings.add(graph.operations[count:])
    return given


def _arguments(machine: Machine, module: ModuleType, choice: int) -> DeclaredArguments:
    """Arguments of one graph, which may be any."""
    graph = Graph()
    machine.graphs.append(graph)
    machine.open_ones += 1
    OPEN_GRAPHS.add(graph)

    def session() -> Any:
        """A session of which it is not known which variables have values."""
        made = machine.call(NOWHERE, instead_of(Session), graph)
        made.restore(UNKNOWN)
        return made

    return DeclaredArguments(graph, session, vars(module), choice)


def _names_to_follow(nodes: Nodes) -> Callable[[str], bool]:
    """Whether nothing but calls and displays reads a name, and the former outside code that expects errors."""
    blocks = nodes.of(ast.With, ast.AsyncWith, ast.Try, ast.TryStar)
    expecting = [each for node in blocks if _expects_errors(node) for each in nodes_of(node)]
    allowed = {id(each.func) for each in nodes.of(ast.Call)}
    if not expecting:
        allowed.update(id(part) for each in nodes.of(*_DISPLAYS) for part in ast.iter_child_nodes(each))
    read = {each.id for each in nodes.of(ast.Name) if isinstance(each.ctx, ast.Load) and id(each) not in allowed}
    read.update(each.id for each in expecting if isinstance(each, ast.Name))
    return lambda name: name not in read


def _expects_errors(node: ast.With | ast.AsyncWith | ast.Try | ast.TryStar) -> bool:
    if isinstance(node, (ast.With, ast.AsyncWith)):
        names = (getattr(each, "attr", getattr(each, "id", "")) for each in nodes_of(*node.items))
        return not _CATCHING.isdisjoint(names)
    return bool(node.handlers)
