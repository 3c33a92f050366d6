"""Kernels of `ops/convolution.yaml`.

A convolution is a matrix product: a row with the elements under the filters for each position, times a column for each
filter. With groups of channels, it is a product for each group; where each channel is a group, as in a depthwise
convolution, such products are slow, and the products with each element of the filters are accumulated instead.

Equal windows get equal results, or else a pooling after the convolution would break ties at random. BLAS sums the rows
and columns left over from its blocks, and products with a single column, in another order. So zeros fill the last
blocks. (OpenBLAS's float32 kernel for processors with AVX2 but not AVX-512 accumulates the even and the odd elements of
a window separately at some positions and together at others, from 8 columns up. Products of 4 columns avoid it but take
three times as long.)

The kernels take views of arrays and write into them: they are NumPy's only.
"""

from __future__ import annotations

import itertools
import math
from functools import lru_cache
from typing import Final, NamedTuple

from numpy.lib.stride_tricks import sliding_window_view

from typegrad.base.shape import Shape
from typegrad.kernels.checks import ints
from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import widened
from typegrad.kernels.windows import Sweep, swept
from typegrad.shapes.convolution import convolution_windows
from typegrad.shapes.view import OpView

FEW_CHANNELS: Final = 4
"""With fewer channels in a group, arrays are laid out with the positions last, so that runs of neighbours stay long."""

BLOCK: Final = 16
"""The number of positions in a product is a multiple of this, as are the blocks of rows in which BLAS computes."""

FEW_FILTERS: Final = 6
COLUMNS: Final = 8
"""The number of filters in a product is a multiple of this, or with few filters, of 2. Threads divide the positions
among them anywhere, and BLAS sums the columns left over from its blocks in an order that depends on the position there.
"""

PART: Final = 2**15
"""The number of elements that a loop reads and writes repeatedly: they fit into a cache."""


class Slide(NamedTuple):
    """The attributes that say how filters slide over the input."""

    strides: tuple[int, ...]
    padding: str
    explicit_paddings: tuple[int, ...]
    dilations: tuple[int, ...]
    data_format: str

    def channels_last(self, x: Array) -> Array:
        """An array of this data format as [batch, rows, columns, channels]."""
        return x.transpose(0, 2, 3, 1) if self.data_format == "NCHW" else x

    def formatted(self, x: Array) -> Array:
        """[batch, rows, columns, channels] as an array of this data format."""
        return x.transpose(0, 3, 1, 2) if self.data_format == "NCHW" else x


@lru_cache(maxsize=1024)
def _swept(slide: Slide, lengths: tuple[int, ...], filters: tuple[int, ...]) -> list[Sweep]:
    """The swept of filters of this shape over rows and columns of an input [batch, rows, columns, channels]."""
    windows = convolution_windows(OpView({}, {}, slide._asdict()), Shape(filters))
    return swept(windows[2:] if slide.data_format == "NCHW" else windows[1:3], lengths[1:3])


# The operations


def conv2d(
    xp: Namespace,
    x: Array,
    filters: Array,
    *,
    strides: tuple[int, ...],
    padding: str,
    explicit_paddings: tuple[int, ...],
    dilations: tuple[int, ...],
    data_format: str,
) -> Array:
    """The product of every filter with the elements under it, at every position."""
    slide = Slide(strides, padding, explicit_paddings, dilations, data_format)
    return _convolved(xp, slide, x, filters)


def conv2d_backprop_input(
    xp: Namespace,
    input_sizes: Array,
    filters: Array,
    grad: Array,
    *,
    strides: tuple[int, ...],
    padding: str,
    explicit_paddings: tuple[int, ...],
    dilations: tuple[int, ...],
    data_format: str,
) -> Array:
    """Every element of the gradient times its filter, accumulated at the filter's position."""
    slide = Slide(strides, padding, explicit_paddings, dilations, data_format)
    return _spread(xp, slide, _sizes(slide, input_sizes, filters, grad), filters, grad)


def conv2d_backprop_filter(
    xp: Namespace,
    x: Array,
    filter_sizes: Array,
    grad: Array,
    *,
    strides: tuple[int, ...],
    padding: str,
    explicit_paddings: tuple[int, ...],
    dilations: tuple[int, ...],
    data_format: str,
) -> Array:
    """Every element of the gradient times the elements under its filter, summed over the positions."""
    slide = Slide(strides, padding, explicit_paddings, dilations, data_format)
    return _correlated(xp, slide, x, ints(filter_sizes), grad)


