"""Shape and value functions of `ops/variable.yaml`."""

from __future__ import annotations

from typegrad.base.errors import AttributeValueError, DTypeError, ShapeError
from typegrad.base.handle import AccumulatorHandle, Handle
from typegrad.base.shape import UNKNOWN, Shape, as_shape, merge
from typegrad.base.types import TInt32
from typegrad.shapes.view import OpView, Value


def handle_value(op: OpView) -> Handle:
    """The variable's element type and shape."""
    return Handle(op.attr("dtype"), as_shape(op.attr("shape")))


def _handle(op: OpView, name: str = "resource", dtype: str = "dtype") -> Handle | None:
    """The handle, as far as known; a `DTypeError` if the variable has another type than the operation works on."""
    op.rank(name, 0)
    handle: Handle | None = op.value(name)
    expected = op.attr(dtype)
    if type(handle) is AccumulatorHandle:
        raise DTypeError(f"`{name}` is the handle of an accumulator; tg.Variable makes variables")
    if handle is not None and handle.dtype is not expected:
        raise DTypeError(
            f"the variable is {handle.dtype.name}, but the operation works on {expected.name}; "
            f"cast the value, or make a variable of {expected.name}"
        )
    return handle


def variable_shape(op: OpView, name: str = "resource", dtype: str = "dtype") -> Shape:
    """The shape of the variable with handle `name`, as far as known.

    A `DTypeError` if the variable has another type than the operation works on, which attribute `dtype` says.
    """
    handle = _handle(op, name, dtype)
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
        hint = _to_state(variable, value)
        raise ShapeError(f"the variable has shape {variable}, but `value` has shape {value}{hint}") from None
    return ()


def _to_state(variable: Shape, value: Shape) -> str:
    """What to do about sizes of `value` that have names, for which the variable has numbers."""
    if variable.dims is None or value.dims is None or len(variable.dims) != len(value.dims):
        return ""
    different = [(size, own) for size, own in zip(value.dims, variable.dims, strict=True) if size != own]
    if not all(isinstance(own, int) and not isinstance(size, int | None) for size, own in different):
        return ""
    equal = " and ".join(f"{size} is {own}" for size, own in different)
    return f"; if {equal}, value.expect(dtype, {variable.dims}) states it"


def updated(op: OpView) -> tuple[()]:
    """No outputs; the value must have the shape of the current value."""
    return _fitting(op, variable_shape(op))


def current_shape(op: OpView) -> Shape:
    """A vector, as long as the rank of the variable."""
    op.rank("input", 0)
    sizes = current_shape_value(op)
    return Shape((None if sizes is None else len(sizes),))


def current_shape_value(op: OpView) -> Value | None:
    """The variable's dimensions."""
    handle: Handle | None = op.value("input")
    return None if handle is None else handle.current.dims


def counter(op: OpView) -> Shape:
    """A scalar, as the variable."""
    variable, limit, dtype = variable_shape(op, dtype="t"), op.attr("limit"), op.attr("t")
    if variable.dims:
        raise ShapeError(f"the variable must be a scalar to count with, but has shape {variable}")
    if dtype is TInt32 and not -(2**31) <= limit < 2**31:
        raise AttributeValueError(f"`limit` is {limit}, which is not within the range of {dtype.name}")
    return Shape(())
