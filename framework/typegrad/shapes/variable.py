"""Shape and value functions of `ops/variable.yaml`."""

from __future__ import annotations

from typegrad.base.errors import DTypeError, ShapeError
from typegrad.base.handle import Handle
from typegrad.base.shape import UNKNOWN, Shape, as_shape, merge
from typegrad.shapes.view import OpView


def handle_value(op: OpView) -> Handle:
    """The variable's element type and shape."""
    return Handle(op.attr("dtype"), as_shape(op.attr("shape")))


def _handle(op: OpView) -> Handle | None:
    """The handle, as far as known; a `DTypeError` if the variable has another type than the operation works on."""
    op.rank("resource", 0)
    handle: Handle | None = op.value("resource")
    expected = op.attr("dtype")
    if handle is not None and handle.dtype is not expected:
        raise DTypeError(
            f"the variable is {handle.dtype.name}, but the operation works on {expected.name}; cast the value"
        )
    return handle


def variable_shape(op: OpView) -> Shape:
    """The variable's shape, as far as known; a `DTypeError` if it has another type than the operation works on."""
    handle = _handle(op)
    return UNKNOWN if handle is None else handle.current


def read(op: OpView) -> Shape:
    """The variable's shape."""
    return variable_shape(op)


def is_initialized(op: OpView) -> Shape:
    """A scalar."""
    op.rank("resource", 0)
    return Shape(())


def assigned(op: OpView) -> tuple[()]:
    """No outputs; the value must fit the variable, and with `validate_shape` have the shape of its current value."""
    handle = _handle(op)
    if handle is None:
        return _fitting(op, UNKNOWN)
    return _fitting(op, handle.current if op.attr("validate_shape") else handle.shape)


def _fitting(op: OpView, variable: Shape) -> tuple[()]:
    value = op.shape("value")
    try:
        merge(variable, value)
    except ShapeError:
        raise ShapeError(f"the variable has shape {variable}, but `value` has shape {value}") from None
    return ()


def updated(op: OpView) -> tuple[()]:
    """No outputs; the value must be numbers and have the shape of the current value."""
    dtype = op.attr("dtype").name
    if dtype in ("bool", "string"):
        raise DTypeError(f"`value` is {dtype}, which cannot be added or subtracted")
    return _fitting(op, variable_shape(op))
