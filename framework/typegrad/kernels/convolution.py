"""Kernels of `ops/convolution.yaml`.

A convolution is a matrix product: a row of what the filters see for each place where they stand, times a column for each filter.
With groups of channels, it is a product for each group; where each channel is a group, as in a depthwise convolution, such products are
slow, and what each element of the filters sees is multiplied and added up instead.

Equal windows get equal results, or else a pooling after the convolution would break ties at random. BLAS adds up the rows that are
left over from its blocks, and products with a single column, in another order: so there are never such rows, nor a single column.
(OpenBLAS's float32 kernels for processors with AVX2 but not AVX-512 alternate between two orders from 8 columns up, whatever one does.)
"""

from __future__ import annotations

import itertools
import math
from typing import Any, Final, NamedTuple

from numpy.lib.stride_tricks import sliding_window_view

from typegrad.base.shape import Shape
from typegrad.kernels.precision import widened
from typegrad.kernels.windows import Pass, checked, passes
from typegrad.shapes import convolution as shapes
from typegrad.shapes.view import OpView

FEW_CHANNELS: Final = 4
"""With fewer channels in a group, arrays are laid out with the places last, so that runs of neighbours stay long."""

BLOCK: Final = 16
"""The number of places in a product is a multiple of this, as are the blocks of rows in which BLAS computes."""


PART: Final = 2**15
"""How many elements are worked on at a time where the same ones are read and written again and again: they fit into a cache."""


class Slide(NamedTuple):
    """The attributes that say how filters slide over the input."""

    strides: tuple[int, ...]
    padding: str
    explicit_paddings: tuple[int, ...]
    dilations: tuple[int, ...]
    data_format: str

    def passes(self, lengths: tuple[int, ...], filters: tuple[int, ...]) -> list[Pass]:
        """The ways of filters of this shape along rows and columns of an input [batch, rows, columns, channels]."""
        windows = shapes.convolution_windows(OpView({}, {}, self._asdict()), Shape(filters))
        return passes(windows[2:] if self.data_format == "NCHW" else windows[1:3], lengths[1:3])

    def channels_last(self, x: Any) -> Any:
        """An array of this data format as [batch, rows, columns, channels]."""
        return x.transpose(0, 2, 3, 1) if self.data_format == "NCHW" else x

    def formatted(self, x: Any) -> Any:
        """[batch, rows, columns, channels] as an array of this data format."""
        return x.transpose(0, 3, 1, 2) if self.data_format == "NCHW" else x


# The operations


def conv2d(
    xp: Any,
    x: Any,
    filters: Any,
    *,
    strides: tuple[int, ...],
    padding: str,
    explicit_paddings: tuple[int, ...],
    dilations: tuple[int, ...],
    data_format: str,
) -> Any:
    """The product of every filter with what it sees, in every place."""
    slide = Slide(strides, padding, explicit_paddings, dilations, data_format)
    checked(shapes.conv2d, slide._asdict(), input=x, filter=filters)
    return _convolved(xp, slide, x, filters)


def conv2d_backprop_input(
    xp: Any,
    input_sizes: Any,
    filters: Any,
    grad: Any,
    *,
    strides: tuple[int, ...],
    padding: str,
    explicit_paddings: tuple[int, ...],
    dilations: tuple[int, ...],
    data_format: str,
) -> Any:
    """Every element of the gradient times its filter, added up where the filter stood."""
    slide = Slide(strides, padding, explicit_paddings, dilations, data_format)
    shape = checked(
        shapes.conv2d_backprop_input, slide._asdict(), input_sizes=input_sizes, filter=filters, out_backprop=grad
    )
    return _spread(xp, slide, shape, filters, grad)


def conv2d_backprop_filter(
    xp: Any,
    x: Any,
    filter_sizes: Any,
    grad: Any,
    *,
    strides: tuple[int, ...],
    padding: str,
    explicit_paddings: tuple[int, ...],
    dilations: tuple[int, ...],
    data_format: str,
) -> Any:
    """Every element of the gradient times what its filter saw, added up over the places."""
    slide = Slide(strides, padding, explicit_paddings, dilations, data_format)
    shape = checked(
        shapes.conv2d_backprop_filter, slide._asdict(), input=x, filter_sizes=filter_sizes, out_backprop=grad
    )
    return _correlated(xp, slide, x, shape, grad)


