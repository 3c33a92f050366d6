"""Shape and value functions of `ops/slicing.yaml`, but for strided slices."""

from __future__ import annotations

from typegrad.base.errors import ShapeError
from typegrad.base.shape import UNKNOWN, Dim, Shape
from typegrad.base.size import minus
from typegrad.shapes.values import dims_of
from typegrad.shapes.view import OpView, Value


def sliced(op: OpView) -> Shape:
    """The size, with what is left of a dimension where that is -1."""
    x, begin, size = op.shape("input"), dims_of(op, "begin"), dims_of(op, "size")
    lengths = {len(known) for known in (begin, size, x.dims) if known is not None}
    if len(lengths) > 1:
        raise ShapeError(
            "`begin` and `size` must have as many elements as `input` has dimensions: "
            f"`begin` has shape {op.shape('begin')}, `size` {op.shape('size')}, `input` {x}"
        )
    if not lengths:
        return UNKNOWN
    unknown = (None,) * lengths.pop()
    parts = zip(x.dims or unknown, begin or unknown, size or unknown, strict=True)
    return Shape(tuple(_sliced_dim(axis, *part) for axis, part in enumerate(parts)))


def slice_value(op: OpView) -> Value | None:
    """A part of a vector."""
    x, begin, size = op.value("input"), op.value("begin"), op.value("size")
    if not isinstance(x, tuple) or begin is None or size is None or len(begin) != 1:
        return None
    (first,), (count,) = begin, size
    if not isinstance(first, int) or not isinstance(count, int):
        return None
    return x[first:] if count == -1 else x[first : first + count]


def _sliced_dim(axis: int, dim: Dim, begin: Dim, size: Dim) -> Dim:
    if isinstance(begin, int) and (begin < 0 or (isinstance(dim, int) and begin > dim)):
        raise ShapeError(f"`begin[{axis}]` is {begin}, but must be {_up_to(dim)}")
    left = minus(dim, begin)
    if size == -1:
        return left
    room = left if isinstance(left, int) else dim
    if isinstance(size, int) and (size < -1 or (isinstance(room, int) and size > room)):
        raise ShapeError(f"`size[{axis}]` is {size}, but must be -1 or {_up_to(room)}")
    return size


def _up_to(limit: Dim) -> str:
    return f"in [0, {limit}]" if isinstance(limit, int) else "0 or more"
