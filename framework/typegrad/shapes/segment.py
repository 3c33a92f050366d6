"""Shape functions of `ops/segment.yaml`."""

from __future__ import annotations

from typegrad.base.errors import ShapeError
from typegrad.base.shape import UNKNOWN, Shape, merge
from typegrad.shapes.view import OpView


def segmented(op: OpView) -> Shape:
    """One row per segment: [num_segments], then the dimensions of the data that follow the ids'."""
    return _segments(op, op.shape("segment_ids"))


def _segments(op: OpView, ids: Shape) -> Shape:
    data = op.shape("data")
    op.rank("num_segments", 0)
    count = op.value("num_segments")
    if isinstance(count, int) and count < 0:
        raise ShapeError(f"`num_segments` is {count}, but cannot be negative")
    row = slice_of(data, ids, "`data`", "`segment_ids`")
    return UNKNOWN if row.dims is None else Shape((count, *row.dims))


def slice_of(data: Shape, ids: Shape, data_name: str, ids_name: str) -> Shape:
    """The shape of a slice of data that has an id for each slice: what follows the shape of the ids."""
    if data.dims is None or ids.dims is None:
        return UNKNOWN
    rank = len(ids.dims)
    try:
        merge(Shape(data.dims[:rank]), ids)
    except ShapeError:
        raise ShapeError(
            f"the shape of {data_name} must start with the shape of {ids_name}: {data} and {ids}"
        ) from None
    return Shape(data.dims[rank:])


def sorted_segments(op: OpView) -> Shape:
    """One row per segment: [num_segments], then the dimensions of a row of the data."""
    return _segments(op, op.rank("segment_ids", 1))


def segment_mean(op: OpView) -> Shape:
    """One row per segment; the last id says how many there are."""
    row = slice_of(op.at_least("data", 1), op.rank("segment_ids", 1), "`data`", "`segment_ids`")
    ids = op.value("segment_ids")
    last = None if ids is None else ids[-1] if ids else -1
    return UNKNOWN if row.dims is None else Shape((last + 1 if isinstance(last, int) else None, *row.dims))
