"""Fetches: structures of what a run computes, flattened before it and rebuilt from its values."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

import attrs
import numpy as np

from typegrad.arguments.instead import NOT_ITS_VALUE
from typegrad.base.brief import brief, described
from typegrad.base.errors import FeedError, GraphError
from typegrad.base.sameness import NO_VALUES, Sameness
from typegrad.base.shape import Shape
from typegrad.graph.explain import describe, foreign
from typegrad.graph.operand import AnyOutput, Operand, Output
from typegrad.graph.operation import Operation
from typegrad.graph.refusals import INSTEAD_OF_FETCH, NO_FETCH
from typegrad.graph.tensors import NO_GRADIENT
from typegrad.graph.variable import AnyVariable, Variable
from typegrad.graph.wrapper import Op, Wrapper

if TYPE_CHECKING:
    from typegrad.graph.graph import Graph

__all__ = ["Fetch", "flatten", "named_output", "named_variable"]

Fetch: TypeAlias = "AnyOutput | Operation"
"""What a plan computes: a value, or an operation that is run for its effect."""

_Rebuild: TypeAlias = Callable[[Iterator[Any]], Any]
"""Takes a structure's values from an iterator, and rebuilds the structure with them."""
_Place: TypeAlias = "tuple[list[Any] | str, ...]"
"""Where a fetch is in the structure: a list of its index or key for each container, ".name" for each record."""


def flatten(graph: Graph, fetches: Any, requested: list[Fetch], place: _Place = ()) -> _Rebuild:
    """Append the outputs and operations in `fetches` to `requested`; return a function from values to the structure.

    `place` is where the fetches are in a larger structure.
    """
    kind = type(fetches)
    if kind is Output:
        output = fetches
    elif isinstance(fetches, Wrapper):
        if isinstance(fetches, Op):
            return _outputs(graph, fetches.op, requested)
        output = fetches.op.outputs[0]
    elif kind is list:
        parts = _items(graph, fetches, requested, place)
        return lambda values: [part(values) for part in parts]
    elif kind is tuple:
        return _joined(tuple, _items(graph, fetches, requested, place))
    elif kind is dict:
        return _mapping(graph, fetches, requested, place)
    elif kind is Variable:
        output = fetches.handle
    elif isinstance(fetches, Operand):
        output = fetches.as_output()
    else:
        return _other(graph, fetches, requested, place)
    if output.op.graph is not graph:
        raise _foreign(output.op)
    requested.append(output)
    return next


def named_output(graph: Graph, name: str) -> AnyOutput:
    """The output of this name, "y:0" or "y"; for a variable its handle."""
    variable = named_variable(graph, name)
    return graph.output(name) if variable is None else variable.handle


def named_variable(graph: Graph, name: str) -> AnyVariable | None:
    """The variable of this name, unless an operation has it."""
    name = name.removesuffix(":0")
    if name in graph:
        return None
    return next((variable for variable in graph.variables if variable.name == name), None)


def _items(graph: Graph, fetches: Iterable[Any], requested: list[Fetch], place: _Place) -> list[_Rebuild]:
    return [flatten(graph, item, requested, (*place, [index])) for index, item in enumerate(fetches)]


