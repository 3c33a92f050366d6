"""Shape functions of `ops/sets.yaml`."""

from __future__ import annotations

from typegrad.base.errors import ShapeError
from typegrad.base.shape import UNKNOWN, Shape
from typegrad.shapes.view import OpView


def unique(op: OpView) -> tuple[Shape, Shape]:
    """x with an unknown number of slices along the axis, and a number for each slice of x."""
    x, axis, axes = op.shape("x"), op.value("axis"), op.rank("axis", 1).known()[0]
    if axes == 0:
        if x.rank not in (1, None):
            raise ShapeError(f"`x` must have rank 1, but has shape {x}; give `axis` to compare slices along an axis")
        return Shape((None,)), op.rank("x", 1)
    if axis is None:
        return (UNKNOWN if x.rank is None else Shape((None,) * x.rank)), Shape((None,))
    if len(axis) > 1:
        raise ShapeError(f"`axis` must be a vector of one axis or none, but is {list(axis)}")
    if x.dims is None or axis[0] is None:
        return x if x.dims is None else Shape((None,) * len(x.dims)), Shape((None,))
    if not -len(x.dims) <= axis[0] < len(x.dims):
        raise ShapeError(f"`axis` is {axis[0]}, but `x` has shape {x}")
    dim = axis[0] % len(x.dims)
    return Shape((*x.dims[:dim], None, *x.dims[dim + 1 :])), Shape((x.dims[dim],))


def unique_with_counts(op: OpView) -> tuple[Shape, Shape, Shape]:
    """x with an unknown number of slices along the axis, a number for each slice of x, and one for each slice kept."""
    return *unique(op), Shape((None,))


def list_diff(op: OpView) -> tuple[Shape, Shape]:
    """Two vectors of one length."""
    op.rank("x", 1)
    op.rank("y", 1)
    return Shape((None,)), Shape((None,))
