"""Shapes that a program may know better than its dry run, as they follow from values that this does not have."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import chain
from types import MethodType
from typing import Any, Final, final
from weakref import WeakSet

from typegrad.base.shape import Shape
from typegrad.dry_run.known.arrays import integer
from typegrad.dry_run.known.unknown import UNKNOWN, Unknown
from typegrad.graph.graph import Graph
from typegrad.graph.operand import Operand
from typegrad.graph.operation import Operation
from typegrad.graph.variable import Variable

__all__ = [
    "ANY_NAME", "ANY_SEED", "OPEN_GRAPHS", "OpenShape", "Openings", "has_operation", "is_counted", "is_of_library",
    "is_open_graph", "open_graph_of",
]  # fmt: skip


@final
class OpenShape(Unknown):
    """The shape of such an operand: a size that is unknown here may be a number, or None."""

    __slots__ = ("shape",)

    def __init__(self, shape: Shape) -> None:
        """Take the shape as the dry run knows it."""
        object.__setattr__(self, "shape", shape)

    def read(self, name: str) -> Any:
        """An attribute."""
        if name == "rank":
            return UNKNOWN if self.shape.rank is None else self.shape.rank
        return self.as_ints if name == "as_ints" else UNKNOWN

    def sizes(self) -> list[Any] | None:
        """The sizes; None if not even their number is known."""
        dims = self.shape.dims
        return None if dims is None else [dim if isinstance(dim, int) else UNKNOWN for dim in dims]

    def as_ints(self) -> Any:
        """The sizes of a shape that the program knows."""
        sizes = self.sizes()
        return UNKNOWN if sizes is None else tuple(integer() if each is UNKNOWN else each for each in sizes)

    def __getitem__(self, index: Any) -> Any:
        sizes = self.sizes()
        if sizes is None:
            return UNKNOWN
        part = self.shape[index]
        if not isinstance(index, slice):
            return sizes[index]
        return part if part.is_static else OpenShape(part)


_OWNERS: Final = ("_scope", "op")
"""What facades and operations have that is of a graph."""
ANY_NAME: Final = "..."
"""The name of what the program gives one that is not known."""
ANY_SEED: Final = 7 * 10**18
"""A seed in the place of one that is not known, which programs have not."""
OPEN_GRAPHS: Final[WeakSet[Graph]] = WeakSet()
"""The graphs that may have other operations and variables in a run."""


def is_open_graph(value: object) -> bool:
    """Whether it is one of these graphs."""
    return isinstance(value, Graph) and value in OPEN_GRAPHS


def has_operation(graph: Graph, name: str) -> bool:
    """Whether a graph of a run has the same operation, or variable, of this name."""
    operation, _, _ = name.partition(":")
    if graph not in OPEN_GRAPHS:
        return True
    if operation in graph:
        return not is_counted(graph.operation(operation))
    return any(each.name == operation for each in graph.variables)


def is_counted(operation: Operation) -> bool:
    """Whether a run may give an operation another name: its number among those of one name, or what is not known."""
    is_handle = operation.definition.effect == "handle"
    name = operation.attrs["shared_name"] if is_handle else operation.name
    *_, number = name.rpartition("/")[2].rpartition("_")
    return ANY_NAME in name or number.isdecimal() or number in (operation.definition.class_name, Variable.__name__)


def open_graph_of(value: Any) -> None:
    """Note that a run may add other operations to the graph that an object of typegrad is of.

    A method of a session adds none, but may give variables other values, as the session may.
    """
    session: Any = value.__self__ if type(value) is MethodType else value
    if hasattr(type(session), "may_have_run"):
        session.may_have_run()
    if session is not value:
        return
    for each in chain((value,), (getattr(value, name, None) for name in _OWNERS)):  # as many have the graph itself
        graph = each if isinstance(each, Graph) else getattr(each, "graph", None)
        if isinstance(graph, Graph):
            OPEN_GRAPHS.add(graph)
            break


def is_of_library(value: Any) -> bool:
    """Whether it is an object of typegrad, or of what stands for a session, or a method of that."""
    kind: Any = type(value)  # which mypy does not take for hashable
    return _is_class_of_library(kind) or (kind is MethodType and hasattr(type(value.__self__), "may_have_run"))


@lru_cache(maxsize=1000)  # which keeps the classes of programs
def _is_class_of_library(kind: type) -> bool:
    module = kind.__module__
    return module.startswith("typegrad.") and (not module.startswith("typegrad.dry_run.") or hasattr(kind, "on_trial"))


@final
class Openings:
    """The operations whose results have other shapes in a run than in a dry run, as more is known of them."""

    def __init__(self) -> None:
        self._rests: dict[Operation, bool] = {}
        """Whether an operation is one of these, or an input of it is the result of one."""

    def add(self, operations: Iterable[Operation]) -> None:
        """Note operations that take the place of others."""
        self._rests.update(dict.fromkeys(operations, True))

    def __bool__(self) -> bool:
        return bool(self._rests)

    def __contains__(self, operand: Operand[Any]) -> bool:
        """Whether the shape of an operand follows from such operations."""
        if not self._rests:
            return False
        waiting = [operand.op]
        while waiting:
            op = waiting[-1]
            inputs = () if op in self._rests else [each.op for each in op.inputs]
            new = [each for each in inputs if each not in self._rests]
            if new:
                waiting += new
                continue
            if op not in self._rests:
                self._rests[op] = any(self._rests[each] for each in inputs)
            waiting.pop()
        return self._rests[operand.op]
