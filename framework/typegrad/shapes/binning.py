"""Shape functions of `ops/binning.yaml`."""

from __future__ import annotations

from itertools import pairwise

from typegrad.base.errors import AttributeValueError, ShapeError
from typegrad.base.shape import UNKNOWN, Dim, Shape, merge, merge_dim
from typegrad.shapes.values import size_of
from typegrad.shapes.view import OpView


def bound(op: OpView) -> Shape:
    """The shape of the values, which have as many rows as there are sorted rows."""
    rows, values = op.rank("sorted_inputs", 2), op.rank("values", 2)
    try:
        return Shape((merge_dim(rows[0], values[0]), values[1]))
    except ShapeError:
        raise ShapeError(
            f"`sorted_inputs` and `values` must have the same number of rows, but have shapes {rows} and {values}"
        ) from None


def bucketize(op: OpView) -> Shape:
    """The input's shape; the boundaries are in order."""
    boundaries = op.attr("boundaries")
    for first, second in pairwise(boundaries):
        if first > second:
            raise AttributeValueError(f"`boundaries` must be in ascending order, but {second} follows {first}")
    return op.shape("input")


def histogram_fixed_width(op: OpView) -> Shape:
    """A vector of bins."""
    limits, count = op.rank("value_range", 1), size_of(op, "nbins")
    if limits[0] not in (None, 2):
        raise ShapeError(f"`value_range` must be [a, b], but has shape {limits}")
    if isinstance(count, int) and count < 1:
        raise ShapeError(f"`nbins` is {count}, but must be 1 or more")
    return Shape((count,))


def bincount(op: OpView) -> Shape:
    """A vector of bins; there is a weight for each integer, or none."""
    integers, weights = op.shape("arr").size, op.shape("weights").size
    if integers is not None and weights not in (None, 0, integers):
        raise ShapeError(f"`weights` must have as many elements as `arr`, {integers}, or none, but has {weights}")
    return Shape((_bins(op),))


def dense_bincount(op: OpView) -> Shape:
    """A vector of bins, or a row of bins for each row of a matrix."""
    x, weights, count = op.shape("input"), op.shape("weights"), _bins(op)
    if x.dims is not None and len(x.dims) > 2:
        raise ShapeError(f"`input` must be a scalar, a vector or a matrix, but has shape {x}")
    if weights.size not in (None, 0):
        try:
            x = merge(x, weights)
        except ShapeError:
            raise ShapeError(
                f"`weights` must have the shape of `input`, {x}, or no elements, but has shape {weights}"
            ) from None
    return UNKNOWN if x.dims is None else Shape((*x.dims[:1], count) if len(x.dims) == 2 else (count,))


def _bins(op: OpView) -> Dim:
    count = size_of(op, "size")
    if isinstance(count, int) and count < 0:
        raise ShapeError(f"`size` is {count}, but cannot be negative")
    return count
