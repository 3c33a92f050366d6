"""Shape functions of `ops/variable_parts.yaml`."""

from __future__ import annotations

from typegrad.base.errors import DTypeError, ShapeError
from typegrad.base.shape import Shape
from typegrad.base.types import TReal, TString
from typegrad.shapes.gather_and_scatter import at_points, check_updates
from typegrad.shapes.striding import check_assigned
from typegrad.shapes.variable import variable_shape
from typegrad.shapes.view import OpView


def gathered(op: OpView) -> Shape:
    """The shape of the points, followed by the shape of the slice at a point."""
    return at_points(op, _divisible(variable_shape(op)), "the variable")


def replaced(op: OpView) -> tuple[()]:
    """No outputs; the updates must fit the points in the variable."""
    check_updates(op, _divisible(variable_shape(op, "ref", "T")), "the variable")
    return ()


def added(op: OpView) -> tuple[()]:
    """No outputs; the updates must fit the points in the variable, and be no strings."""
    if op.attr("T") is TString:
        raise DTypeError("`updates` is string, which cannot be added or subtracted")
    return replaced(op)


def compared(op: OpView) -> tuple[()]:
    """No outputs; the updates must fit the points in the variable, and be real numbers."""
    if not issubclass(op.attr("T"), TReal):
        raise DTypeError(f"`updates` is {op.attr('T').name}, but only real numbers have an order")
    return replaced(op)


def _divisible(variable: Shape) -> Shape:
    if variable.dims == ():
        raise ShapeError("the variable is a scalar, which has no points to index; it must have rank 1 or more")
    return variable


def sliced(op: OpView) -> tuple[()]:
    """No outputs; the value must fit the slice of the variable."""
    check_assigned(op, variable_shape(op, "ref", "T"), "the variable")
    return ()
