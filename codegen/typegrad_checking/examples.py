"""Compare the examples of an entry with the results of the operation."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator
from typing import Any, Final, TypeAlias

import numpy as np

import typegrad as tg
from typegrad.base.types import BY_NAME, TString
from typegrad.graph.definition import OpDef
from typegrad.graph.operation import Operation
from typegrad.graph.tensors import as_tensor
from typegrad_checking.applied import AccumulatorInput, AppliedOperation, Array, VariableInput, held, values
from typegrad_checking.comparing import difference
from typegrad_codegen.schema import Entry, Example

__all__ = ["applied", "differences"]

_RTOL: Final = 1e-5
"""Entries state about seven digits."""
_HANDLE: Final = {"dtype": "resource", "shape": []}
_Result: TypeAlias = "Array | list[Array | None] | None"


def applied(entry: Entry, example: Example, definition: OpDef) -> AppliedOperation:
    """The operation, applied to what the example states."""
    stated = [each for each in entry.inputs if each.name in example.inputs]
    inputs = [
        _value(example.inputs[each.name]) if each.kind == "one" else tuple(map(_value, example.inputs[each.name]))
        for each in stated
    ]
    return AppliedOperation(
        definition, tuple(inputs), {name: _attribute(entry, name, it) for name, it in example.attrs.items()}
    )


def differences(entry: Entry, example: Example, definition: OpDef) -> Iterator[str]:
    """How what the operation gives differs from the example's outputs, gradients and values of variables."""
    scope = tg.Scope(tg.Graph(seed=1))
    case = applied(entry, example, definition)
    inputs = case.place(scope)
    op = case.build(scope, inputs)
    if entry.effect == "feed":
        yield from _declared(op, example)
        return
    with tg.Session(scope.graph) as session:
        yield from _gradients(entry, example, scope, session, op)
        actual = _by_output(entry, op, values(session, op))
        for name, expected in example.outputs.items():
            yield from (f"{name} {problem}" for problem in _compare(actual[name], expected))
        for name, expected in example.after.items():
            position = [each.name for each in entry.inputs].index(name)
            value = held(scope, session, inputs[position])
            yield from (f"{name} afterwards {problem}" for problem in _compare(value, expected))


def _gradients(entry: Entry, example: Example, scope: tg.Scope, session: tg.Session, op: Operation) -> Iterator[str]:
    names = [each.name for each in entry.inputs if each.name in example.inputs]
    for name, expected in example.gradients.items():
        (gradient,) = tg.gradients(scope, op.outputs, [op.inputs[names.index(name)]])
        if gradient is None or expected is None:
            if gradient is not expected:
                yield f"the gradient of {name} is {gradient}, not {expected}"
        else:
            yield from (f"the gradient of {name} {problem}" for problem in _compare(session.run(gradient), expected))


def _value(stated: object) -> Array | VariableInput:
    """An input as an entry states it.

    A plain value is int32 or float32; `dtype` states another type, `variable` a variable's value, `accumulator` the
    gradients that one holds, `base64` bytes.
    """
    if isinstance(stated, dict) and "accumulator" in stated:
        return AccumulatorInput(_array(stated["accumulator"]))
    if isinstance(stated, dict) and "variable" in stated:
        value = stated["variable"]
        return VariableInput(None if value is None else _array(value))
    return _array(stated)


def _array(stated: object) -> Array:
    if not isinstance(stated, dict):
        return as_tensor(stated)[0]
    if "base64" in stated:
        return as_tensor(b64decode(stated["base64"]), TString)[0]
    dtype = BY_NAME[stated["dtype"]]
    value = stated["value"]
    return as_tensor(value, TString)[0] if dtype is TString else np.asarray(value, dtype.numpy)


def _attribute(entry: Entry, name: str, value: object) -> object:
    if name in entry.types_by_name:
        return _type(value)
    is_tensor = any(each.name == name and each.type == "tensor" for each in entry.attrs)
    return _array(value) if is_tensor else value


def _type(stated: object) -> object:
    return tuple(map(_type, stated)) if isinstance(stated, list) else BY_NAME[str(stated)]


def _by_output(entry: Entry, op: Operation, results: tuple[Array | None, ...]) -> dict[str, _Result]:
    """The values by the names of the outputs; a list for a list output."""
    result: dict[str, _Result] = {}
    rest = iter(results)
    for output in entry.outputs:
        count = op.output_count(output.count or output.type) if entry.is_list(output) else 0
        result[output.name] = [next(rest) for _ in range(count)] if entry.is_list(output) else next(rest)
    return result


def _compare(actual: _Result, expected: Any) -> Iterator[str]:
    if isinstance(actual, list):
        if len(actual) != len(expected):
            yield f"has {len(actual)} values, not {len(expected)}"
            return
        for index, (one, stated) in enumerate(zip(actual, expected, strict=True)):
            yield from (f"[{index}] {problem}" for problem in _compare(one, stated))
    elif actual is None:
        if expected != _HANDLE:
            yield f"is a handle, not {expected}"
    elif isinstance(expected, dict) and "shape" in expected:
        if actual.dtype != BY_NAME[expected["dtype"]].numpy or list(actual.shape) != expected["shape"]:
            yield f"is {actual.dtype}{list(actual.shape)}, not {expected['dtype']}{expected['shape']}"
    else:
        array = _array(expected)
        problem = difference(actual, array, _RTOL if array.dtype.kind in "fc" else None)
        if problem:
            yield f"is wrong: {problem}"


def _declared(op: Operation, example: Example) -> Iterator[str]:
    """A placeholder has no value, but a type and a shape."""
    for output, expected in zip(op.outputs, example.outputs.values(), strict=True):
        shape = tg.Shape.of(*expected["shape"])
        if output.dtype is not BY_NAME[expected["dtype"]] or output.shape != shape:
            yield f"is {output.dtype.name} {output.shape}, not {expected}"
