"""Place the operands of an example into a graph, with given shapes."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Final, Protocol, TypeVar

import numpy as np
from attrs import frozen

import typegrad as tg
from typegrad.base.array import Array
from typegrad.base.shape import Shape
from typegrad.base.types import BY_NAME, TComplex, TFloat32, TFloating, TString, TType, from_numpy
from typegrad.graph.operand import AnyOperand
from typegrad.graph.wrapper import Wrapper
from typegrad.op import core, train
from typegrad_codegen.schema import Entry, EntryInput, Example

__all__ = ["PLAIN", "ExampleOperand", "called", "example_operands", "make"]

PLAIN: Final = str.maketrans("[", "_", "]")
"""Turns the name of an operand of a list into the name of a node: "values[1]" into values_1."""

_R = TypeVar("_R")


class _Call(Protocol):
    def __call__(self, do: Callable[..., _R], /, *items: object, **named: object) -> _R: ...


called: Final[_Call] = eval(compile("lambda do, *items, **named: do(*items, **named)", "example.py", "eval"), {})
"""Calls a function as if from example.py, which nodes then name as the file that created them."""

_CONTINUOUS: Final = (TFloating, TComplex)


@frozen
class ExampleOperand:
    """One operand of an example."""

    input: EntryInput
    name: str
    """The input's name, with a number for the operands of a list: "values[1]"."""
    value: Array | None
    """None for the handle of a variable that was never assigned."""
    dtype: type[TType]
    is_variable: bool
    is_accumulator: bool = False

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the value."""
        return () if self.value is None else self.value.shape

    @property
    def is_fixed(self) -> bool:
        """Whether shapes depend on its value, as for an axis or a size."""
        return bool(self.input.integers)


def example_operands(op: Entry, example: Example, *, continuous: bool = False) -> list[ExampleOperand]:
    """The operands of an example.

    With `continuous`, integers become floats where the entry allows it, so that there is a gradient.
    """
    operands = [
        item for each in op.inputs if each.name in example.inputs for item in _operands(each, example.inputs[each.name])
    ]
    return [_continuous(op, item, operands) for item in operands] if continuous else operands


def _operands(input_: EntryInput, stated: object) -> Iterator[ExampleOperand]:
    if input_.kind == "one":
        yield _operand(input_, input_.name, stated)
    elif isinstance(stated, list):
        yield from (_operand(input_, f"{input_.name}[{number}]", item) for number, item in enumerate(stated))


def _operand(input_: EntryInput, name: str, stated: object) -> ExampleOperand:
    is_variable = False
    if isinstance(stated, Mapping) and "accumulator" in stated:
        rows = np.asarray(stated["accumulator"], np.float32)
        return ExampleOperand(input_, name, rows[0], TFloat32, is_variable=False, is_accumulator=True)
    if isinstance(stated, Mapping) and "variable" in stated:
        is_variable, stated = True, stated["variable"]
    if stated is None:
        return ExampleOperand(input_, name, None, TFloat32, is_variable)
    if isinstance(stated, Mapping) and "base64" in stated:
        return ExampleOperand(input_, name, np.array(b64decode(stated["base64"]), object), TString, is_variable)
    if isinstance(stated, Mapping):
        array = np.asarray(stated["value"], BY_NAME[stated["dtype"]].numpy)
        return ExampleOperand(input_, name, array, BY_NAME[stated["dtype"]], is_variable)
    array = np.asarray(stated)
    if array.dtype.kind in "if":
        array = array.astype(np.int32 if array.dtype.kind == "i" else np.float32)
    return ExampleOperand(input_, name, array, from_numpy(array.dtype) or TFloat32, is_variable)


def _continuous(op: Entry, item: ExampleOperand, operands: list[ExampleOperand]) -> ExampleOperand:
    attribute = op.types_by_name.get(item.input.type)
    alike = [other for other in operands if other.input.type == item.input.type]
    fits = attribute is not None and TFloat32 in attribute.allowed and not any(other.is_fixed for other in alike)
    if not fits or item.is_variable or item.is_accumulator or item.value is None or issubclass(item.dtype, _CONTINUOUS):
        return item
    return ExampleOperand(item.input, item.name, np.zeros(item.shape, np.float32), TFloat32, False)


def make(
    op: Entry, example: Example, scope: tg.Scope, operands: list[ExampleOperand], shapes: list[Shape]
) -> tuple[Wrapper, list[AnyOperand]]:
    """Add the example's operation with placeholders of these shapes; operands with a fixed value stay constants.

    Returns:
        The wrapper of the operation, and the operands; a variable's is its handle.

    Raises:
        ShapeError: These shapes do not fit.
    """
    made = [_place(scope, item, shape) for item, shape in zip(operands, shapes, strict=True)]
    groups: dict[str, list[AnyOperand]] = {}
    for item, operand in zip(operands, made, strict=True):
        groups.setdefault(item.input.name, []).append(operand)
    inputs = {
        each.name: groups[each.name][0] if each.kind == "one" else groups[each.name]
        for each in op.inputs
        if each.name in groups
    }
    wrapper = getattr(import_module(f"{op.package}.{op.group}"), op.class_name)
    named = scope.with_name(op.outputs[0].name if op.is_operand else op.module)
    return called(wrapper.create, named, **inputs, **_attributes(op, example)), made


def _place(scope: tg.Scope, item: ExampleOperand, shape: Shape) -> AnyOperand:
    named = scope.with_name(item.name.translate(PLAIN))
    if item.is_variable:
        return called(core.VarHandleOp.create, named, item.dtype, shape=shape)
    if item.is_accumulator:
        return called(train.ResourceConditionalAccumulator.create, named, item.dtype, shape=shape)
    if item.is_fixed:
        return called(core.Constant.create, named, item.value, item.dtype)
    return called(core.Placeholder.create, named, item.dtype, shape=shape)


def _attributes(op: Entry, example: Example) -> dict[str, object]:
    kinds = {each.name for each in op.types}
    return {name: _as_types(value) if name in kinds else value for name, value in example.attrs.items()}


def _as_types(stated: object) -> object:
    return [_as_types(item) for item in stated] if isinstance(stated, list) else BY_NAME[str(stated)]
