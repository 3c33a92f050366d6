"""Shape functions of `ops/morphology.yaml`."""

from __future__ import annotations

from typegrad.base.brief import counted
from typegrad.base.errors import ShapeError
from typegrad.base.shape import Shape, merge_dim
from typegrad.shapes.view import OpView
from typegrad.shapes.windows import Window, agreed, check_ones, paddings, slid, steps


def dilation2d(op: OpView) -> Shape:
    """An element for each position of the filter."""
    return _dilated(op, *_operands(op))


def dilation2d_backprop_input(op: OpView) -> Shape:
    """The shape of the images."""
    x, kernel = _operands(op)
    agreed(op, "out_backprop", _dilated(op, x, kernel))
    return x


def dilation2d_backprop_filter(op: OpView) -> Shape:
    """The shape of the filter."""
    x, kernel = _operands(op)
    agreed(op, "out_backprop", _dilated(op, x, kernel))
    return kernel


def dilation_windows(op: OpView, kernel: Shape) -> tuple[Window, ...]:
    """How a filter of this shape slides along each dimension."""
    height, width, _ = kernel.known()
    strides, rates = steps(op, "strides"), steps(op, "rates")
    for name, numbers in (("strides", strides), ("rates", rates)):
        check_ones(name, numbers, 3)
    if 0 in (height, width):
        raise ShapeError(f"`filter` {kernel} has no elements; expected a height and a width of 1 or more")
    return tuple(map(Window, (1, height, width, 1), strides, rates, paddings(op), (True,) * 4))


def _operands(op: OpView) -> tuple[Shape, Shape]:
    """The images and the filter, with the same channels."""
    x, kernel = op.rank("input", 4), op.rank("filter", 3)
    *sizes, depth = x.known()
    *window, channels = kernel.known()
    try:
        channels = merge_dim(depth, channels)
    except ShapeError:
        raise ShapeError(
            f"`input` {x} has {counted(depth, 'channel')}, but `filter` {kernel} is for {channels}"
        ) from None
    return Shape((*sizes, channels)), Shape((*window, channels))


def _dilated(op: OpView, x: Shape, kernel: Shape) -> Shape:
    return Shape(slid("input", x, dilation_windows(op, kernel)))
