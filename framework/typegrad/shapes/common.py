"""Shape functions that many operations share. An entry gives them input names: `shape: same_as(x)`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import combinations
from typing import Final

from typegrad.base import shape as shapes
from typegrad.base.errors import ShapeError
from typegrad.base.shape import SCALAR, UNKNOWN, Shape, as_shape
from typegrad.shapes.view import OpView

__all__ = ["broadcast", "disagreement", "from_attr", "merged", "none", "same_as", "scalar", "square", "unknown"]


_MOST_LISTED: Final = 4
"""How many shapes an error shows all of."""


def same_as(op: OpView, name: str) -> Shape:
    """The shape of one input."""
    return op.like(name)


def merged(op: OpView, *names: str) -> Shape:
    """Inputs that must all have one shape: that shape."""
    try:
        return reduce(shapes.merge, (shape for name in names for shape in op.shapes(name)))
    except ShapeError as error:
        listed = " and ".join(f"`{name}`" for name in names)
        wrong = "".join(f"{told}: " for name in names if (told := disagreement(name, op.shapes(name))))
        raise ShapeError(f"{listed} must have one shape: {wrong}{error}") from None


def disagreement(name: str, items: Sequence[Shape], but: int | None = None) -> str:
    """Which two of many shapes do not fit: "values[20] has shape [2, 1], but values[0] has [3]"; "" for a few.

    The dimension `but` does not count.
    """
    if len(items) > _MOST_LISTED:
        for (i, one), (k, other) in combinations(enumerate(items), 2):
            if not _fit(_without(one, but), _without(other, but)):
                return f"{name}[{k}] has shape {other}, but {name}[{i}] has {one}"
    return ""


def _without(shape: Shape, dimension: int | None) -> Shape:
    if dimension is None or shape.dims is None:
        return shape
    return Shape((*shape.dims[:dimension], *shape.dims[dimension + 1 :]))


def _fit(one: Shape, other: Shape) -> bool:
    try:
        shapes.merge(one, other)
    except ShapeError:
        return False
    return True


def square(op: OpView, name: str) -> Shape:
    """The shape of an input of square matrices."""
    x = op.at_least(name, 2)
    if x.dims is None:
        return x
    try:
        m = shapes.merge_dim(*x.dims[-2:])
    except ShapeError:
        raise ShapeError(f"`{name}` must hold square matrices, but has shape {x}") from None
    return Shape((*x.dims[:-2], m, m))


def broadcast(op: OpView, *names: str) -> Shape:
    """The inputs' shapes, broadcast by NumPy's rule."""
    # The known ones first: they may not fit, whatever the others are.
    return reduce(shapes.broadcast, sorted(map(op.shape, names), key=lambda shape: shape.dims is None))


def from_attr(op: OpView, name: str) -> Shape:
    """The shape that an attribute states."""
    return as_shape(op.attr(name))


def scalar(op: OpView) -> Shape:
    """Rank 0."""
    return SCALAR


def unknown(op: OpView) -> Shape:
    """Not known before the run."""
    return UNKNOWN


def none(op: OpView) -> tuple[()]:
    """No outputs."""
    return ()