def depthwise_conv2d_native(
    xp: Any,
    x: Any,
    filters: Any,
    *,
    strides: tuple[int, ...],
    padding: str,
    explicit_paddings: tuple[int, ...],
    dilations: tuple[int, ...],
    data_format: str,
) -> Any:
    """`conv2d` with a group for each channel."""
    slide = Slide(strides, padding, explicit_paddings, dilations, data_format)
    checked(shapes.depthwise_conv2d_native, slide._asdict(), input=x, filter=filters)
    return _convolved(xp, slide, x, xp.reshape(filters, _grouped(filters.shape)))


def depthwise_conv2d_native_backprop_input(
    xp: Any,
    input_sizes: Any,
    filters: Any,
    grad: Any,
    *,
    strides: tuple[int, ...],
    padding: str,
    explicit_paddings: tuple[int, ...],
    dilations: tuple[int, ...],
    data_format: str,
) -> Any:
    """`conv2d_backprop_input` with a group for each channel."""
    slide = Slide(strides, padding, explicit_paddings, dilations, data_format)
    shape = checked(
        shapes.depthwise_conv2d_native_backprop_input,
        slide._asdict(),
        input_sizes=input_sizes,
        filter=filters,
        out_backprop=grad,
    )
    return _spread(xp, slide, shape, xp.reshape(filters, _grouped(filters.shape)), grad)


def depthwise_conv2d_native_backprop_filter(
    xp: Any,
    x: Any,
    filter_sizes: Any,
    grad: Any,
    *,
    strides: tuple[int, ...],
    padding: str,
    explicit_paddings: tuple[int, ...],
    dilations: tuple[int, ...],
    data_format: str,
) -> Any:
    """`conv2d_backprop_filter` with a group for each channel."""
    slide = Slide(strides, padding, explicit_paddings, dilations, data_format)
    shape = checked(
        shapes.depthwise_conv2d_native_backprop_filter,
        slide._asdict(),
        input=x,
        filter_sizes=filter_sizes,
        out_backprop=grad,
    )
    return xp.reshape(_correlated(xp, slide, x, _grouped(shape), grad), shape)


