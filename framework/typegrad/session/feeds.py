"""Feeds: the operands that have values for a run, and whether the values fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from typegrad.base.brief import described
from typegrad.base.errors import FeedError, TypegradError
from typegrad.base.shape import Shape
from typegrad.base.types import TFloating, TInt32, TIntegral, element_type_of
from typegrad.graph.explain import foreign, origin
from typegrad.graph.operand import AnyOperand, AnyOutput
from typegrad.graph.operand_like import is_operand
from typegrad.graph.sizes_as_values import made_of_sizes
from typegrad.graph.tensors import convert, value_cure
from typegrad.graph.variable import AnyVariable, Variable, meant_shape
from typegrad.session.fetches import named_variable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from typegrad.base.array import Array
    from typegrad.base.types import TType
    from typegrad.graph.graph import Graph
    from typegrad.graph.values import ValueLike
    from typegrad.session.run_types import Feeds

__all__ = ["assigned_values", "check_fed_shape", "fed_array", "fed_items", "fed_output", "swapped_feeds", "takes"]


def fed_items(feeds: Feeds) -> tuple[list[AnyOperand | str], list[Any]]:
    """The operands that are fed, and their values."""
    if isinstance(feeds, type) or not hasattr(feeds, "items"):
        order = ", after what to fetch" if is_operand(feeds) else ""
        raise FeedError(f"feeds maps operands to values, but is {described(feeds)}; write {{x: value}}{order}")
    items = list(feeds.items())
    return [operand for operand, _ in items], [value for _, value in items]


def fed_output(graph: Graph, operand: AnyOperand | str) -> AnyOutput:
    """The output that is fed, by an operand or its name."""
    if isinstance(operand, str):
        variable = named_variable(graph, operand)
        if variable is not None:
            raise _unfeedable(variable)
        output = graph.output(operand)
    elif type(operand) is Variable:
        raise _unfeedable(operand)
    elif is_operand(operand):
        output = operand.as_output()
    else:
        raise FeedError(f"feeds maps operands or their names to values, but a key is {described(operand)}")
    if output.op.graph is not graph:
        raise foreign(f"the fed {origin(output)}", "this session")
    return output


def _unfeedable(variable: AnyVariable) -> FeedError:
    return FeedError(
        f"variable '{variable.name}' cannot be fed; give it a value with session.assign, or feed one of its reads"
    )


def assigned_values(graph: Graph, values: Mapping[AnyVariable, ValueLike]) -> dict[AnyVariable, Array]:
    """The array for each assigned variable."""
    assigned: dict[AnyVariable, Array] = {}
    for variable, value in values.items():
        if not isinstance(variable, Variable):
            hint = (
                "; {v: values[v.name] for v in graph.variables} has them as keys" if isinstance(variable, str) else ""
            )
            raise FeedError(f"session.assign gives variables their values, not {described(variable)}{hint}")
        if variable.graph is not graph:
            raise foreign(origin(variable), "this session")
        assigned[variable] = _fitting(variable, variable.dtype, variable.shape, value)
    return assigned


def fed_array(output: AnyOutput, value: Any) -> Array:
    """`value` as an array of the output's type, of any shape; read-only: no fetch returns the caller's array."""
    return _read_only(_converted(output, output.dtype, value))


def check_fed_shape(output: AnyOutput, sizes: tuple[int | None, ...]) -> None:
    """Refuse an array of these sizes for an output of another shape; None is a size that is not known."""
    _check_shape(output, output.shape, sizes)


def swapped_feeds(outputs: Sequence[AnyOutput], values: Sequence[Any], error: FeedError) -> FeedError:
    """The error for two arrays that are fed in each other's place, or maybe two numbers; `error` for other mistakes."""
    pairs = list(zip(outputs, values, strict=False))
    fractions = [output for output, value in pairs if type(value) is float and issubclass(output.dtype, TIntegral)]
    whole = [output for output, value in pairs if type(value) is int and issubclass(output.dtype, TFloating)]
    if len(fractions) == len(whole) == 1 and str(error).endswith(value_cure([TInt32])):
        return FeedError(f"{error}, or swap it with the feed of {origin(whole[0])}")
    wrong = [pair for pair in pairs if not takes(*pair)]
    if len(wrong) != 2:
        return error
    (first, one), (second, other) = wrong
    is_swapped = takes(first, other) and takes(second, one)
    return FeedError(f"the feeds of {origin(first)} and {origin(second)} are swapped") if is_swapped else error


def takes(operand: AnyOperand, array: Any) -> bool:
    """Whether an array is of the element type and the shape of an operand."""
    if not isinstance(getattr(array, "dtype", None), np.dtype) or not hasattr(array, "shape"):
        return False
    return element_type_of(array.dtype) is operand.dtype and operand.shape.accepts(array.shape)


def _fitting(target: AnyOperand, dtype: type[TType], shape: Shape, value: Any) -> Array:
    array = _converted(target, dtype, value)
    _check_shape(target, shape, array.shape)
    return _read_only(array)


def _converted(target: AnyOperand, dtype: type[TType], value: Any) -> Array:
    if is_operand(value):
        raise FeedError(f"{_of(target)} is an operand; give the array that session.run gave for it")
    try:
        return convert(value, dtype, exact=True)
    except TypegradError as error:
        raise FeedError(f"{_of(target)} does not fit: {error}") from error.__cause__


def _check_shape(target: AnyOperand, shape: Shape, sizes: tuple[int | None, ...]) -> None:
    if shape.dims != sizes and not shape.accepts(sizes):
        meant = meant_shape(target)
        made = "" if meant is None or not meant.accepts(sizes) else f"; {made_of_sizes(target.name, meant)}"
        raise FeedError(f"{_of(target)} has shape {Shape(sizes)}, which does not fit {shape}{made}")


def _read_only(array: Array) -> Array:
    array = array.view()
    array.flags.writeable = False
    return array


def _of(target: AnyOperand) -> str:
    if isinstance(target, Variable):
        return f"the value for variable '{target.name}'"
    return f"the feed of {origin(target)}"
