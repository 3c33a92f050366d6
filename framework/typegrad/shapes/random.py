"""Shape functions of `ops/random.yaml`."""

from __future__ import annotations

from typegrad.base.errors import ShapeError
from typegrad.base.shape import Shape
from typegrad.shapes.values import shape_from
from typegrad.shapes.view import OpView


def random(op: OpView) -> Shape:
    """The requested shape."""
    return shape_from(op, "shape")


def random_uniform_int(op: OpView) -> Shape:
    """The requested shape; the bounds are scalars."""
    op.rank("minval", 0)
    op.rank("maxval", 0)
    return shape_from(op, "shape")


def multinomial(op: OpView) -> Shape:
    """A row of `num_samples` classes for each row of logits."""
    logits, count = op.rank("logits", 2), op.value("num_samples")
    op.rank("num_samples", 0)
    rows, classes = logits.known()
    if classes == 0:
        raise ShapeError(f"`logits` has shape {logits}: there is no class to draw")
    if isinstance(count, int) and count < 0:
        raise ShapeError(f"`num_samples` is {count}, but cannot be negative")
    return Shape((rows, count))
