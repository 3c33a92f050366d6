"""Arithmetic with sizes that are known, have a name, or are unknown."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

from typegrad.base.brief import counted
from typegrad.base.errors import ShapeError
from typegrad.base.shape import UNKNOWN, Dim, Shape, merge_dim
from typegrad.base.size import Size
from typegrad.shapes.view import OpView, Value

__all__ = [
    "MAX_VALUE",
    "axis_in",
    "check_index",
    "check_indices",
    "check_size",
    "dims_of",
    "element_name",
    "flat",
    "integer",
    "nested",
    "reshape_sizes",
    "restructured",
    "same_number",
    "shape_from",
    "size_of",
    "vector_length",
]

MAX_VALUE: Final = 64
"""Arrays of more elements are data, not shape arithmetic: their values are not looked at while a graph is built."""


def axis_in(axis: int, rank: int, name: str = "axis") -> int:
    """`axis`, counted from the end if it is negative, as an index below `rank`."""
    if rank == 0:
        raise ShapeError(f"`{name}` is {axis}, but a scalar has no axis")
    if not -rank <= axis < rank:
        raise ShapeError(f"`{name}` is {axis}, but must be in [{-rank}, {rank})")
    return axis % rank


def integer(op: OpView, name: str) -> int | None:
    """The value of input `name`, which must be a scalar, if it is known."""
    op.rank(name, 0)
    value = op.value(name)
    return value if isinstance(value, int) else None


def size_of(op: OpView, name: str) -> Dim:
    """The value of input `name`, which must be a scalar, if it is known, or known to be a size with a name."""
    op.rank(name, 0)
    value = op.value(name)
    return value if isinstance(value, (int, str, Size)) else None


def vector_length(op: OpView, name: str) -> int | None:
    """The length of input `name`, which must be a vector, if it is known."""
    length = op.rank(name, 1).known()[0]
    return length if isinstance(length, int) else None


def dims_of(op: OpView, name: str) -> tuple[Dim, ...] | None:
    """The elements of vector input `name`, with None for unknown ones; None if their number is unknown."""
    length = vector_length(op, name)
    value = op.value(name)
    if isinstance(value, tuple):
        return value
    return None if length is None else (None,) * length


def check_indices(op: OpView, name: str, size: Dim, what: str) -> None:
    """Refuse indices that are known and not in [0, size); the kernel refuses all others."""
    indices = OpView.value(op, name)  # not watched: what is unknown is no matter of shapes
    for place, index in () if indices is None else _placed(indices):
        check_index(name, place, index, size, what)


def _placed(value: Value, place: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Value]]:
    """The elements of nested tuples, with their places."""
    if isinstance(value, tuple):
        for i, part in enumerate(value):
            yield from _placed(part, (*place, i))
    else:
        yield place, value


def check_index(name: str, place: Sequence[int], index: Value, size: Dim, what: str) -> None:
    """Refuse an element of input `name` that is known and not in [0, size)."""
    if isinstance(index, int) and isinstance(size, int) and not 0 <= index < size:
        raise ShapeError(f"{element_name(name, place)} is {index}, but must be in [0, {size}), {what}")


def element_name(name: str, place: Sequence[int]) -> str:
    """An element of an input in the text of an error: "`x[0, 2]`"; a scalar is the whole input."""
    return f"`{name}{list(place) if place else ''}`"


def check_size(dim: Dim) -> None:
    """Refuse a negative size."""
    if isinstance(dim, int) and dim < 0:
        raise ShapeError("a size cannot be negative")


def shape_from(op: OpView, name: str) -> Shape:
    """The shape whose sizes vector input `name` holds."""
    dims = dims_of(op, name)
    if dims is None:
        return UNKNOWN
    if any(isinstance(dim, int) and dim < 0 for dim in dims):
        raise ShapeError(f"`{name}` is {Shape(dims)}, but a size cannot be negative")
    return Shape(dims)


def same_number(name: str, noun: str, count: Dim, what: str, expected: Dim) -> Dim:
    """How many things input `name` has, which must be another number, as far as both are known."""
    try:
        return merge_dim(count, expected)
    except ShapeError:
        raise ShapeError(f"`{name}` has {counted(count, noun)}, but the number of {what} is {expected}") from None


def reshape_sizes(source: Sequence[int], target: Sequence[int]) -> tuple[int, ...]:
    """The sizes `target`, with one -1 replaced so that the number of elements equals the number of `source`.

    Beside a 0, the missing size follows from the other, non-zero sizes: [0, 3] reshaped to [-1, 0] is [3, 0].
    """
    sizes = tuple(target)
    if -1 in sizes:
        used = [size for size in source if size] if 0 in target else source
        missing = math.prod(used) // math.prod(size for size in target if size > 0)
        sizes = tuple(missing if size == -1 else size for size in target)
    if math.prod(sizes) != math.prod(source):
        raise ShapeError(f"{list(source)}, of {math.prod(source)} elements, cannot become {list(target)}")
    return sizes


def flat(value: Value) -> list[Value]:
    """The elements of nested tuples in row-major order."""
    if not isinstance(value, tuple):
        return [value]
    return [element for part in value for element in flat(part)]


def nested(elements: Sequence[Value], sizes: Sequence[int]) -> Value:
    """Elements in row-major order as tuples nested to these sizes."""
    if not sizes:
        return elements[0]
    step = math.prod(sizes[1:])
    return tuple(nested(elements[i * step : (i + 1) * step], sizes[1:]) for i in range(sizes[0]))


def restructured(value: Value | None, shape: Shape) -> Value | None:
    """A value with the same elements in another shape, if both are known."""
    if value is None or shape.size is None:
        return None
    elements = flat(value)
    return nested(elements, shape.as_ints()) if len(elements) == shape.size else None