def _other(graph: Graph, fetches: Any, requested: list[Fetch], place: _Place) -> _Rebuild:
    """`flatten` for all but operands and the usual containers."""
    if fetches is None:
        raise FeedError(f"{_path(place)} is None, which has no value; {NO_GRADIENT}")
    if isinstance(fetches, Operation):
        return _effect(graph, fetches, requested)
    if isinstance(fetches, str):
        return _named(graph, fetches, requested)
    if isinstance(fetches, Mapping):
        return _mapping(graph, fetches, requested, place)
    kind = type(fetches)
    if issubclass(kind, tuple) and hasattr(kind, "_make"):  # a named tuple
        return _joined(fetches._make, [*_fields(graph, fetches, fetches._fields, requested, place).values()])
    if isinstance(fetches, Sequence) and not isinstance(fetches, (bytes, bytearray, memoryview, Shape)):
        return _joined(tuple if isinstance(fetches, tuple) else list, _items(graph, fetches, requested, place))
    if attrs.has(type(fetches)):
        names = [field.name for field in attrs.fields(type(fetches))]
        return _record(fetches, _fields(graph, fetches, names, requested, place))
    if dataclasses.is_dataclass(fetches) and not isinstance(fetches, type):
        names = [field.name for field in dataclasses.fields(fetches)]
        return _record(fetches, _fields(graph, fetches, names, requested, place))
    is_in_record = any(isinstance(part, str) for part in place)  # whose other fields the program may not show
    where = f", which is {_path(place)}" if is_in_record else ""
    raise FeedError(f"{NO_FETCH.format(described(fetches))}{where}{_remedy(fetches)}")


def _path(place: _Place) -> str:
    """Where a fetch is, as Python writes it: `fetches[1].loss`."""
    return "".join(part if isinstance(part, str) else brief(part) for part in ("fetches", *place))


def _remedy(value: object) -> str:
    """What to fetch instead of an array, `x == y`, an object or a function that adds to the graph."""
    if isinstance(value, (np.ndarray, np.generic)):
        return f"; {NOT_ITS_VALUE}"
    if isinstance(value, Sameness):
        return f"; {NO_VALUES}"
    return next((f"; {text}" for method, text in INSTEAD_OF_FETCH.items() if method in dir(type(value))), "")


def _effect(graph: Graph, operation: Operation, requested: list[Fetch]) -> _Rebuild:
    if operation.graph is not graph:
        raise _foreign(operation)
    requested.append(operation)
    return _none


def _foreign(operation: Operation) -> GraphError:
    return foreign(describe(operation), "this session")


def _none(values: Iterator[object]) -> None:
    """The value of what has none."""


def _outputs(graph: Graph, operation: Operation, requested: list[Fetch]) -> _Rebuild:
    """All outputs of an operation, as its definition has them: a list, or a tuple of outputs and lists."""
    if not operation.definition.outputs:
        return _effect(graph, operation, requested)
    outputs = iter(operation.outputs)
    groups = [
        list(islice(outputs, operation.output_count(output_def.count))) if output_def.count else next(outputs)
        for output_def in operation.definition.outputs
    ]
    return flatten(graph, groups[0] if len(groups) == 1 else tuple(groups), requested)


def _named(graph: Graph, name: str, requested: list[Fetch]) -> _Rebuild:
    if ":" in name or named_variable(graph, name) is not None:
        return flatten(graph, named_output(graph, name), requested)
    return _effect(graph, graph.operation(name), requested)


def _mapping(graph: Graph, fetches: Mapping[Any, Any], requested: list[Fetch], place: _Place) -> _Rebuild:
    parts = {key: flatten(graph, item, requested, (*place, [key])) for key, item in fetches.items()}
    return lambda values: {key: part(values) for key, part in parts.items()}


def _joined(make: Callable[[list[Any]], Any], parts: list[_Rebuild]) -> _Rebuild:
    return lambda values: make([part(values) for part in parts])


def _fields(
    graph: Graph, record: Any, names: Iterable[str], requested: list[Fetch], place: _Place
) -> dict[str, _Rebuild]:
    """The parts of a record: a field that is None is one that its class leaves out, and stays None."""
    fields = ((name, getattr(record, name)) for name in names)
    return {
        name: _none if item is None else flatten(graph, item, requested, (*place, f".{name}")) for name, item in fields
    }


def _record(record: Any, parts: Mapping[str, _Rebuild]) -> _Rebuild:
    """A copy with values in its fields, without the constructor, whose checks are for fetches."""

    def rebuild(values: Iterator[Any]) -> Any:
        rebuilt = copy(record)
        for name, part in parts.items():
            object.__setattr__(rebuilt, name, part(values))
        return rebuilt

    return rebuild
