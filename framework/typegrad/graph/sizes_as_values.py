"""Variables that were made of the numbers that were meant as their shape: `Variable.create(scope, (2, 1), dtype)`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from typegrad.base.errors import ShapeError, TypegradError
from typegrad.graph import later
from typegrad.graph.explain import read_from
from typegrad.graph.operand_like import is_operand
from typegrad.graph.variable import MADE_OF_SIZES, AnyVariable, meant_shape

if TYPE_CHECKING:
    from typegrad.base.shape import Shape
    from typegrad.graph.scope import Scope

__all__ = ["made_of_sizes", "of_sizes"]


def of_sizes(scope: Scope, inputs: Sequence[object], error: TypegradError, fits: Callable[[list[object]], bool]) -> str:
    """The message of an error, or the one about the variables among the inputs that would fit with another shape.

    Args:
        scope: Where the operation was to go.
        inputs: Its inputs, of which one is wrong.
        error: What is wrong.
        fits: Whether the operation takes other inputs in their place.

    """
    if not isinstance(error, ShapeError):
        return str(error)
    told: dict[str, None] = {}

    def as_meant(value: Any) -> object:
        if isinstance(value, (list, tuple)):
            return [*map(as_meant, value)]
        variable = _variable(value)
        shape = None if variable is None else meant_shape(variable)
        if variable is None or shape is None:
            return value
        told[made_of_sizes(variable.name, shape)] = None
        if value is not variable and value.as_reference() is variable.handle:
            return later.core.VarHandleOp.create(scope, variable.dtype, shape=shape)
        return later.core.Placeholder.create(scope, variable.dtype, shape)

    meant = [*map(as_meant, inputs)]
    return "; ".join([str(error).partition("; ")[0], *told]) if told and fits(meant) else str(error)


def made_of_sizes(name: str, shape: Shape) -> str:
    """What to write instead of a variable that was made of the numbers of its shape."""
    return MADE_OF_SIZES.format(f"variable '{name}'", shape.dims, shape.dims)


def _variable(value: Any) -> AnyVariable | None:
    """The variable that an input is, reads, or has the handle of."""
    if not is_operand(value):
        return None
    op = value.as_reference().op
    handle = read_from(op) or op
    return next((each for each in op.graph.variables if each.handle.op is handle), None)
