"""Shape functions of `ops/tiling_and_padding.yaml`."""

from __future__ import annotations

from typegrad.base.errors import ShapeError
from typegrad.base.shape import UNKNOWN, Shape, merge, merge_dim
from typegrad.base.size import plus, times
from typegrad.shapes.values import shape_from
from typegrad.shapes.view import OpView


def tile(op: OpView) -> Shape:
    """Each size times its multiple."""
    shape, multiples = op.shape("input"), shape_from(op, "multiples")
    if shape.dims is None and multiples.dims is None:
        return UNKNOWN
    rank = len(shape.dims if shape.dims is not None else multiples.known())
    dims = shape.dims if shape.dims is not None else (None,) * rank
    factors = multiples.dims if multiples.dims is not None else (None,) * rank
    if len(dims) != len(factors):
        raise ShapeError(f"`multiples` has {len(factors)} elements, but `input` has shape {shape}")
    return Shape(tuple(times(pair) for pair in zip(dims, factors, strict=True)))


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
    rows, columns = op.rank("paddings", 2).known()
    if columns not in (None, 2):
        raise ShapeError(f"`paddings` must be of shape [n, 2], but is {op.shape('paddings')}")
    counted = rows if isinstance(rows, int) else None
    shape = op.shape("input")
    if counted is not None:
        shape = merge(shape, Shape((None,) * counted)) if shape.rank in (None, counted) else shape
    if shape.dims is None:
        return UNKNOWN
    if counted not in (None, len(shape.dims)):
        raise ShapeError(f"`paddings` has {counted} rows, but `input` has shape {shape}")
    widths = op.value("paddings") or ((None, None),) * len(shape.dims)
    if any(isinstance(width, int) and width < 0 for pair in widths for width in pair):
        raise ShapeError(f"`paddings` must not be negative, but is {[list(pair) for pair in widths]}")
    return Shape(tuple(plus((dim, *pair)) for dim, pair in zip(shape.dims, widths, strict=True)))
