"""Shape functions of `ops/convolution_general.yaml`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typegrad.base.brief import counted
from typegrad.base.errors import AttributeValueError, ShapeError
from typegrad.base.shape import Dim, Shape
from typegrad.shapes.convolution import check_elements, convolution, convolved
from typegrad.shapes.view import OpView
from typegrad.shapes.windows import agreed, channel_axis


def conv(op: OpView) -> Shape:
    """An element for each position of the filters, with a channel for each filter; batch dimensions are kept."""
    spatial, batch_dims = len(op.attr("strides")) - 2, op.attr("batch_dims")
    if spatial not in (2, 3):
        raise AttributeValueError(
            f"`strides` must have 4 or 5 elements, for images or volumes, but is {list(op.attr('strides'))}"
        )
    if batch_dims < 0:
        raise AttributeValueError(f"`batch_dims` is {batch_dims}, but cannot be negative")
    x, kernel = op.rank("input", batch_dims + spatial + 1), op.rank("filter", spatial + 2)
    leading, rest = x.known()[:batch_dims], x.known()[batch_dims:]
    view = OpView({}, {}, dimensioned_attrs(op.attrs))
    check_elements(kernel)
    _check_groups(op.attr("groups"), x, rest[channel_axis(view) - 1], kernel)
    # One batch dimension is enough for the windows.
    images = x if batch_dims == 1 else Shape((1, *rest))
    return Shape((*leading, *convolved(view, "input", images, kernel).known()[1:]))


def _check_groups(groups: int, x: Shape, channels: Dim, kernel: Shape) -> None:
    """Refuse another number of channels of `x` than that of all groups of the filters."""
    if groups < 1:
        raise AttributeValueError(f"`groups` is {groups}, but must be 1 or more")
    depth = kernel.known()[-2]
    if isinstance(channels, int) and isinstance(depth, int) and channels != groups * depth:
        with_groups = f" with {groups} groups" if groups > 1 else ""
        raise ShapeError(
            f"`input` {x} has {counted(channels, 'channel')}, but `filter` {kernel}{with_groups} is for "
            f"{groups * depth}"
        )


def conv2d_backprop_input_v2(op: OpView) -> Shape:
    """The shape of the input of the convolution."""
    agreed(op, "out_backprop", convolution(op, 4))
    return op.rank("input", 4)


def conv2d_backprop_filter_v2(op: OpView) -> Shape:
    """The shape of the filter of the convolution."""
    agreed(op, "out_backprop", convolution(op, 4))
    return op.rank("filter", 4)


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
