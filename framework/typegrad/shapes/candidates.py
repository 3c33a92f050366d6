"""Shape functions of `ops/candidates.yaml`."""

from __future__ import annotations

from typegrad.base.errors import ShapeError
from typegrad.base.shape import Shape
from typegrad.shapes.view import OpView


def candidates(op: OpView) -> tuple[Shape, Shape, Shape]:
    """`num_sampled` classes, and expected counts of the true and of the sampled classes."""
    true_classes, sampled = _true_classes(op), Shape((op.attr("num_sampled"),))
    return sampled, true_classes, sampled


def _true_classes(op: OpView) -> Shape:
    shape, count = op.rank("true_classes", 2), op.attr("num_true")
    rows, columns = shape.known()
    if isinstance(columns, int) and columns != count:
        raise ShapeError(f"`true_classes` must have `num_true` columns, which is {count}, but has shape {shape}")
    return Shape((rows, count))


def accidental_hits(op: OpView) -> tuple[Shape, Shape, Shape]:
    """As many as there are hits."""
    _true_classes(op)
    op.rank("sampled_candidates", 1)
    return Shape((None,)), Shape((None,)), Shape((None,))
