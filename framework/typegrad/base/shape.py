"""Shapes: what is known, while a graph is built, of the sizes of an array's dimensions.

A dimension is an int, a name (a string: equal only to itself, its size known when the graph runs), a `Size` (arithmetic
with names: `2*Batch`), or None (unknown).
This module and the shape functions import no NumPy: the mypy plugin runs them on the types in a user's source.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from types import EllipsisType
from typing import TYPE_CHECKING, Any, Final, NewType, SupportsIndex, TypeAlias, cast, overload

from typegrad.base.annotations import form_of
from typegrad.base.brief import brief, counted, described
from typegrad.base.errors import ShapeError
from typegrad.base.explained import Explained
from typegrad.base.size import Dim, Name, Size, combined, simpler
from typegrad.base.size_ranges import differ

__all__ = [
    "KEEPING",
    "SCALAR",
    "SHAPE_AS_VALUE",
    "UNKNOWN",
    "Dim",
    "PartialShapeLike",
    "Shape",
    "ShapeLike",
    "broadcast",
    "merge",
    "merge_dim",
    "with_rank",
]

_MOST_DIMENSIONS: Final = 254
"""TensorFlow's limit."""


AnySize: TypeAlias = int | Any
"""A dimension of a shape to type checkers, which do not know whether it has a number: nobody could compute with `Dim`.
mypy's plugin gives it the type that it has."""
KEEPING: Final = "keep_dims=True in a reduction"
"""What would have kept the dimensions that an operand lacks."""
SHAPE_AS_VALUE: Final = "{} is a shape, not a value; write x.shape.as_ints() for its sizes"
"""The error message for a shape in the place of an operand or a value."""
_WRITE: Final = "write tg.Shape.of(3, None)"


class Shape(metaclass=Explained):
    """An immutable shape: a tuple of dimensions, or of unknown rank.

    `Shape.of(3, None)` is a matrix with three rows; `UNKNOWN` has unknown rank; `SCALAR` has rank 0. Where the rank is
    known, a shape is used as a tuple: `x.shape[0]`, `x.shape[1:]`, `len(x.shape)`, `x.shape == (3, None)`,
    `(8, *x.shape)`, `case (rows, columns):`, `x.shape + (1,)`. Where it is unknown, all but `==` and `+` raise a
    `ShapeError`.
    """

    __slots__ = ("dims",)
    dims: tuple[Dim, ...] | None

    def __init__(self, dims: tuple[Dim, ...] | None) -> None:
        """Take a tuple of dimensions as it is; `Shape.of` converts what a user writes for one, such as -1."""
        if dims is not None:
            if type(dims) is not tuple:
                raise ShapeError(f"Shape() takes a tuple of dimensions, or None, not {described(dims)}; {_WRITE}")
            for dim in dims:  # no function of its own, as shapes are made all the time
                if type(dim) is not int and dim is not None and not isinstance(dim, (str, Size)):
                    raise ShapeError(f"Shape() takes ints, names and None, not {described(dim)}; {_WRITE}")
        self.dims = dims

    @staticmethod
    def of(*dims: Dim | SupportsIndex | Callable[[int], int]) -> Shape:
        """The shape with these dimensions, such as `Shape.of(Batch, 6)`; -1 means unknown, as in TensorFlow Java."""
        return as_shape(dims)

    @property
    def rank(self) -> int | None:
        """The number of dimensions, or None if unknown."""
        return None if self.dims is None else len(self.dims)

    @property
    def is_static(self) -> bool:
        """Whether every dimension is an int."""
        return self.dims is not None and all(type(dim) is int for dim in self.dims)

    @property
    def size(self) -> int | None:
        """The number of elements, or None if a dimension is not an int."""
        if self.dims is None:
            return None
        size = 1
        for dim in self.dims:
            if not isinstance(dim, int):
                return None
            size *= dim
        return size

    def known(self, what: str = "the rank") -> tuple[Dim, ...]:
        """The dimensions; a `ShapeError` if the rank is unknown."""
        if self.dims is None:
            raise ShapeError(
                f"{what} must be known here, but the shape is unknown; state it with `x.expect(x.dtype, (None, 3))`"
            )
        return self.dims

    def as_ints(self) -> tuple[int, ...]:
        """The sizes; a `ShapeError` if any is not an int."""
        sizes = tuple(dim for dim in self.known() if isinstance(dim, int))
        if len(sizes) != self.rank:
            remedy = "x.shape[-1:].as_ints() needs the last one alone, core.Shape has all in a run"
            raise ShapeError(f"every dimension of {self} must be known here; {remedy}")
        return sizes

    def accepts(self, sizes: Sequence[int | None]) -> bool:
        """Whether an array of these sizes can have this shape (a name accepts any size). None is an unknown size."""
        if self.dims is None:
            return True
        return len(self.dims) == len(sizes) and all(
            not isinstance(dim, int) or size is None or dim == size for dim, size in zip(self.dims, sizes, strict=True)
        )

    def __eq__(self, other: object) -> bool:
        """Whether it has the same dimensions as a shape, or as a tuple or list that a shape is made of."""
        if isinstance(other, (tuple, list)):
            return self.dims is not None and self.dims == tuple(map(_as_listed, other))
        return isinstance(other, Shape) and self.dims == other.dims

    def __hash__(self) -> int:
        return hash(self.dims)

    def __iter__(self) -> Iterator[AnySize]:
        return iter(self.known())

    if not TYPE_CHECKING:  # a shape is one of integers where all sizes are known, which no type tells

        def __array__(self, dtype=None, copy=None):
            import numpy as np

            return np.array(self.as_ints(), dtype)

    def __len__(self) -> int:
        return len(self.known())

    @overload
    def __getitem__(self, index: int) -> AnySize: ...
    @overload
    def __getitem__(self, index: slice) -> Shape: ...
    def __getitem__(self, index: int | slice) -> AnySize | Shape:
        """One dimension, or a shape of several."""
        dims = self.known()
        if isinstance(index, slice):
            return Shape(dims[index])
        try:
            return dims[index]
        except IndexError:
            raise ShapeError(
                f"shape {self} has {counted(len(dims), 'dimension')}; there is no dimension {index}"
            ) from None

    def index(self, value: Any, start: int = 0, stop: int = sys.maxsize) -> int:
        """The first dimension of this size; a `ValueError` if none is."""
        return self.known().index(_as_listed(value), start, stop)

    def count(self, value: Any) -> int:
        """How many dimensions are of this size."""
        return self.known().count(_as_listed(value))

    def __contains__(self, value: object) -> bool:
        """Whether a dimension is of this size."""
        return _as_listed(value) in self.known()

    def __add__(self, other: Shape | Sequence[Dim]) -> Shape:
        """The dimensions of both, one after the other; unknown if one is."""
        return _joined(self, as_shape(other)) if isinstance(other, (Shape, tuple, list)) else NotImplemented

    def __radd__(self, other: Sequence[Dim]) -> Shape:
        """The dimensions of both, one after the other; unknown if one is."""
        return _joined(as_shape(other), self) if isinstance(other, (tuple, list)) else NotImplemented

    def __bool__(self) -> bool:
        """Whether the rank is known."""
        return self.dims is not None

    def __repr__(self) -> str:
        return f"Shape({self})"

    def __str__(self) -> str:
        if self.dims is None:
            return "<unknown>"
        return "[" + ", ".join("?" if dim is None else str(dim) for dim in self.dims) + "]"


