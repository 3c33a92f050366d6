"""Shape and value functions of `ops/variable.yaml`.

The static value of a handle is `("handle", element type, dimensions or None)`: what is known of the variable behind it.
"""

from __future__ import annotations

from typegrad.base.errors import DTypeError, ShapeError
from typegrad.base.shape import UNKNOWN, Shape, as_shape, merge
from typegrad.shapes.view import OpView, Value


def handle_value(op: OpView) -> Value | None:
    """The variable's element type and shape."""
    return ("handle", op.attr("dtype"), as_shape(op.attr("shape")).dims)


def variable_shape(op: OpView) -> Shape:
    """The variable's shape, as far as known; a `DTypeError` if it has another type than the operation works on."""
    op.rank("resource", 0)
    handle = op.value("resource")
    if handle is None:
        return UNKNOWN
    _, dtype, dims = handle
    expected = op.attr("dtype")
    if dtype is not expected:
        raise DTypeError(f"the variable is {dtype.name}, but the operation works on {expected.name}; cast the value")
    return Shape(dims)


def read(op: OpView) -> Shape:
    """The variable's shape."""
    return variable_shape(op)


def is_initialized(op: OpView) -> Shape:
    """A scalar."""
    op.rank("resource", 0)
    return Shape(())


def assigned(op: OpView) -> tuple[()]:
    """No outputs; the value must fit the variable."""
    variable, value = variable_shape(op), op.shape("value")
    try:
        merge(variable, value)
    except ShapeError:
        raise ShapeError(f"the variable has shape {variable}, but `value` has shape {value}") from None
    return ()


def updated(op: OpView) -> tuple[()]:
    """The same for an assignment that adds or subtracts, which takes numbers only."""
    dtype = op.attr("dtype").name
    if dtype in ("bool", "string"):
        raise DTypeError(f"`value` is {dtype}, which cannot be added or subtracted")
    return assigned(op)
