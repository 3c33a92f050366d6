"""Shape functions of `ops/random.yaml`."""

from __future__ import annotations

from typegrad.base.shape import Shape
from typegrad.shapes.values import shape_from
from typegrad.shapes.view import OpView


def random(op: OpView) -> Shape:
    """The shape that is asked for."""
    return shape_from(op, "shape")


def random_uniform_int(op: OpView) -> Shape:
    """The shape that is asked for; the bounds are scalars."""
    op.rank("minval", 0)
    op.rank("maxval", 0)
    return shape_from(op, "shape")