if not TYPE_CHECKING:
    # So that `case (rows, columns):` matches it. To type checkers it is no sequence, as it is no list of integers where
    # a size is unknown: they refuse `rng.normal(size=x.shape)`.
    Sequence.register(Shape)

UNKNOWN: Final = Shape(None)
SCALAR: Final = Shape(())

ShapeLike: TypeAlias = Shape | Iterable[Dim | SupportsIndex | Callable[[int], int]] | None
"""What a user may write for a shape: a `Shape`, dimensions (None or -1: unknown), or None for unknown rank.

`Batch = NewType("Batch", int)` is a dimension, too: that name, for the type checker and at run time. So is arithmetic
with it: `Times[Batch, Literal[2]]`."""


PartialShapeLike: TypeAlias = ShapeLike | Iterable[Dim | SupportsIndex | Callable[[int], int] | EllipsisType]
"""The same, where `...` may be any number of dimensions: `(..., 64)`."""


def as_shape(value: ShapeLike) -> Shape:
    """Convert what a user wrote to a `Shape`; a `ShapeError` says which dimension is wrong."""
    if isinstance(value, Shape):
        return value
    if value is None:
        return UNKNOWN
    try:
        dims = None if isinstance(value, (str, bytes)) else tuple(islice(value, _MOST_DIMENSIONS + 1))
    except TypeError:
        dims = None
    if dims is None:
        raise ShapeError(f"a shape is a tuple of dimensions, such as (3, 5) or (None, 5); got {brief(value)}")
    if len(dims) > _MOST_DIMENSIONS:
        raise ShapeError(f"a shape has at most {_MOST_DIMENSIONS} dimensions; got {brief(value)}")
    return Shape(tuple(map(_as_dim, dims)))


def with_rank(value: PartialShapeLike, rank: int | None) -> ShapeLike:
    """What a user wrote for a shape of this rank, with unknown dimensions in place of `...`."""
    if not isinstance(value, (tuple, list)) or not any(each is ... for each in value):
        return cast("ShapeLike", value)
    listed, written = list[Any](value), brief(value).replace("Ellipsis", "...")
    if listed.count(...) > 1:
        raise ShapeError(f"a shape has at most one `...`, but {written} has {listed.count(...)}")
    if rank is None:
        raise ShapeError(f"the shape is unknown, so that {written} says too little; state the rank, as in (None, 3)")
    at, more = listed.index(...), rank + 1 - len(listed)
    if more < 0:
        raise ShapeError(f"{written} is of rank {len(listed) - 1} or more, but the rank is {rank}")
    return (*listed[:at], *(None,) * more, *listed[at + 1 :])


