"""Shape functions of `ops/isotonic.yaml`."""

from __future__ import annotations

from typegrad.base.shape import Shape
from typegrad.shapes.view import OpView


def isotonic_regression(op: OpView) -> tuple[Shape, Shape]:
    """The shape of the rows, twice."""
    return op.like("input"), op.like("input")
