"""Shape and value functions of strided slices: `ops/slicing.yaml` names them."""

from __future__ import annotations

from typing import Literal, NamedTuple

from typegrad.base.brief import counted
from typegrad.base.errors import ShapeError
from typegrad.base.shape import UNKNOWN, Dim, Shape, merge, merge_dim
from typegrad.base.size import floored, minus, plus
from typegrad.shapes.values import dims_of, restructured, shape_from
from typegrad.shapes.view import OpView, Value


class _Item(NamedTuple):
    """One position of `begin`, `end` and `strides` (None: not known).

    A range that is open at an end goes as far as it can.
    """

    position: int
    kind: Literal["range", "index", "new axis", "ellipsis"]
    begin: Dim
    end: Dim
    stride: Dim
    open_begin: bool
    open_end: bool


def strided(op: OpView) -> Shape:
    """What the ranges leave of each dimension."""
    return _strided(op, op.shape("input"))


def strided_update(op: OpView) -> Shape:
    """The shape of the input; the value must fit the slice."""
    array = op.shape("input")
    check_assigned(op, array)
    return array


def check_assigned(op: OpView, array: Shape, what: str = "`input`") -> None:
    """Refuse a value that is not broadcast to the shape of a slice of an array.

    As in NumPy, it may have more leading dimensions of size 1.
    """
    part, value = _strided(op, array, what), op.shape("value")
    if part.dims is None or value.dims is None:
        return
    extra = max(len(value.dims) - len(part.dims), 0)
    try:
        for dim in value.dims[:extra]:
            merge_dim(dim, 1)
        for dim, size in zip(value.dims[extra:][::-1], part.dims[::-1], strict=False):
            if dim != 1:
                merge_dim(dim, size)
    except ShapeError:
        raise ShapeError(
            f"`value` has shape {value}, which cannot be broadcast to {part}, the shape of the slice of {what} {array}"
        ) from None


def strided_grad(op: OpView) -> Shape:
    """The requested shape; `dy` must have the shape of its slice."""
    shape, dy = shape_from(op, "shape"), op.shape("dy")
    expected = _strided(op, shape)
    try:
        merge(dy, expected)
    except ShapeError:
        raise ShapeError(
            f"`dy` has shape {dy}, but the slice of an array of shape {shape} has shape {expected}"
        ) from None
    return shape


def strided_value(op: OpView) -> Value | None:
    """A range or an element of a vector, or all elements where there are new dimensions alone."""
    x, items = op.value("input"), _items(op)
    if x is not None and items is not None and all(map(_is_whole, items)):
        return restructured(x, strided(op))
    if not isinstance(x, tuple) or items is None or len(items) != 1:
        return None
    (item,) = items
    if item.kind == "index":
        return x[item.begin] if isinstance(item.begin, int) and -len(x) <= item.begin < len(x) else None
    elements = _known_slice(item)
    return x[elements] if item.kind == "range" and elements is not None else None


def _is_whole(item: _Item) -> bool:
    """Whether a position leaves out no element."""
    return item.kind in ("new axis", "ellipsis") or (
        item.kind == "range" and item.open_begin and item.open_end and item.stride == 1
    )


def _known_slice(item: _Item) -> slice | None:
    """A range as Python's slice, if all of it is known."""
    bounds = ((item.begin, item.open_begin), (item.end, item.open_end), (item.stride, False))
    if not all(is_open or isinstance(value, int) for value, is_open in bounds):
        return None
    return slice(*(None if is_open else value for value, is_open in bounds))