def _joined(first: Shape, second: Shape) -> Shape:
    return UNKNOWN if first.dims is None or second.dims is None else Shape((*first.dims, *second.dims))


def _as_dim(dim: object) -> Dim:
    if dim is None or type(dim) is Name:
        return dim
    if isinstance(dim, NewType):
        return Name(dim.__name__)
    if isinstance(dim, str) and dim:
        return Name(dim) if type(dim) is str else dim
    if isinstance(dim, SupportsIndex) and not isinstance(dim, bool):
        with suppress(TypeError):  # an array may have __index__ and refuse it
            size = operator.index(dim)
            if size >= 0:
                return size
            if size == -1:
                return None
    if isinstance(dim, Size):
        return dim
    form = form_of(dim)
    if form is not None:
        kind, parts = form
        result = combined(kind, [_as_dim(part) for part in parts])
        if not isinstance(result, int) or result >= 0:
            return result
    raise ShapeError(f"a dimension is an int from 0 up, a name, or None (-1 also means unknown); got {brief(dim)}")


def _as_listed(dim: object) -> object:
    """A dimension as the shapes have it that it is written for; anything else as it is."""
    try:
        return _as_dim(dim)
    except ShapeError:
        return dim


def shared(shapes: Sequence[Shape]) -> Shape:
    """What several shapes have in common: the sizes that are the same, if the ranks are known and do not differ."""
    rows = [shape.dims for shape in shapes if shape.dims is not None]
    if len(rows) < len(shapes) or len(set(map(len, rows))) != 1:
        return UNKNOWN
    columns = zip(*rows, strict=True)
    return Shape(tuple(first if all(dim == first for dim in others) else None for first, *others in columns))


def merge_dim(a: Dim, b: Dim) -> Dim:
    """The dimension that is both `a` and `b`; a `ShapeError` if both are known and differ.

    A name equals only itself: a named dimension and an int differ.
    """
    if a == b or b is None:
        return a
    if a is None:
        return b
    if differ(a, b):
        raise ShapeError(f"dimensions {a} and {b} differ")
    return simpler(a, b)


def merge(a: Shape, b: Shape) -> Shape:
    """The shape that is both `a` and `b`; a `ShapeError` if none can be."""
    if a.dims is None:
        return b
    if b.dims is None:
        return a
    if len(a.dims) != len(b.dims):
        raise ShapeError(f"shapes {a} and {b} differ in rank")
    try:
        return Shape(tuple(merge_dim(x, y) for x, y in zip(a.dims, b.dims, strict=True)))
    except ShapeError:
        raise ShapeError(f"shapes {a} and {b} differ") from None


def broadcast(a: Shape, b: Shape) -> Shape:
    """The shape of an elementwise operation on `a` and `b`, by NumPy's rule; a `ShapeError` if they do not fit."""
    if a.dims is None or b.dims is None:
        return UNKNOWN
    if a.dims == b.dims and None not in a.dims:
        return a
    long, short = (a.dims, b.dims) if len(a.dims) >= len(b.dims) else (b.dims, a.dims)
    lead = len(long) - len(short)
    try:
        tail = tuple(_broadcast_dim(x, y) for x, y in zip(long[lead:], short, strict=True))
    except ShapeError as error:
        raise ShapeError(f"shapes {a} and {b} do not broadcast: {error}{_kept(long, short)}") from None
    return Shape(long[:lead] + tail)


def _kept(long: tuple[Dim, ...], short: tuple[Dim, ...]) -> str:
    """What to do about a shape that another one has without some of its dimensions, as after a reduction."""
    lost = len(long) - len(short)
    for axis in range(len(short) + 1 if lost and short else 0):
        if short == (*long[:axis], *long[axis + lost :]):
            kept = Shape((*long[:axis], *(1,) * lost, *long[axis + lost :]))
            axes = f"axis {axis}" if lost == 1 else f"axes {axis} to {axis + lost - 1}"
            by_hand = f"core.ExpandDims with axis {axis}" if lost == 1 else "core.Reshape"
            return f"; {kept} would fit: {KEEPING} over {axes} gives it, or {by_hand}"
    return ""


def _broadcast_dim(a: Dim, b: Dim) -> Dim:
    if a == b:
        return a
    if a == 1:
        return b
    if b == 1:
        return a
    if a is None or b is None:
        known = b if a is None else a
        # Beside an int (not 1), an unknown size must be 1 or that int. A name may itself be of size 1 at run time.
        return known if isinstance(known, int) else None
    if differ(a, b):
        raise ShapeError(f"{a} and {b} are neither equal nor 1")
    return simpler(a, b)
