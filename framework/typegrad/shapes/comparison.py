"""Shape functions of `ops/comparison.yaml`."""

from __future__ import annotations

from typegrad.base import shape as shapes
from typegrad.base.errors import ShapeError
from typegrad.base.shape import SCALAR, UNKNOWN, Shape
from typegrad.shapes.view import OpView


def equality(op: OpView, left: str, right: str) -> Shape:
    """Broadcast, or a scalar if the shapes do not fit and that is not an error."""
    x, y = op.shape(left), op.shape(right)
    if op.attr("incompatible_shape_error"):
        return shapes.broadcast(x, y)
    if x.dims is None or y.dims is None:
        return UNKNOWN
    if x.is_static and y.is_static:
        try:
            return shapes.broadcast(x, y)
        except ShapeError:
            return SCALAR
    pairs = zip(reversed(x.dims), reversed(y.dims), strict=False)
    always_fit = all(1 in pair or (None not in pair and pair[0] == pair[1]) for pair in pairs)
    return shapes.broadcast(x, y) if always_fit else UNKNOWN
