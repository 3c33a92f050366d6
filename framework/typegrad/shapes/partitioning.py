"""Shape functions of `ops/partitioning.yaml`."""

from __future__ import annotations

from typegrad.base.errors import ShapeError
from typegrad.base.shape import UNKNOWN, Shape, merge
from typegrad.shapes.segment import slice_of
from typegrad.shapes.values import flat
from typegrad.shapes.view import OpView


def dynamic_partition(op: OpView) -> tuple[Shape, ...]:
    """For each partition its slices, whose number is known where the partitions are."""
    count: int = op.attr("num_partitions")
    slice_ = slice_of(op.shape("data"), op.shape("partitions"), "`data`", "`partitions`")
    if slice_.dims is None:
        return (UNKNOWN,) * count
    numbers = _integers(op, "partitions")
    sizes = [None] * count if numbers is None else [numbers.count(number) for number in range(count)]
    return tuple(Shape((size, *slice_.dims)) for size in sizes)


def dynamic_stitch(op: OpView) -> Shape:
    """As many slices as the largest index says."""
    indices, data = op.shapes("indices"), op.shapes("data")
    if len(indices) != len(data):
        raise ShapeError(f"`indices` are {len(indices)} arrays, but `data` are {len(data)}; each needs the other")
    slice_ = UNKNOWN
    for number, (places, values) in enumerate(zip(indices, data, strict=True)):
        more = slice_of(values, places, f"`data[{number}]`", f"`indices[{number}]`")
        try:
            slice_ = merge(slice_, more)
        except ShapeError:
            raise ShapeError(
                f"slices have one shape, but a slice of `data[{number}]` has shape {more}, and one before it {slice_}"
            ) from None
    if slice_.dims is None:
        return UNKNOWN
    places_used = _integers(op, "indices")
    return Shape((None if places_used is None else max(places_used, default=-1) + 1, *slice_.dims))


def _integers(op: OpView, name: str) -> list[int] | None:
    """The elements of an input, if all are known."""
    value = op.value(name)
    elements = [None] if value is None else flat(value)
    known = [each for each in elements if isinstance(each, int)]
    return known if len(known) == len(elements) else None
