"""Shape and value functions of `ops/scan.yaml`."""

from __future__ import annotations

from typegrad.base.errors import ShapeError
from typegrad.base.shape import UNKNOWN, Shape, merge
from typegrad.shapes.values import axis_in
from typegrad.shapes.view import OpView, Value


def _scalar_axis(op: OpView, name: str, rank: int | None) -> int | None:
    """A scalar input as an axis from 0 up, if it and the rank are known."""
    op.rank(name, 0)
    axis = op.value(name)
    return axis_in(axis, rank, name) if isinstance(axis, int) and rank is not None else None


def scanned(op: OpView) -> Shape:
    """The shape of the input, along one of whose axes is accumulated."""
    x = op.at_least("x", 1)
    _scalar_axis(op, "axis", x.rank)
    return x


def arg_reduced(op: OpView) -> Shape:
    """The input's shape without one axis."""
    x = op.at_least("input", 1)
    axis = _scalar_axis(op, "dimension", x.rank)
    if x.dims is None:
        return UNKNOWN
    if axis is None:
        return Shape((None,) * (len(x.dims) - 1))
    if x.dims[axis] == 0:
        raise ShapeError(f"`input` has shape {x}: axis {axis} is empty, so there is no position to return")
    return Shape(x.dims[:axis] + x.dims[axis + 1 :])


def segmented(op: OpView) -> Shape:
    """One row per segment: [num_segments], then what of the data's shape is beyond that of the ids."""
    data, ids = op.shape("data"), op.shape("segment_ids")
    op.rank("num_segments", 0)
    count = op.value("num_segments")
    if isinstance(count, int) and count < 0:
        raise ShapeError(f"`num_segments` is {count}, but cannot be negative")
    if data.dims is None or ids.dims is None:
        return UNKNOWN
    rank = len(ids.dims)
    try:
        merge(Shape(data.dims[:rank]), ids)
    except ShapeError:
        raise ShapeError(f"the shape of `data` must start with that of `segment_ids`: {data} and {ids}") from None
    return Shape((count, *data.dims[rank:]))


def inverted(op: OpView) -> Shape:
    """A vector, as long as the input."""
    return op.rank("x", 1)


def inverted_value(op: OpView) -> Value | None:
    """Where each of 0 .. n-1 stands."""
    x = op.value("x")
    if x is None or set(x) != set(range(len(x))):
        return None
    return tuple(x.index(i) for i in range(len(x)))
