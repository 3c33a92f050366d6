"""Shape functions that many operations share. An entry gives them input names: `shape: same_as(x)`."""

from __future__ import annotations

from functools import reduce

from typegrad.base import shape as shapes
from typegrad.base.errors import ShapeError
from typegrad.base.shape import SCALAR, UNKNOWN, Shape, as_shape
from typegrad.shapes.view import OpView

__all__ = ["broadcast", "from_attr", "merged", "none", "same_as", "scalar", "square", "unknown"]


def same_as(op: OpView, name: str) -> Shape:
    """The shape of one input."""
    return op.like(name)


def merged(op: OpView, *names: str) -> Shape:
    """Inputs that must all have one shape: that shape."""
    try:
        return reduce(shapes.merge, (shape for name in names for shape in op.shapes(name)))
    except ShapeError as error:
        listed = " and ".join(f"`{name}`" for name in names)
        raise ShapeError(f"{listed} must have one shape: {error}") from None


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
    return reduce(shapes.broadcast, (op.shape(name) for name in names))


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