def depthwise_conv2d_native(
    xp: Namespace,
    x: Array,
    filters: Array,
    *,
    strides: tuple[int, ...],
    padding: str,
    explicit_paddings: tuple[int, ...],
    dilations: tuple[int, ...],
    data_format: str,
) -> Array:
    """`conv2d` with a group for each channel."""
    slide = Slide(strides, padding, explicit_paddings, dilations, data_format)
    return _convolved(xp, slide, x, xp.reshape(filters, _grouped(filters.shape)))


def depthwise_conv2d_native_backprop_input(
    xp: Namespace,
    input_sizes: Array,
    filters: Array,
    grad: Array,
    *,
    strides: tuple[int, ...],
    padding: str,
    explicit_paddings: tuple[int, ...],
    dilations: tuple[int, ...],
    data_format: str,
) -> Array:
    """`conv2d_backprop_input` with a group for each channel."""
    slide = Slide(strides, padding, explicit_paddings, dilations, data_format)
    return _spread(xp, slide, ints(input_sizes), xp.reshape(filters, _grouped(filters.shape)), grad)


def depthwise_conv2d_native_backprop_filter(
    xp: Namespace,
    x: Array,
    filter_sizes: Array,
    grad: Array,
    *,
    strides: tuple[int, ...],
    padding: str,
    explicit_paddings: tuple[int, ...],
    dilations: tuple[int, ...],
    data_format: str,
) -> Array:
    """`conv2d_backprop_filter` with a group for each channel."""
    slide = Slide(strides, padding, explicit_paddings, dilations, data_format)
    shape = ints(filter_sizes)
    return xp.reshape(_correlated(xp, slide, x, _grouped(shape), grad), shape)


def _sizes(slide: Slide, input_sizes: Array, filters: Array, grad: Array) -> tuple[int, ...]:
    """The shape of the input of a convolution: four sizes, or height and width alone."""
    sizes = ints(input_sizes)
    if len(sizes) == 4:
        return sizes
    batch, depth = grad.shape[0], filters.shape[2]
    return (batch, depth, *sizes) if slide.data_format == "NCHW" else (batch, *sizes, depth)