def _strided(op: OpView, source: Shape, what: str = "`input`") -> Shape:
    mask = op.attr("ellipsis_mask")
    if mask & (mask - 1):
        raise ShapeError(f"`ellipsis_mask` is {mask}, which has several bits set, but there can be only one ellipsis")
    items = _items(op)
    if items is None:
        return UNKNOWN
    if source.dims is None:
        return UNKNOWN
    used = sum(item.kind in ("range", "index") for item in items)
    rest = len(source.dims) - used
    if rest < 0:
        raise ShapeError(
            f"{counted(used, 'dimension')} {'is' if used == 1 else 'are'} indexed, but {what} has shape {source}"
        )
    axes, result = iter(range(len(source.dims))), list[Dim]()
    for item in items:
        if item.kind == "ellipsis":
            result.extend(source.dims[next(axes)] for _ in range(rest))
        elif item.kind == "new axis":
            result.append(1)
        elif item.kind == "index":
            _check_index(item, source, next(axes))
        else:
            result.append(_range_dim(item, source.dims[next(axes)]))
    return Shape((*result, *(source.dims[axis] for axis in axes)))


def _items(op: OpView) -> tuple[_Item, ...] | None:
    """What each position means; None if not even their number is known."""
    vectors = {name: dims_of(op, name) for name in ("begin", "end", "strides")}
    lengths = {len(known) for known in vectors.values() if known is not None}
    if len(lengths) > 1:
        shapes = ", ".join(f"`{name}` has shape {op.shape(name)}" for name in vectors)
        raise ShapeError(f"`begin`, `end` and `strides` must be of the same length, but {shapes}")
    if not lengths:
        return None
    unknown = (None,) * lengths.pop()
    begin, end, strides = (known or unknown for known in vectors.values())
    return tuple(_item(op, *part) for part in zip(range(len(unknown)), begin, end, strides, strict=True))


def _item(op: OpView, position: int, begin: Dim, end: Dim, stride: Dim) -> _Item:
    def has(mask: str) -> bool:
        return bool(op.attr(f"{mask}_mask") >> position & 1)

    kind: Literal["range", "index", "new axis", "ellipsis"] = "range"
    if has("ellipsis"):
        kind = "ellipsis"
    elif has("new_axis"):
        kind = "new axis"
    elif has("shrink_axis"):
        kind = "index"
    return _Item(position, kind, begin, end, stride, has("begin"), has("end"))


def _check_index(item: _Item, source: Shape, axis: int) -> None:
    dim = source.known()[axis]
    if isinstance(item.stride, int) and item.stride <= 0:
        raise ShapeError(
            f"`strides[{item.position}]` is {item.stride}, but must be positive where a single index is taken"
        )
    if isinstance(item.begin, int) and isinstance(dim, int) and not -dim <= item.begin < dim:
        raise ShapeError(f"index {item.begin} is out of range for dimension {axis} of shape {source}")


def _range_dim(item: _Item, dim: Dim) -> Dim:
    if item.stride == 0:
        raise ShapeError(f"`strides[{item.position}]` must not be 0")
    whole_begin, whole_end = item.open_begin or item.begin == 0, item.open_end or (dim is not None and item.end == dim)
    if (item.stride == 1 and whole_begin and whole_end) or (item.stride == -1 and item.open_begin and item.open_end):
        return dim
    elements = _known_slice(item)
    if isinstance(dim, int) and elements is not None:
        return len(range(*elements.indices(dim)))
    return _named_range(item, dim)


def _named_range(item: _Item, dim: Dim) -> Dim:
    """The length of a range of a dimension with a name, where no bound is clipped.

    What reaches from a bound to one that is counted from the end does not fit a dimension that is too short: a run with
    such a size is refused. How much `x[:5]` takes remains unknown; but a named dimension has at least one element.
    """
    begin: Dim = 0 if item.open_begin else item.begin
    end: Dim = dim if item.open_end else item.end
    if dim is None or isinstance(dim, int) or not isinstance(item.stride, int) or item.stride < 1:
        return None
    first, last = (plus((dim, each)) if isinstance(each, int) and each < 0 else each for each in (begin, end))
    left, length = minus(dim, last), minus(last, first)
    if length == 1 and (last == 1 or left == 0):
        return 1
    if isinstance(length, int) or not isinstance(left, int) or left < 0:
        return None
    return floored(plus((length, item.stride - 1)), item.stride)
