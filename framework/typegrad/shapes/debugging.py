"""Shape functions of `ops/debugging.yaml`."""

from __future__ import annotations

from typegrad.base.errors import ShapeError
from typegrad.shapes.view import OpView


def assert_that(op: OpView) -> tuple[()]:
    """No outputs; the condition is a scalar, and there are values to show."""
    condition = op.shape("condition")
    if condition.dims:
        raise ShapeError(f"`condition` must be a scalar, but has shape {condition}; core.All makes one of it")
    if not op.shapes("data"):
        raise ShapeError("`data` must have one value or more to show where the condition is false")
    return ()