def _grouped(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of depthwise filters [height, width, channels, multiplier] as filters of groups of one channel."""
    height, width, channels, multiplier = shape
    return height, width, 1, channels * multiplier


# What they compute: filters have the shape [height, width, channels of a group, number of filters]


def _convolved(xp: Namespace, slide: Slide, x: Array, filters: Array) -> Array:
    def function(x: Array, filters: Array) -> Array:
        count, sweeps = filters.shape[3], _swept(slide, x.shape, filters.shape)
        if filters.shape[2] == 1 < x.shape[3]:
            return _by_channel(xp, x, filters, sweeps)
        seen, positions = _seen(xp, x, sweeps, filters.shape[2], BLOCK)
        columns = _by_group(xp, filters, len(seen))
        used = slice(math.prod(positions)), slice(columns.shape[2])
        rest = -columns.shape[2] % (2 if columns.shape[2] <= FEW_FILTERS else COLUMNS)
        if rest:
            columns = xp.pad(columns, ((0, 0), (0, 0), (0, rest)))
        return xp.reshape(xp.moveaxis(xp.matmul(seen, columns)[:, *used], 0, 1), (*positions, count))

    return slide.formatted(widened(xp, function, slide.channels_last(x), filters))


def _by_channel(xp: Namespace, x: Array, filters: Array, sweeps: list[Sweep]) -> Array:
    """Convolve each channel with its own filters: sum the products with each element of the filters."""
    rows, columns = sweeps
    height, width, _, count = filters.shape
    result = xp.zeros((x.shape[0], rows.positions, columns.positions, count), x.dtype)
    # Repeated for each position in a row, so that NumPy's inner loops go over whole rows.
    factors = xp.repeat(filters, columns.positions, axis=2)
    x = _padded(xp, xp.repeat(x, count // x.shape[3], axis=3) if count != x.shape[3] else x, sweeps)
    step = max(1, PART // max(1, math.prod(result.shape[1:])))
    for first in range(0, len(x) if result.size else 0, step):
        images, part = x[first : first + step], result[first : first + step]
        product = xp.empty_like(part)
        for row, column in itertools.product(range(height), range(width)):
            positions = slice(None), rows.seen_by(row), columns.seen_by(column)
            part += xp.multiply(images[positions], factors[row, column], out=product)
    return result


def _padded(xp: Namespace, x: Array, sweeps: list[Sweep]) -> Array:
    """[batch, rows, columns, channels] with its padding."""
    rows, columns = sweeps
    return xp.pad(x, ((0, 0), rows.edges, columns.edges, (0, 0))) if any(rows.edges + columns.edges) else x


def _correlated(xp: Namespace, slide: Slide, x: Array, shape: tuple[int, ...], grad: Array) -> Array:
    def function(x: Array, grad: Array) -> Array:
        seen, _ = _seen(xp, x, _swept(slide, x.shape, shape), shape[2])
        product = xp.matmul(xp.swapaxes(seen, 1, 2), _by_group(xp, grad, len(seen)))
        return xp.reshape(xp.moveaxis(product, 0, 1), shape)

    return widened(xp, function, slide.channels_last(x), slide.channels_last(grad))


def _spread(xp: Namespace, slide: Slide, shape: tuple[int, ...], filters: Array, grad: Array) -> Array:
    def function(filters: Array, grad: Array) -> Array:
        height, width = filters.shape[:2]
        sizes = (shape[0], *shape[2:], shape[1]) if slide.data_format == "NCHW" else shape
        rows, columns = _swept(slide, sizes, filters.shape)
        parts, result = _parts(xp, filters, grad, sizes)
        for row, column in itertools.product(range(height), range(width)):
            (from_rows, to_rows), (from_columns, to_columns) = rows.inside(row), columns.inside(column)
            result[:, to_rows, to_columns] += parts[row, column, :, from_rows, from_columns]
        return xp.reshape(result, sizes)

    return slide.formatted(widened(xp, function, filters, slide.channels_last(grad)))


def _parts(xp: Namespace, filters: Array, grad: Array, sizes: tuple[int, ...]) -> tuple[Array, Array]:
    """The contributions of the filters' elements, [height, width, *positions, groups, depth], and a buffer of zeros."""
    height, width, depth, _ = filters.shape
    groups, positions = sizes[3] // depth, grad.shape[:3]
    factors, grads = _by_group(xp, filters, groups), _by_group(xp, grad, groups)
    if depth < FEW_CHANNELS:
        parts = xp.reshape(xp.matmul(factors, xp.swapaxes(grads, 1, 2)), (groups, height, width, depth, *positions))
        zeros = xp.zeros((groups, depth, *sizes[:3]), grad.dtype)
        return xp.transpose(parts, (1, 2, 4, 5, 6, 0, 3)), xp.transpose(zeros, (2, 3, 4, 0, 1))
    factors = xp.reshape(factors, (groups, height * width, depth, factors.shape[2]))
    parts = xp.matmul(grads, xp.transpose(factors, (1, 0, 3, 2)))
    parts = xp.reshape(parts, (height, width, groups, *positions, depth))
    return xp.moveaxis(parts, 2, 5), xp.zeros((*sizes[:3], groups, depth), grad.dtype)


def _by_group(xp: Namespace, x: Array, groups: int) -> Array:
    """[..., filters] as [groups, ..., filters of a group], the dimensions between as one."""
    *others, count = x.shape
    return xp.moveaxis(xp.reshape(x, (math.prod(others), groups, count // max(groups, 1))), 1, 0)


def _seen(xp: Namespace, x: Array, sweeps: list[Sweep], depth: int, block: int = 1) -> tuple[Array, tuple[int, ...]]:
    """The elements under the filters, [groups, positions, elements], and the positions, [batch, rows, columns].

    Zeros follow until there is a multiple of `block` positions.
    """
    rows, columns = sweeps
    groups, positions = x.shape[3] // depth, (x.shape[0], rows.positions, columns.positions)
    count, size = math.prod(positions), rows.size * columns.size * depth
    if 0 in positions:
        return xp.zeros((groups, count, size), x.dtype), positions
    view = sliding_window_view(_padded(xp, x, sweeps), (rows.span, columns.span), axis=(1, 2))
    view = view[:, :: rows.stride, :: columns.stride, :, :: rows.dilation, :: columns.dilation]
    view = xp.reshape(view, (*positions, groups, depth, rows.size, columns.size))
    rest = -count % block
    if depth < FEW_CHANNELS:
        by_element = _flat(xp, xp.transpose(view, (3, 5, 6, 4, 0, 1, 2)), (groups, size, count), (0, 0, rest))
        return xp.swapaxes(by_element, 1, 2), positions
    return _flat(xp, xp.transpose(view, (3, 0, 1, 2, 5, 6, 4)), (groups, count, size), (0, rest, 0)), positions


def _flat(xp: Namespace, view: Array, shape: tuple[int, ...], rest: tuple[int, ...]) -> Array:
    """`view` in another shape, with `rest` zeros after it in each dimension. It is copied once, or not at all."""
    if not any(rest):
        return xp.reshape(view, shape)
    result = xp.zeros(tuple(map(sum, zip(shape, rest, strict=True))), view.dtype)
    xp.reshape(result[tuple(map(slice, shape))], view.shape, copy=False)[...] = view
    return result
