"""Shape functions of `ops/convolution.yaml`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from typegrad.base.brief import counted
from typegrad.base.errors import AttributeValueError, ShapeError
from typegrad.base.shape import Dim, Shape, merge_dim
from typegrad.base.size import times
from typegrad.shapes.values import dims_of
from typegrad.shapes.view import OpView
from typegrad.shapes.windows import Window, agreed, channel_axis, check_ones, paddings, sizes, slid, steps


def conv2d(op: OpView) -> Shape:
    """An element for each position of the filters, with a channel for each filter."""
    return _convolution(op, 4)


def conv3d(op: OpView) -> Shape:
    """The same for volumes."""
    _check_filter(op.rank("filter", 5))
    return _convolution(op, 5)


def _check_filter(kernel: Shape) -> None:
    """Refuse filters without channels too; only `Conv2D` has them."""
    if 0 in kernel.known():
        raise ShapeError(f"`filter` {kernel} has no elements; expected dimensions of 1 or more")


def conv2d_backprop_input(op: OpView) -> Shape:
    """The requested shape."""
    return _input(op, _input_sizes(op), _channels)


def conv3d_backprop_input(op: OpView) -> Shape:
    """The same for volumes."""
    return _input(op, sizes(op, "input_sizes", 5), _channels)


def conv2d_backprop_filter(op: OpView) -> Shape:
    """The requested shape."""
    return _filter(op, 4, _channels)


def conv2d_backprop_input_v2(op: OpView) -> Shape:
    """The shape of the input of the convolution."""
    agreed(op, "out_backprop", _convolution(op, 4))
    return op.rank("input", 4)


def conv2d_backprop_filter_v2(op: OpView) -> Shape:
    """The shape of the filter of the convolution."""
    agreed(op, "out_backprop", _convolution(op, 4))
    return op.rank("filter", 4)


def conv3d_backprop_filter(op: OpView) -> Shape:
    """The same for volumes."""
    return _filter(op, 5, _channels)


def depthwise_conv2d_native(op: OpView) -> Shape:
    """An element for each position of the filters, with several channels for each input channel."""
    return _convolved(op, "input", op.rank("input", 4), op.rank("filter", 4), _multiplied)


def depthwise_conv2d_native_backprop_input(op: OpView) -> Shape:
    """The requested shape."""
    return _input(op, sizes(op, "input_sizes"), _multiplied)


def depthwise_conv2d_native_backprop_filter(op: OpView) -> Shape:
    """The requested shape."""
    return _filter(op, 4, _multiplied)


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


def _channels(name: str, channels: Dim, kernel: Shape) -> Dim:
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


def _convolution(op: OpView, rank: int) -> Shape:
    return _convolved(op, "input", op.rank("input", rank), op.rank("filter", rank), _channels)


def _convolved(op: OpView, name: str, x: Shape, kernel: Shape, channels: _Channels) -> Shape:
    """The shape of the convolution of input `name`, of shape `x`."""
    counts, channel = list(slid(name, x, convolution_windows(op, kernel))), channel_axis(op)
    counts[channel] = channels(name, counts[channel], kernel)
    return Shape(tuple(counts))


def _input(op: OpView, x: Shape, channels: _Channels) -> Shape:
    expected = _convolved(op, "input_sizes", x, op.rank("filter", len(x.known())), channels)
    batch, *_ = agreed(op, "out_backprop", expected)
    return Shape((batch, *x.known()[1:]))


def _input_sizes(op: OpView) -> Shape:
    """The shape of the input of a convolution: four sizes, or height and width alone."""
    dims = dims_of(op, "input_sizes")
    if dims is not None and len(dims) not in (2, 4):
        raise ShapeError(f"`input_sizes` must have 4 elements, or 2 for height and width alone, but has {len(dims)}")
    if dims is None or len(dims) == 4:
        return sizes(op, "input_sizes")
    batch, depth = op.rank("out_backprop", 4).known()[0], op.rank("filter", 4).known()[2]
    return Shape((batch, depth, *dims) if channel_axis(op) == 1 else (batch, *dims, depth))


def _filter(op: OpView, rank: int, channels: _Channels) -> Shape:
    kernel = sizes(op, "filter_sizes", rank)
    agreed(op, "out_backprop", _convolved(op, "input", op.rank("input", rank), kernel, channels))
    return kernel


def conv(op: OpView) -> Shape:
    """An element for each position of the filters, with a channel for each filter; batch dimensions are kept."""
    spatial, batch_dims, groups = len(op.attr("strides")) - 2, op.attr("batch_dims"), op.attr("groups")
    if spatial not in (2, 3):
        raise AttributeValueError(
            f"`strides` must have 4 or 5 elements, for images or volumes, but is {list(op.attr('strides'))}"
        )
    if batch_dims < 0:
        raise AttributeValueError(f"`batch_dims` is {batch_dims}, but cannot be negative")
    x, kernel = op.rank("input", batch_dims + spatial + 1), op.rank("filter", spatial + 2)
    leading, rest = x.known()[:batch_dims], x.known()[batch_dims:]
    attrs = dimensioned_attrs(op.attrs)
    view = OpView({}, {}, attrs)
    _check_filter(kernel)
    channels = rest[channel_axis(view) - 1]
    depth = kernel.known()[-2]
    if groups < 1:
        raise AttributeValueError(f"`groups` is {groups}, but must be 1 or more")
    if isinstance(channels, int) and isinstance(depth, int) and channels != groups * depth:
        with_groups = f" with {groups} groups" if groups > 1 else ""
        raise ShapeError(
            f"`input` {x} has {counted(channels, 'channel')}, but `filter` {kernel}{with_groups} is for "
            f"{groups * depth}"
        )
    # One batch dimension is enough for the windows.
    images = x if batch_dims == 1 else Shape((1, *rest))
    return Shape((*leading, *_convolved(view, "input", images, kernel, _channels).known()[1:]))


def dimensioned_attrs(attrs: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes of `Conv` as the ones of a convolution of images or volumes."""
    strides, is_first = attrs["strides"], attrs["data_format"] == "CHANNELS_FIRST"
    letters = "HW" if len(strides) == 4 else "DHW"
    return {
        "strides": strides,
        "padding": attrs["padding"],
        "explicit_paddings": attrs["explicit_paddings"],
        "dilations": attrs["dilations"] or (1,) * len(strides),
        "data_format": f"NC{letters}" if is_first else f"N{letters}C",
    }