def _grouped(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of depthwise filters [height, width, channels, multiplier] as filters of groups of one channel."""
    height, width, channels, multiplier = shape
    return height, width, 1, channels * multiplier


# What they compute: filters have the shape [height, width, channels of a group, number of filters]


def _convolved(xp: Any, slide: Slide, x: Any, filters: Any) -> Any:
    def function(x: Any, filters: Any) -> Any:
        count, ways = filters.shape[3], slide.passes(x.shape, filters.shape)
        if filters.shape[2] == 1 < x.shape[3]:
            return _by_channel(xp, x, filters, ways)
        seen, places = _seen(xp, x, ways, filters.shape[2], BLOCK)
        columns = _by_group(xp, filters, len(seen))
        used = slice(math.prod(places)), slice(columns.shape[2])
        if columns.shape[2] == 1:
            columns = xp.repeat(columns, 2, axis=2)
        return xp.reshape(xp.moveaxis(xp.matmul(seen, columns)[:, *used], 0, 1), (*places, count))

    return slide.formatted(widened(xp, function, slide.channels_last(x), filters))


def _by_channel(xp: Any, x: Any, filters: Any, ways: list[Pass]) -> Any:
    """The convolution of each channel with filters of its own: the sum of the products with each element of the filters."""
    rows, columns = ways
    height, width, _, count = filters.shape
    result = xp.zeros((x.shape[0], rows.places, columns.places, count), x.dtype)
    # As often as there are places in a row, so that NumPy's inner loops go over whole rows.
    factors = xp.repeat(filters, columns.places, axis=2)
    x = _padded(xp, xp.repeat(x, count // x.shape[3], axis=3) if count != x.shape[3] else x, ways)
    step = max(1, PART // max(1, math.prod(result.shape[1:])))
    for first in range(0, len(x) if result.size else 0, step):
        images, part = x[first : first + step], result[first : first + step]
        product = xp.empty_like(part)
        for row, column in itertools.product(range(height), range(width)):
            places = slice(None), rows.seen_by(row), columns.seen_by(column)
            part += xp.multiply(images[places], factors[row, column], out=product)
    return result


def _padded(xp: Any, x: Any, ways: list[Pass]) -> Any:
    """[batch, rows, columns, channels] with the zeros at the edges that filters see."""
    rows, columns = ways
    return xp.pad(x, ((0, 0), rows.edges, columns.edges, (0, 0))) if any(rows.edges + columns.edges) else x


def _correlated(xp: Any, slide: Slide, x: Any, shape: tuple[int, ...], grad: Any) -> Any:
    def function(x: Any, grad: Any) -> Any:
        seen, _ = _seen(xp, x, slide.passes(x.shape, shape), shape[2])
        product = xp.matmul(xp.swapaxes(seen, 1, 2), _by_group(xp, grad, len(seen)))
        return xp.reshape(xp.moveaxis(product, 0, 1), shape)

    return widened(xp, function, slide.channels_last(x), slide.channels_last(grad))


def _spread(xp: Any, slide: Slide, shape: tuple[int, ...], filters: Any, grad: Any) -> Any:
    def function(filters: Any, grad: Any) -> Any:
        height, width = filters.shape[:2]
        sizes = (shape[0], *shape[2:], shape[1]) if slide.data_format == "NCHW" else shape
        rows, columns = slide.passes(sizes, filters.shape)
        parts, result = _parts(xp, filters, grad, sizes)
        for row, column in itertools.product(range(height), range(width)):
            (from_rows, to_rows), (from_columns, to_columns) = rows.inside(row), columns.inside(column)
            result[:, to_rows, to_columns] += parts[row, column, :, from_rows, from_columns]
        return xp.reshape(result, sizes)

    return slide.formatted(widened(xp, function, filters, slide.channels_last(grad)))


def _parts(xp: Any, filters: Any, grad: Any, sizes: tuple[int, ...]) -> tuple[Any, Any]:
    """What each element of the filters gives in each place, as [height, width, *places, groups, depth], and zeros to add it to."""
    height, width, depth, _ = filters.shape
    groups, places = sizes[3] // depth, grad.shape[:3]
    factors, grads = _by_group(xp, filters, groups), _by_group(xp, grad, groups)
    if depth < FEW_CHANNELS:
        parts = xp.reshape(xp.matmul(factors, xp.swapaxes(grads, 1, 2)), (groups, height, width, depth, *places))
        zeros = xp.zeros((groups, depth, *sizes[:3]), grad.dtype)
        return xp.transpose(parts, (1, 2, 4, 5, 6, 0, 3)), xp.transpose(zeros, (2, 3, 4, 0, 1))
    factors = xp.reshape(factors, (groups, height * width, depth, factors.shape[2]))
    parts = xp.matmul(grads, xp.transpose(factors, (1, 0, 3, 2)))
    parts = xp.reshape(parts, (height, width, groups, *places, depth))
    return xp.moveaxis(parts, 2, 5), xp.zeros((*sizes[:3], groups, depth), grad.dtype)


def _by_group(xp: Any, x: Any, groups: int) -> Any:
    """[..., filters] as [groups, ..., filters of a group], the dimensions between as one."""
    *others, count = x.shape
    return xp.moveaxis(xp.reshape(x, (math.prod(others), groups, count // max(groups, 1))), 1, 0)


def _seen(xp: Any, x: Any, ways: list[Pass], depth: int, block: int = 1) -> tuple[Any, tuple[int, ...]]:
    """What filters see, as [groups, places, elements of a filter], and the places as [batch, rows, columns].

    Zeros follow until there is a multiple of `block` places.
    """
    rows, columns = ways
    groups, places = x.shape[3] // depth, (x.shape[0], rows.places, columns.places)
    count, size = math.prod(places), rows.size * columns.size * depth
    if 0 in places:
        return xp.zeros((groups, count, size), x.dtype), places
    view = sliding_window_view(_padded(xp, x, ways), (rows.span, columns.span), axis=(1, 2))
    view = view[:, :: rows.stride, :: columns.stride, :, :: rows.dilation, :: columns.dilation]
    view = xp.reshape(view, (*places, groups, depth, rows.size, columns.size))
    rest = -count % block
    if depth < FEW_CHANNELS:
        by_element = _flat(xp, xp.transpose(view, (3, 5, 6, 4, 0, 1, 2)), (groups, size, count), (0, 0, rest))
        return xp.swapaxes(by_element, 1, 2), places
    return _flat(xp, xp.transpose(view, (3, 0, 1, 2, 5, 6, 4)), (groups, count, size), (0, rest, 0)), places


def _flat(xp: Any, view: Any, shape: tuple[int, ...], rest: tuple[int, ...]) -> Any:
    """`view` in another shape, with so many zeros after it in each dimension. It is copied once, or not at all."""
    if not any(rest):
        return xp.reshape(view, shape)
    result = xp.zeros(tuple(map(sum, zip(shape, rest, strict=True))), view.dtype)
    xp.reshape(result[tuple(map(slice, shape))], view.shape, copy=False)[...] = view
    return result
