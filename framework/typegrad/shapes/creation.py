"""Shape and value functions of `ops/creation.yaml`."""

from __future__ import annotations

import math
from typing import Final, TypeAlias

from typegrad.base.array import Array
from typegrad.base.errors import ShapeError
from typegrad.base.shape import UNKNOWN, Shape
from typegrad.base.size import floored, minus, plus
from typegrad.base.types import TFloat16, TFloat32, TFloat64, TFloating, TInt32, TType
from typegrad.shapes.narrow import rounded
from typegrad.shapes.values import MAX_VALUE, integer, restructured, shape_from, size_of
from typegrad.shapes.view import OpView, Value

_Number: TypeAlias = int | float | None

MAX_LENGTH: Final = 2**60
"""More elements than there is memory for."""
_FORMATS: Final[dict[type[TType], str]] = {TFloat16: "e", TFloat32: "f", TFloat64: "d"}
"""How `struct` writes the element types that it knows."""


def const(op: OpView) -> Shape:
    """The shape of the array itself."""
    return Shape(op.attr("value").shape)


def const_value(op: OpView) -> Value | None:
    """The array as nested tuples, if it is small and of integers or bools; of floats, only a scalar."""
    value = op.attr("value")
    return float(value) if value.dtype.kind == "f" and not value.shape else small_value(value)


def small_value(array: Array) -> Value | None:
    """An array as nested tuples, if it is small and of integers or bools."""
    if array.dtype.kind not in "biu" or array.size > MAX_VALUE:
        return None
    return _as_tuples(array.tolist())


def _as_tuples(value: Value) -> Value:
    return tuple(_as_tuples(element) for element in value) if isinstance(value, list) else value


def fill(op: OpView) -> Shape:
    """The shape `dims`."""
    op.rank("value", 0)
    return shape_from(op, "dims")


def fill_value(op: OpView) -> Value | None:
    """The value, repeated as often as needed."""
    shape, value = fill(op), op.value("value")
    if value is None or shape.size is None or shape.size > MAX_VALUE:
        return None
    return restructured((value,) * shape.size, shape)


def arange(op: OpView) -> Shape:
    """A vector; its length follows from inputs that are numbers or sizes with names."""
    if issubclass(op.attrs.get("Tidx", TInt32), TFloating):
        return Shape((_count_of_floats(op),))
    start, limit, delta = (size_of(op, name) for name in ("start", "limit", "delta"))
    check_range(*(value if isinstance(value, int) else None for value in (start, limit, delta)))
    if not isinstance(delta, int):
        return Shape((None,))
    first, last = (start, limit) if delta > 0 else (limit, start)
    distance = minus(last, first)
    return Shape((floored(plus((distance, abs(delta) - 1)), abs(delta)),))


def _count_of_floats(op: OpView) -> int | None:
    """How many numbers the kernel returns, in the arithmetic of the element type."""
    layout = _FORMATS.get(op.attr("Tidx"))
    start, limit, delta = (_number(op, name) for name in ("start", "limit", "delta"))
    check_range(start, limit, delta)
    if layout is None or start is None or limit is None or delta is None:
        return None
    try:
        start, limit, delta = (rounded(number, layout) for number in (start, limit, delta))
        steps = abs(rounded(rounded(limit - start, layout) / delta, layout))
        return math.ceil(steps) if steps <= MAX_LENGTH else None
    except (OverflowError, ZeroDivisionError):  # beyond the type, or too small for it
        return None


def _number(op: OpView, name: str) -> float | None:
    op.rank(name, 0)
    value = op.value(name)
    return value if isinstance(value, (int, float)) else None


def check_range(start: _Number, limit: _Number, delta: _Number) -> None:
    """Refuse a step that never reaches the limit, as far as known.

    The kernel calls this for floats, which only a run may know.
    """
    if delta == 0:
        raise ShapeError("`delta` must not be 0")
    if start is None or limit is None or delta is None:
        return
    if not (start <= limit if delta > 0 else start >= limit):
        step, first, last = map(_written, (delta, start, limit))
        raise ShapeError(f"`delta` is {step}, which does not lead from `start` {first} to `limit` {last}")


def _written(number: float) -> str:
    """A number, of a float only the digits that float32 has."""
    return str(number if isinstance(number, int) else float(f"{number:.7g}"))


def arange_value(op: OpView) -> Value | None:
    """The numbers, if all inputs are known."""
    start, limit, delta = (integer(op, name) for name in ("start", "limit", "delta"))
    if start is None or limit is None or delta is None:
        return None
    numbers = range(start, limit, delta)
    return tuple(numbers) if not numbers[MAX_VALUE:] else None  # its length may be beyond what len() returns


def lin_space(op: OpView) -> Shape:
    """A vector of `num`."""
    for name in ("start", "stop"):
        op.rank(name, 0)
    num = integer(op, "num")
    if num is not None and num < 1:
        raise ShapeError(f"`num` must be at least 1, but is {num}")
    return Shape((op.value("num"),))


def one_hot(op: OpView) -> Shape:
    """The indices' shape with a new axis of size depth."""
    for name in ("depth", "on_value", "off_value"):
        op.rank(name, 0)
    depth, axis, indices = op.value("depth"), op.attr("axis"), op.shape("indices")
    if axis < -1:
        raise ShapeError(f"`axis` is {axis}, but must be -1 or more")
    if isinstance(depth, int) and depth < 0:
        raise ShapeError(f"`depth` is {depth}, but cannot be negative")
    if indices.dims is None:
        return UNKNOWN
    if axis > len(indices.dims):
        raise ShapeError(
            f"`axis` is {axis}, but `indices` has shape {indices}, so it can be {len(indices.dims)} at most"
        )
    position = len(indices.dims) if axis == -1 else axis
    return Shape((*indices.dims[:position], depth, *indices.dims[position:]))


def empty(op: OpView) -> Shape:
    """The requested shape."""
    return shape_from(op, "shape")
