"""Fetches: structures of what a run is asked for, taken apart before it and put together again from its values."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, TypeAlias

import attrs

from typegrad.brief import described
from typegrad.errors import FeedError, GraphError
from typegrad.explain import origin
from typegrad.operand import Operand, Output
from typegrad.operation import Operation
from typegrad.types import TResource
from typegrad.variable import Variable
from typegrad.wrapper import Wrapper

if TYPE_CHECKING:
    from typegrad.graph import Graph

__all__ = ["Fetch", "named_output", "named_variable", "take_apart"]

Fetch: TypeAlias = "Output[Any, Any] | Operation"
"""What a plan computes: a value, or an operation that is run for its effect."""

_Rebuild: TypeAlias = Callable[[Iterator[Any]], Any]
"""Takes the values of a structure's outputs from those of all, and makes the structure's value of them."""


def take_apart(graph: Graph, fetches: Any, wanted: list[Fetch]) -> _Rebuild:
    """Append the outputs and operations in `fetches` to `wanted`; the result makes their value from those of the outputs, in order."""
    if type(fetches) is Output:
        return _value(graph, fetches, wanted)
    if isinstance(fetches, Wrapper):
        return _outputs(graph, fetches.op, wanted)
    if fetches is None:
        return _none
    if isinstance(fetches, Operand):
        return _value(graph, fetches.handle if isinstance(fetches, Variable) else fetches.as_output(), wanted)
    if isinstance(fetches, Operation):
        return _effect(graph, fetches, wanted)
    if isinstance(fetches, str):
        return _named(graph, fetches, wanted)
    return _structure(graph, fetches, wanted)


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


def _value(graph: Graph, output: Output[Any, Any], wanted: list[Fetch]) -> _Rebuild:
    if output._op.graph is not graph:
        raise _foreign(output._op)
    if output._dtype is TResource and output._op.definition.effect != "handle":
        raise FeedError(f"{origin(output)} is a handle and has no value; fetch the variable")
    wanted.append(output)
    return next


def _effect(graph: Graph, operation: Operation, wanted: list[Fetch]) -> _Rebuild:
    if operation.graph is not graph:
        raise _foreign(operation)
    wanted.append(operation)
    return _none


def _foreign(operation: Operation) -> GraphError:
    return GraphError(
        f"'{operation.name}' (created at {operation.created_at}) belongs to another graph than this session"
    )


def _none(values: Iterator[Any]) -> None:  # noqa: ARG001
    """The value of what has none."""


def _outputs(graph: Graph, operation: Operation, wanted: list[Fetch]) -> _Rebuild:
    """All outputs of an operation, as its definition has them: one, a list, or a tuple of those."""
    outputs = iter(operation.outputs)
    groups = [
        _joined(list, [_value(graph, next(outputs), wanted) for _ in range(operation.output_count(spec.count))])
        if spec.count
        else _value(graph, next(outputs), wanted)
        for spec in operation.definition.outputs
    ]
    if not groups:
        return _effect(graph, operation, wanted)
    return groups[0] if len(groups) == 1 else _joined(tuple, groups)


def _named(graph: Graph, name: str, wanted: list[Fetch]) -> _Rebuild:
    if ":" in name or named_variable(graph, name) is not None:
        return _value(graph, named_output(graph, name), wanted)
    return _effect(graph, graph.operation(name), wanted)


def _structure(graph: Graph, fetches: Any, wanted: list[Fetch]) -> _Rebuild:
    if isinstance(fetches, Mapping):
        parts = [take_apart(graph, item, wanted) for item in fetches.values()]
        return _joined(lambda items: dict(zip(fetches, items, strict=True)), parts)
    if isinstance(fetches, Sequence) and not isinstance(fetches, (bytes, bytearray, memoryview)):
        parts = [take_apart(graph, item, wanted) for item in fetches]
        make = tuple if isinstance(fetches, tuple) else list
        return _joined(getattr(fetches, "_make", make), parts)
    if attrs.has(type(fetches)):
        return _record(graph, fetches, [field.name for field in attrs.fields(type(fetches))], wanted)
    if dataclasses.is_dataclass(fetches) and not isinstance(fetches, type):
        return _record(graph, fetches, [field.name for field in dataclasses.fields(fetches)], wanted)
    raise FeedError(
        "a fetch is an operand, an operation or a name, or a list, tuple, mapping or dataclass of fetches, "
        f"not {described(fetches)}"
    )


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
