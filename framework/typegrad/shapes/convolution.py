"""Shape functions of `ops/convolution.yaml`, and what those of volumes and of any number of batch dimensions share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from typegrad.base.brief import counted
from typegrad.base.errors import ShapeError
from typegrad.base.shape import Dim, Shape, merge_dim
from typegrad.base.size import times
from typegrad.shapes.values import dims_of
from typegrad.shapes.view import OpView
from typegrad.shapes.windows import Window, agreed, channel_axis, check_ones, paddings, sizes, slid, steps


def conv2d(op: OpView) -> Shape:
    """An element for each position of the filters, with a channel for each filter."""
    return convolution(op, 4)


def conv2d_backprop_input(op: OpView) -> Shape:
    """The requested shape."""
    return input_gradient(op, _input_sizes(op))


def conv2d_backprop_filter(op: OpView) -> Shape:
    """The requested shape."""
    return filter_gradient(op, 4)


def depthwise_conv2d_native(op: OpView) -> Shape:
    """An element for each position of the filters, with several channels for each input channel."""
    return convolution(op, 4, _multiplied)


def depthwise_conv2d_native_backprop_input(op: OpView) -> Shape:
    """The requested shape."""
    return input_gradient(op, sizes(op, "input_sizes"), _multiplied)


def depthwise_conv2d_native_backprop_filter(op: OpView) -> Shape:
    """The requested shape."""
    return filter_gradient(op, 4, _multiplied)


def convolution_windows(op: OpView, kernel: Shape) -> tuple[Window, ...]:
    """How filters of shape [height, width, ...], or [planes, height, width, ...], slide along each dimension."""
    *spatial, _, _ = kernel.known()
    rank, channel = len(spatial) + 2, channel_axis(op)
    strides, dilations = steps(op, "strides", rank), steps(op, "dilations", rank)
    for name, numbers in (("strides", strides), ("dilations", dilations)):
        check_ones(name, numbers, channel)
    if 0 in spatial:
        raise ShapeError(f"filters of shape {kernel} have no elements; expected a height and a width of 1 or more")
    lengths = (1, 1, *spatial) if channel == 1 else (1, *spatial, 1)
    return tuple(map(Window, lengths, strides, dilations, paddings(op, op.attrs.get("explicit_paddings", ()), rank)))


_Channels: TypeAlias = Callable[[str, Dim, Shape], Dim]
"""From the name of an input, its channels and the shape of the filter to the channels of the output."""


def _in_groups(name: str, channels: Dim, kernel: Shape) -> Dim:
    """The number of filters.

    They fall into as many groups as they fit into the channels, and each sees its group's alone.
    """
    *_, depth, count = kernel.known()
    if isinstance(depth, int) and isinstance(channels, int):
        if 0 in (depth, channels) or channels % depth:
            raise ShapeError(
                f"`{name}` has {counted(channels, 'channel')}, but filters of shape {kernel} are for {depth}, "
                "which must be as many, or divide them into groups"
            )
        groups = channels // depth
        if isinstance(count, int) and count % groups:
            raise ShapeError(
                f"`{name}` has {counted(channels, 'channel')}, but filters of shape {kernel} are for {depth}; "
                f"{groups} groups of {depth} would need a multiple of {groups} filters, not {count}"
            )
    return count


def _multiplied(name: str, channels: Dim, kernel: Shape) -> Dim:
    """Every channel has as many filters of its own as the last dimension of the filter says."""
    *_, depth, multiplier = kernel.known()
    try:
        return times((merge_dim(channels, depth), multiplier))
    except ShapeError:
        raise ShapeError(f"`{name}` has {counted(channels, 'channel')}, but `filter` {kernel} is for {depth}") from None


def convolution(op: OpView, rank: int, channels: _Channels = _in_groups) -> Shape:
    """The shape of the convolution of `input` with `filter`, both of this rank."""
    return convolved(op, "input", op.rank("input", rank), op.rank("filter", rank), channels)


def convolved(op: OpView, name: str, x: Shape, kernel: Shape, channels: _Channels = _in_groups) -> Shape:
    """The shape of the convolution of input `name`, of shape `x`, with filters of shape `kernel`."""
    counts, channel = list(slid(name, x, convolution_windows(op, kernel))), channel_axis(op)
    counts[channel] = channels(name, counts[channel], kernel)
    return Shape(tuple(counts))


def input_gradient(op: OpView, x: Shape, channels: _Channels = _in_groups) -> Shape:
    """The requested shape `x` of the gradient of `input`, whose convolution must have the shape of `out_backprop`."""
    expected = convolved(op, "input_sizes", x, op.rank("filter", len(x.known())), channels)
    batch, *_ = agreed(op, "out_backprop", expected)
    return Shape((batch, *x.known()[1:]))


def filter_gradient(op: OpView, rank: int, channels: _Channels = _in_groups) -> Shape:
    """The requested shape of the gradient of `filter`; a convolution with it must have the shape of `out_backprop`."""
    kernel = sizes(op, "filter_sizes", rank)
    agreed(op, "out_backprop", convolved(op, "input", op.rank("input", rank), kernel, channels))
    return kernel


def check_elements(kernel: Shape) -> None:
    """Refuse filters without elements; only `Conv2D` has filters without channels."""
    if 0 in kernel.known():
        raise ShapeError(f"`filter` {kernel} has no elements; expected dimensions of 1 or more")


def _input_sizes(op: OpView) -> Shape:
    """The shape of the input of a convolution: four sizes, or height and width alone."""
    dims = dims_of(op, "input_sizes")
    if dims is not None and len(dims) not in (2, 4):
        raise ShapeError(f"`input_sizes` must have 4 elements, or 2 for height and width alone, but has {len(dims)}")
    if dims is None or len(dims) == 4:
        return sizes(op, "input_sizes")
    batch, depth = op.rank("out_backprop", 4).known()[0], op.rank("filter", 4).known()[2]
    return Shape((batch, depth, *dims) if channel_axis(op) == 1 else (batch, *dims, depth))
