"""Fetches: structures of what a run is asked for, taken apart before it and put together again from its values."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

import attrs

from typegrad.base.brief import described
from typegrad.base.errors import FeedError, GraphError
from typegrad.graph.operand import Operand, Output
from typegrad.graph.operation import Operation
from typegrad.graph.variable import Variable
from typegrad.graph.wrapper import Op, Wrapper

if TYPE_CHECKING:
    from typegrad.graph.graph import Graph

__all__ = ["Fetch", "named_output", "named_variable", "take_apart"]

Fetch: TypeAlias = "Output[Any, Any] | Operation"
"""What a plan computes: a value, or an operation that is run for its effect."""

_Rebuild: TypeAlias = Callable[[Iterator[Any]], Any]
"""Takes the values of a structure's outputs from those of all, and makes the structure's value of them."""


def take_apart(graph: Graph, fetches: Any, wanted: list[Fetch]) -> _Rebuild:
    """Append the outputs and operations in `fetches` to `wanted`; the result makes their value from those of the outputs, in order."""
    kind = type(fetches)
    if kind is Output:
        output = fetches
    elif isinstance(fetches, Wrapper):
        if isinstance(fetches, Op):
            return _outputs(graph, fetches.op, wanted)
        output = fetches.op.outputs[0]
    elif kind is list:
        parts = [take_apart(graph, item, wanted) for item in fetches]
        return lambda values: [part(values) for part in parts]
    elif kind is tuple:
        return _joined(tuple, [take_apart(graph, item, wanted) for item in fetches])
    elif kind is dict:
        return _mapping(graph, fetches, wanted)
    elif kind is Variable:
        output = fetches.handle
    elif isinstance(fetches, Operand):
        output = fetches.as_output()
    else:
        return _other(graph, fetches, wanted)
    if output._op.graph is not graph:
        raise _foreign(output._op)
    wanted.append(output)
    return next


def named_output(graph: Graph, name: str) -> Output[Any, Any]:
    """The output that a name stands for, "y:0" or "y"; of a variable its handle."""
    variable = named_variable(graph, name)
    return graph.output(name) if variable is None else variable.handle


def named_variable(graph: Graph, name: str) -> Variable[Any, Any] | None:
    """The variable that a name stands for, if it is the name of one and of no operation."""
    name = name.removesuffix(":0")
    if name in graph:
        return None
    return next((variable for variable in graph.variables if variable.name == name), None)


def _other(graph: Graph, fetches: Any, wanted: list[Fetch]) -> _Rebuild:
    """`take_apart` for all but operands and the usual containers."""
    if fetches is None:
        return _none
    if isinstance(fetches, Operation):
        return _effect(graph, fetches, wanted)
    if isinstance(fetches, str):
        return _named(graph, fetches, wanted)
    if isinstance(fetches, Mapping):
        return _mapping(graph, fetches, wanted)
    if isinstance(fetches, Sequence) and not isinstance(fetches, (bytes, bytearray, memoryview)):
        make = tuple if isinstance(fetches, tuple) else list
        return _joined(getattr(fetches, "_make", make), [take_apart(graph, item, wanted) for item in fetches])
    if attrs.has(type(fetches)):
        return _record(graph, fetches, [field.name for field in attrs.fields(type(fetches))], wanted)
    if dataclasses.is_dataclass(fetches) and not isinstance(fetches, type):
        return _record(graph, fetches, [field.name for field in dataclasses.fields(fetches)], wanted)
    raise FeedError(
        "a fetch is an operand, an operation or a name, or a list, tuple, mapping or dataclass of fetches, "
        f"not {described(fetches)}"
    )


def _effect(graph: Graph, operation: Operation, wanted: list[Fetch]) -> _Rebuild:
    if operation.graph is not graph:
        raise _foreign(operation)
    wanted.append(operation)
    return _none


def _foreign(operation: Operation) -> GraphError:
    return GraphError(
        f"'{operation.name}' (created at {operation.created_at}) belongs to another graph than this session"
    )


def _none(values: Iterator[Any]) -> None:
    """The value of what has none."""


def _outputs(graph: Graph, operation: Operation, wanted: list[Fetch]) -> _Rebuild:
    """All outputs of an operation, as its definition has them: a list, or a tuple of outputs and lists."""
    if not operation.definition.outputs:
        return _effect(graph, operation, wanted)
    outputs = iter(operation.outputs)
    groups = [
        list(islice(outputs, operation.output_count(spec.count))) if spec.count else next(outputs)
        for spec in operation.definition.outputs
    ]
    return take_apart(graph, groups[0] if len(groups) == 1 else tuple(groups), wanted)


def _named(graph: Graph, name: str, wanted: list[Fetch]) -> _Rebuild:
    if ":" in name or named_variable(graph, name) is not None:
        return take_apart(graph, named_output(graph, name), wanted)
    return _effect(graph, graph.operation(name), wanted)


def _mapping(graph: Graph, fetches: Mapping[Any, Any], wanted: list[Fetch]) -> _Rebuild:
    parts = [take_apart(graph, item, wanted) for item in fetches.values()]
    return lambda values: {key: part(values) for key, part in zip(fetches, parts, strict=True)}


def _joined(make: Callable[[list[Any]], Any], parts: list[_Rebuild]) -> _Rebuild:
    return lambda values: make([part(values) for part in parts])


def _record(graph: Graph, record: Any, names: list[str], wanted: list[Fetch]) -> _Rebuild:
    """A copy with values in the fields: its class may be frozen, and what its constructor checks holds for fetches, not for values."""
    parts = {name: take_apart(graph, getattr(record, name), wanted) for name in names}

    def rebuild(values: Iterator[Any]) -> Any:
        made = copy(record)
        for name, part in parts.items():
            object.__setattr__(made, name, part(values))
        return made

    return rebuild
