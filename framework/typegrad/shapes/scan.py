"""Shape functions of `ops/scan.yaml`."""

from __future__ import annotations

from typegrad.base.shape import Shape
from typegrad.shapes.reduction import scalar_axis
from typegrad.shapes.view import OpView


def scanned(op: OpView) -> Shape:
    """The shape of the input, whose values accumulate along one axis."""
    x = op.at_least("x", 1)
    scalar_axis(op, "axis", x.rank)
    return x
