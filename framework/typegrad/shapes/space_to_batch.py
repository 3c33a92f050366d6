"""Shape functions of `ops/space_to_batch.yaml`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typegrad.base.errors import ShapeError
from typegrad.base.shape import UNKNOWN, Dim, Shape, merge_dim
from typegrad.base.size import exact_quotient, minus, plus, times
from typegrad.shapes.values import dims_of
from typegrad.shapes.view import OpView

GROUP = 4
"""The number of channels in a group of NCHW_VECT_C."""


def space_to_batch_nd(op: OpView) -> Shape:
    """[batch * blocks, sizes / blocks, rest]."""
    return _divided(op, op.at_least("input", 1), _blocks(op))


def space_to_batch(op: OpView) -> Shape:
    """[batch * block ** 2, height / block, width / block, channels]."""
    return _divided(op, op.rank("input", 4), (op.attr("block_size"),) * 2)


def batch_to_space_nd(op: OpView) -> Shape:
    """[batch / blocks, sizes * blocks, rest]."""
    return _interleaved(op, op.at_least("input", 1), _blocks(op))


def batch_to_space(op: OpView) -> Shape:
    """[batch / block ** 2, height * block, width * block, channels]."""
    return _interleaved(op, op.rank("input", 4), (op.attr("block_size"),) * 2)


def _blocks(op: OpView) -> tuple[Dim, ...] | None:
    blocks = dims_of(op, "block_shape")
    if blocks is not None and any(isinstance(size, int) and size < 1 for size in blocks):
        raise ShapeError(f"`block_shape` is {Shape(blocks)}, but its sizes must be 1 or more")
    return blocks


def _divided(op: OpView, x: Shape, blocks: tuple[Dim, ...] | None) -> Shape:
    widths = _widths(op, "paddings", blocks)
    if x.dims is None or blocks is None or widths is None:
        return UNKNOWN if x.dims is None else Shape((None,) * len(x.dims))
    batch, space, rest = _parts(op, x, blocks)
    sizes = []
    for axis, (size, block, pair) in enumerate(zip(space, blocks, widths, strict=True), start=1):
        padded = plus((size, *pair))
        rule = f"dimension {axis} of `input` with its padding, {padded}, must be a multiple of the size of a block"
        sizes.append(_quotient(padded, block, rule))
    return Shape((times((batch, *blocks)), *sizes, *rest))


def _interleaved(op: OpView, x: Shape, blocks: tuple[Dim, ...] | None) -> Shape:
    widths = _widths(op, "crops", blocks)
    if x.dims is None or blocks is None or widths is None:
        return UNKNOWN if x.dims is None else Shape((None,) * len(x.dims))
    batch, space, rest = _parts(op, x, blocks)
    sizes = []
    for axis, (size, block, pair) in enumerate(zip(space, blocks, widths, strict=True), start=1):
        whole = times((size, block))
        left = minus(whole, plus(pair))
        if isinstance(left, int) and left < 0:
            raise ShapeError(f"`crops[{axis - 1}]` is {list(pair)}, but the interleaved dimension has size {whole}")
        sizes.append(left)
    rule = f"the batch of `input` {x} must be a multiple of the product of the sizes of a block"
    return Shape((_quotient(batch, times(blocks), rule), *sizes, *rest))


def _parts(op: OpView, x: Shape, blocks: Sequence[Dim]) -> tuple[Dim, tuple[Dim, ...], tuple[Dim, ...]]:
    """The batch, the spatial dimensions and the rest."""
    end = 1 + len(blocks)
    op.at_least("input", end)
    dims = x.known()
    return dims[0], dims[1:end], dims[end:]


def _widths(op: OpView, name: str, blocks: Sequence[Dim] | None) -> Sequence[tuple[Dim, Dim]] | None:
    """The paddings or crops of each spatial dimension, if their number is known."""
    rows, columns = op.rank(name, 2).known()
    expected = None if blocks is None else len(blocks)
    try:
        rows, _ = merge_dim(rows, expected), merge_dim(columns, 2)
    except ShapeError:
        raise ShapeError(
            f"`{name}` must have two columns, and a row for each size of a block, so shape "
            f"{Shape((expected, 2))}, but has shape {op.shape(name)}"
        ) from None
    value: Any = op.value(name)
    widths = value if value is not None else ((None, None),) * rows if isinstance(rows, int) else None
    if widths is not None and any(isinstance(width, int) and width < 0 for pair in widths for width in pair):
        raise ShapeError(f"`{name}` must not be negative, but is {[list(pair) for pair in widths]}")
    return widths


def _quotient(size: Dim, divisor: Dim, rule: str) -> Dim:
    """The quotient, if `rule`, which the error quotes, is not broken."""
    try:
        return exact_quotient(size, divisor)
    except ShapeError:
        raise ShapeError(f"{rule}, {divisor}") from None


def space_to_depth(op: OpView) -> Shape:
    """Height and width divided, and the channels multiplied."""
    size: int = op.attr("block_size")
    batch, channels, rows, columns = _image(op)
    rule = f"the height and the width of `input` {op.shape('input')} must be multiples of `block_size`"
    smaller = (_quotient(dim, size, rule) for dim in (rows, columns))
    return _in_format(op, batch, times((channels, size**2)), *smaller)


def depth_to_space(op: OpView) -> Shape:
    """Height and width multiplied, and the channels divided."""
    size: int = op.attr("block_size")
    batch, channels, rows, columns = _image(op)
    rule = f"the number of channels of `input` {op.shape('input')} must be a multiple of the square of `block_size`"
    fewer = _quotient(channels, size**2, rule)
    return _in_format(op, batch, fewer, times((rows, size)), times((columns, size)))


def _image(op: OpView) -> tuple[Dim, ...]:
    """The batch, the channels (or groups of four), the height and the width of images."""
    data_format = op.attr("data_format")
    if data_format == "NHWC":
        batch, rows, columns, channels = op.rank("input", 4).known()
        return batch, channels, rows, columns
    if data_format == "NCHW":
        return op.rank("input", 4).known()
    *dims, width = op.rank("input", 5).known()
    if width not in (None, GROUP):
        raise ShapeError(f"`input` has shape {op.shape('input')}, but in NCHW_VECT_C the last dimension is {GROUP}")
    return tuple(dims)


def _in_format(op: OpView, batch: Dim, channels: Dim, rows: Dim, columns: Dim) -> Shape:
    data_format = op.attr("data_format")
    if data_format == "NHWC":
        return Shape((batch, rows, columns, channels))
    return Shape((batch, channels, rows, columns, *(() if data_format == "NCHW" else (GROUP,))))
