"""Shape and value functions of `ops/tiling_and_padding.yaml`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from typegrad.base.brief import counted
from typegrad.base.errors import ShapeError
from typegrad.base.shape import UNKNOWN, Dim, Shape, merge, merge_dim
from typegrad.base.size import minus, plus, times
from typegrad.shapes.values import MAX_VALUE, shape_from
from typegrad.shapes.view import OpView, Value

Widths: TypeAlias = tuple[tuple[Dim, Dim], ...]
"""The widths of the borders before and after each dimension."""


def tile(op: OpView) -> Shape:
    """Each size times its multiple."""
    shape, multiples = op.shape("input"), shape_from(op, "multiples")
    if shape.dims is None and multiples.dims is None:
        return UNKNOWN
    rank = len(shape.dims if shape.dims is not None else multiples.known())
    dims = shape.dims if shape.dims is not None else (None,) * rank
    factors = multiples.dims if multiples.dims is not None else (None,) * rank
    if len(dims) != len(factors):
        raise ShapeError(f"`multiples` has {counted(len(factors), 'element')}, but `input` has shape {shape}")
    return Shape(tuple(times(pair) for pair in zip(dims, factors, strict=True)))


def tile_value(op: OpView) -> Value | None:
    """The value, repeated along each dimension."""
    shape, value, multiples = tile(op), op.value("input"), op.value("multiples")
    if value is None or not isinstance(multiples, tuple) or not _is_small(shape):
        return None
    return _repeated(value, multiples)


def broadcast_to_value(op: OpView) -> Value | None:
    """The value, repeated along new dimensions and those of size 1."""
    shape, value = broadcast_to(op), op.value("input")
    if value is None or not _is_small(shape):
        return None
    sizes, own = shape.as_ints(), op.shape("input").as_ints()
    lead = len(sizes) - len(own)
    for _ in range(lead):
        value = (value,)
    tail = (size if dim == 1 else 1 for dim, size in zip(own, sizes[lead:], strict=True))
    return _repeated(value, (*sizes[:lead], *tail))


def _is_small(shape: Shape) -> bool:
    """Whether the value of an operand of this shape is looked at."""
    return shape.size is not None and shape.size <= MAX_VALUE


def _repeated(value: Value, multiples: Sequence[Value]) -> Value:
    """Nested tuples, repeated so often along each dimension."""
    if not multiples or not isinstance(value, tuple) or not isinstance(multiples[0], int):
        return value
    return tuple(_repeated(each, multiples[1:]) for each in value) * multiples[0]


def broadcast_to(op: OpView) -> Shape:
    """The requested shape, if the input can be broadcast to it."""
    shape, target = op.shape("input"), shape_from(op, "shape")
    if shape.dims is None or target.dims is None:
        return target
    lead = len(target.dims) - len(shape.dims)
    if lead < 0:
        raise ShapeError(f"`input` has shape {shape}, of higher rank than `shape` {target}")
    try:
        tail = [
            each if dim == 1 else merge_dim(each, dim) for dim, each in zip(shape.dims, target.dims[lead:], strict=True)
        ]
    except ShapeError as error:
        raise ShapeError(f"`input` of shape {shape} cannot be broadcast to {target}: {error}") from None
    # Where only the input's size is known, it is the result's, unless it depends on names and may turn out to be 1.
    known = (
        None if each is None and not isinstance(dim, int) else dim
        for dim, each in zip(tail, target.dims[lead:], strict=True)
    )
    return Shape((*target.dims[:lead], *known))


def pad_v2(op: OpView) -> Shape:
    """Each size and the widths of its two borders."""
    op.rank("constant_values", 0)
    return _padded(*_paddings(op))


def _padded(shape: Shape, widths: Widths) -> Shape:
    if shape.dims is None:
        return UNKNOWN
    return Shape(tuple(plus((dim, *pair)) for dim, pair in zip(shape.dims, widths, strict=True)))


def _paddings(op: OpView) -> tuple[Shape, Widths]:
    """The shape of the input, and for each dimension the widths of its two borders."""
    table = op.shape("paddings")
    if table.rank in (0, 1):
        remedy = "write [[before, after], ...], a pair for each dimension"
        raise ShapeError(f"`paddings` must have rank 2, but has shape {table}; {remedy}")
    rows, columns = op.rank("paddings", 2).known()
    if columns not in (None, 2):
        raise ShapeError(f"`paddings` must have shape [n, 2], but has shape {op.shape('paddings')}")
    count = rows if isinstance(rows, int) else None
    shape = op.shape("input")
    if count is not None:
        shape = merge(shape, Shape((None,) * count)) if shape.rank in (None, count) else shape
    if shape.dims is None:
        return UNKNOWN, ()
    if count not in (None, len(shape.dims)):
        raise ShapeError(f"`paddings` has {counted(count, 'row')}, but `input` has shape {shape}")
    widths: Widths = op.value("paddings") or ((None, None),) * len(shape.dims)
    if any(isinstance(width, int) and width < 0 for pair in widths for width in pair):
        raise ShapeError(f"`paddings` must not be negative, but is {_listed(widths)}")
    return shape, widths


def mirror_pad(op: OpView) -> Shape:
    """Each size and the widths of its two borders, which are no wider than what is mirrored."""
    shape, widths = _paddings(op)
    _check_mirrored(op, shape, widths, "`input`")
    return _padded(shape, widths)


def mirror_pad_grad(op: OpView) -> Shape:
    """Each size without its two borders, which are no wider than what was mirrored."""
    shape, widths = _paddings(op)
    if shape.dims is None:
        return UNKNOWN
    inner = Shape(tuple(minus(dim, plus(pair)) for dim, pair in zip(shape.dims, widths, strict=True)))
    if any(isinstance(dim, int) and dim < 0 for dim in inner.known()):
        raise ShapeError(f"`paddings` {_listed(widths)} leave nothing of `input`, which has shape {shape}")
    _check_mirrored(op, inner, widths, "the result")
    return inner


def _check_mirrored(op: OpView, shape: Shape, widths: Widths, what: str) -> None:
    mode = op.attr("mode")
    limit = -1 if mode == "REFLECT" else 0
    for axis, (dim, pair) in enumerate(zip(shape.dims or (), widths, strict=True)):
        if isinstance(dim, int) and any(isinstance(width, int) and width > dim + limit for width in pair):
            raise ShapeError(
                f"`paddings[{axis}]` is {list(pair)}, but mode {mode!r} mirrors at most {max(dim + limit, 0)} "
                f"elements of dimension {axis} of {what}, whose shape is {shape}"
            )


def _listed(widths: Widths) -> list[list[Dim]]:
    return [list(pair) for pair in widths]
