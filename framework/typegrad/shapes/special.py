"""Shape functions of `ops/special.yaml`."""

from __future__ import annotations

from functools import reduce

from typegrad.base.shape import SCALAR, UNKNOWN, Shape, merge
from typegrad.shapes.view import OpView


def same_or_scalars(op: OpView, *names: str) -> Shape:
    """The one shape of the inputs that are not scalars."""
    shapes = [op.shape(name) for name in names]
    known = [shape for shape in shapes if shape.dims]
    if known:
        return reduce(merge, known)
    return UNKNOWN if any(shape.dims is None for shape in shapes) else SCALAR
