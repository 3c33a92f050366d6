"""Shape and value functions of `ops/graph.yaml`."""

from __future__ import annotations

from typegrad.base.errors import ShapeError
from typegrad.base.shape import Shape, as_shape
from typegrad.shapes.shape import ensured
from typegrad.shapes.view import OpView, Value


def placeholder_with_default(op: OpView) -> Shape:
    """The stated shape: it may say less than the default's shape, because something else may be fed."""
    stated = as_shape(op.attr("shape"))
    ensured(op.shape("input"), stated)
    return stated


def identity_value(op: OpView) -> Value | None:
    """The input's value."""
    return op.value("input")


def identity_n(op: OpView) -> tuple[Shape, ...]:
    """Every input's own shape."""
    shapes = op.shapes("input")
    if not shapes:
        raise ShapeError("`input` is an empty list; it takes at least one operand")
    return shapes
