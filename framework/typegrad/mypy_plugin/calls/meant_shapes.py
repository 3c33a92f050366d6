"""Calls with variables that would fit if the numbers they were made of were their shape."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from attrs import evolve

from typegrad.base.errors import TypegradError
from typegrad.base.handle import Handle
from typegrad.base.shape import Shape
from typegrad.mypy_plugin.arrays.feeds import source_of
from typegrad.mypy_plugin.calls.creation import Call
from typegrad.mypy_plugin.values.sizes_as_values import made_of_sizes, meant_shape, variable_in

__all__ = ["told_sizes"]

_Inferred: TypeAlias = Callable[[Call], tuple[Shape, ...] | TypegradError]


def told_sizes(call: Call, text: str, inferred: _Inferred) -> str | None:
    """The error message of a call that fits once some variables have the shapes that were meant; None if none does.

    Args:
        call: A call with an input of a wrong shape.
        text: The error message about it.
        inferred: The shapes of the outputs of a call, or its error.

    """
    shapes, values, told = dict(call.shapes), dict(call.values), list[str]()
    for (name, position), expr in call.exprs.items():
        variable = variable_in(call.api, expr)
        meant, known, value = meant_shape(call.api, variable), shapes[name], values.get(name)
        if meant is None:
            continue
        if isinstance(value, Handle):
            values[name] = Handle(value.dtype, meant.shape)
        elif isinstance(known, tuple) and position is not None:
            shapes[name] = (*known[:position], meant.shape, *known[position + 1 :])
        else:
            shapes[name] = meant.shape
        told.append(made_of_sizes(source_of(variable), meant))
    if not told or isinstance(inferred(evolve(call, shapes=shapes, values=values)), TypegradError):
        return None
    return "; ".join([text.partition("; ")[0], *dict.fromkeys(told)])
