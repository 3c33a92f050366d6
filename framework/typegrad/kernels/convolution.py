"""Kernels of `ops/convolution.yaml`.

A convolution is a matrix product: a row with the elements under the filters for each position, times a column for each
filter. The rows are copied for as many positions as fit into a cache at once. With groups of channels, it is a product
for each group; `convolution_by_channel` is for groups of one channel.

Equal windows get equal results, or else a pooling after the convolution would break ties at random.

The kernels take views of arrays and write into them, so they run on NumPy only.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import as_strided

from typegrad.base.shape import Shape
from typegrad.kernels.checks import ints
from typegrad.kernels.convolution_by_channel import convolved_by_channel, correlated_by_channel, spread_by_channel
from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import widened
from typegrad.kernels.products import ROWS, even_columns, even_product, even_rows
from typegrad.kernels.scratch import scratch
from typegrad.kernels.windows import Sweep, sweeps_of
from typegrad.shapes.convolution import convolution_windows
from typegrad.shapes.view import OpView

FEW_CHANNELS: Final = 4
"""With fewer channels in a group, arrays are laid out with the positions last, so that runs of neighbours stay long."""

PART: Final = 2**15
"""The number of elements that a loop reads and writes repeatedly: they fit into a cache."""

COPIED: Final = 2**18
"""How many elements under the filters are copied at once."""

SUMMED: Final = 2**10
"""The number of positions over which a product sums at least: adding its result to others takes time, too."""


class Slide(NamedTuple):
    """The attributes that say how filters slide over the input."""

    strides: tuple[int, ...]
    padding: str
    explicit_paddings: tuple[int, ...]
    dilations: tuple[int, ...]
    data_format: str

    def channels_last(self, x: Array) -> Array:
        """An array of this data format as [batch, rows, columns, channels], or [batch, planes, rows, ...]."""
        return np.moveaxis(x, 1, -1) if self.data_format.startswith("NC") else x

    def formatted(self, x: Array) -> Array:
        """An array [batch, ..., channels] as one of this data format."""
        return np.moveaxis(x, -1, 1) if self.data_format.startswith("NC") else x


def sliding(kernel: Callable[..., Array]) -> Callable[..., Array]:
    """A kernel, which takes attributes by name, of a function that takes them as a slide, before the arrays."""

    def with_attributes(
        xp: Namespace,
        *arrays: Array,
        strides: tuple[int, ...],
        padding: str,
        explicit_paddings: tuple[int, ...],
        dilations: tuple[int, ...],
        data_format: str,
    ) -> Array:
        return kernel(xp, Slide(strides, padding, explicit_paddings, dilations, data_format), *arrays)

    return with_attributes


@lru_cache(maxsize=1024)
def swept(slide: Slide, lengths: tuple[int, ...], filters: tuple[int, ...]) -> list[Sweep]:
    """The sweeps of filters of this shape over all dimensions but batch and channels; the input's channels are last."""
    windows = convolution_windows(OpView({}, {}, slide._asdict()), Shape(filters))
    return sweeps_of(windows[2:] if slide.data_format.startswith("NC") else windows[1:-1], lengths[1:-1])


# The operations


@sliding
def conv2d(xp: Namespace, slide: Slide, x: Array, filters: Array) -> Array:
    """The product of every filter with the elements under it, at every position."""
    return _convolved(xp, slide, x, filters)


@sliding
def conv2d_backprop_input(xp: Namespace, slide: Slide, input_sizes: Array, filters: Array, grad: Array) -> Array:
    """Every element of the gradient times its filter, accumulated at the filter's position."""
    return spread_in_format(xp, slide, _sizes(slide, input_sizes, filters, grad), filters, grad)


@sliding
def conv2d_backprop_filter(xp: Namespace, slide: Slide, x: Array, filter_sizes: Array, grad: Array) -> Array:
    """Every element of the gradient times the elements under its filter, summed over the positions."""
    return correlated_in_format(xp, slide, x, ints(filter_sizes), grad)


@sliding
def depthwise_conv2d_native(xp: Namespace, slide: Slide, x: Array, filters: Array) -> Array:
    """`conv2d` with a group for each channel."""
    return _convolved(xp, slide, x, xp.reshape(filters, _grouped(filters.shape)))


@sliding
def depthwise_conv2d_native_backprop_input(
    xp: Namespace, slide: Slide, input_sizes: Array, filters: Array, grad: Array
) -> Array:
    """`conv2d_backprop_input` with a group for each channel."""
    return spread_in_format(xp, slide, ints(input_sizes), xp.reshape(filters, _grouped(filters.shape)), grad)


@sliding
def depthwise_conv2d_native_backprop_filter(
    xp: Namespace, slide: Slide, x: Array, filter_sizes: Array, grad: Array
) -> Array:
    """`conv2d_backprop_filter` with a group for each channel."""
    shape = ints(filter_sizes)
    return xp.reshape(correlated_in_format(xp, slide, x, _grouped(shape), grad), shape)


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


class _Part(NamedTuple):
    """Whole images, or some rows of one image."""

    images: slice
    rows: slice
    positions: slice
    """The same, counted over all columns of all rows of all images."""


def _parts(batch: int, rows: int, columns: int, each: int, most: int, least: int = ROWS) -> list[_Part]:
    """All of some images in parts, with at most `most` elements if there are `each` at a position.

    But a part has at least a row, and about `least` positions.
    """
    if not batch * rows * columns:
        return []
    count = max(most // max(1, each), least) // columns
    if count >= rows:
        images, step = _evenly(batch, count // rows), rows
    else:
        images, step = 1, _evenly(rows, max(1, count))
    parts = []
    for image, row in itertools.product(range(0, batch, images), range(0, rows, step)):
        to_image, to_row = min(batch, image + images), min(rows, row + step)
        first = (image * rows + row) * columns
        positions = slice(first, first + (to_image - image) * (to_row - row) * columns)
        parts.append(_Part(slice(image, to_image), slice(row, to_row), positions))
    return parts


def _evenly(count: int, most: int) -> int:
    """The size of parts of about equal size."""
    return -(-count // -(-count // most))


def _groups(channels: int, depth: int, count: int) -> Iterator[tuple[slice, slice]]:
    """The channels and the filters of each group."""
    groups = channels // max(1, depth)
    for group in range(groups):
        yield slice(group * depth, (group + 1) * depth), slice(group * count // groups, (group + 1) * count // groups)


def _convolved(xp: Namespace, slide: Slide, x: Array, filters: Array) -> Array:
    def function(x: Array, filters: Array) -> Array:
        return convolved(xp, x, filters, swept(slide, x.shape, filters.shape))

    return slide.formatted(widened(xp, function, slide.channels_last(x), filters))


def convolved(xp: Namespace, x: Array, filters: Array, sweeps: list[Sweep]) -> Array:
    """The convolution of images [batch, rows, columns, channels]."""
    depth, count = filters.shape[2:]
    if depth == 1 < x.shape[3]:
        return convolved_by_channel(xp, x, filters, sweeps)
    result = xp.zeros((len(x), *(sweep.positions for sweep in sweeps), count), x.dtype)
    flat = xp.reshape(result, (math.prod(result.shape[:3]), count))
    for channels, chosen in _groups(x.shape[3], depth, count):
        _multiply(x[..., channels], filters[..., chosen], sweeps, flat[:, chosen])
    return result


def _multiply(x: Array, filters: Array, sweeps: list[Sweep], out: Array) -> None:
    """Convolve the channels of one group with its filters."""
    rows, columns = sweeps
    matrix = even_columns(filters.reshape(math.prod(filters.shape[:3]), filters.shape[3]))
    parts = _parts(len(x), rows.positions, columns.positions, len(matrix), COPIED)
    together = even_rows(_size(parts), matrix)
    for part in parts:
        even_product(_seen(x, part, sweeps), matrix, out[part.positions], together)


def _size(parts: list[_Part]) -> int:
    """The number of positions in the largest part."""
    return max((part.positions.stop - part.positions.start for part in parts), default=0)


def correlated_in_format(xp: Namespace, slide: Slide, x: Array, shape: tuple[int, ...], grad: Array) -> Array:
    """The gradient of filters of this shape, from arrays of the slide's data format."""

    def function(x: Array, grad: Array) -> Array:
        return correlated(xp, x, shape, grad, swept(slide, x.shape, shape))

    return widened(xp, function, slide.channels_last(x), slide.channels_last(grad))


def correlated(xp: Namespace, x: Array, shape: tuple[int, ...], grad: Array, sweeps: list[Sweep]) -> Array:
    """The gradient of filters of this shape."""
    *_, depth, count = shape
    rows, columns = sweeps
    if depth == 1 < x.shape[3]:
        return correlated_by_channel(xp, x, shape, grad, sweeps)
    result = xp.zeros((math.prod(shape[:3]), count), x.dtype)
    flat = xp.reshape(grad, (math.prod(grad.shape[:3]), count))
    parts = _parts(len(x), rows.positions, columns.positions, len(result), 8 * COPIED, SUMMED)
    for channels, chosen in _groups(x.shape[3], depth, count):
        for part in parts:
            seen = _seen(x[..., channels], part, sweeps)
            _add_product(seen.T, flat[part.positions, chosen], result[:, chosen], is_first=part is parts[0])
    return xp.reshape(result, shape)


def _add_product(x: Array, y: Array, total: Array, *, is_first: bool) -> None:
    """Add `x @ y`, to zeros the first time."""
    if is_first:
        np.matmul(x, y, out=total)
    else:
        total += np.matmul(x, y, out=scratch("product", total.shape, total.dtype))


def spread_in_format(xp: Namespace, slide: Slide, shape: tuple[int, ...], filters: Array, grad: Array) -> Array:
    """The gradient of images of this shape; it and `grad` are of the slide's data format."""

    def function(filters: Array, grad: Array) -> Array:
        sizes = (shape[0], *shape[2:], shape[1]) if slide.data_format == "NCHW" else shape
        return spread(xp, sizes, filters, grad, swept(slide, sizes, filters.shape))

    return slide.formatted(widened(xp, function, filters, slide.channels_last(grad)))


def spread(xp: Namespace, sizes: tuple[int, ...], filters: Array, grad: Array, sweeps: list[Sweep]) -> Array:
    """The gradient of images of these sizes, [batch, rows, columns, channels]."""
    depth, count = filters.shape[2:]
    if depth == 1 < sizes[3]:
        return spread_by_channel(xp, filters, grad, sweeps, sizes)
    if depth >= FEW_CHANNELS:
        result = xp.zeros(sizes, grad.dtype)
        add = _spread_by_element
    else:
        result = xp.moveaxis(xp.zeros((sizes[3], *sizes[:3]), grad.dtype), 0, 3)
        add = _spread_together
    grad = np.ascontiguousarray(grad)
    for channels, chosen in _groups(sizes[3], depth, count) if grad.size else ():
        add(filters[..., chosen], grad[..., chosen], sweeps, result[..., channels])
    return result


def _spread_by_element(filters: Array, grad: Array, sweeps: list[Sweep], result: Array) -> None:
    """For each element of the filters, add its products with the gradient to the elements under it."""
    rows, columns = sweeps
    height, width, depth, count = filters.shape
    if not result.size * height * width:
        return
    elements = itertools.product(range(height), range(width))
    factors = [(i, columns.inside(j), even_columns(filters[i, j].T)) for i, j in elements]
    steps = rows.stride * columns.stride
    parts = _parts(len(result), rows.length, columns.length, depth, steps * PART, steps * ROWS)
    together = even_rows(_size(parts) // steps, factors[0][2])
    for part in parts:
        is_whole = part.rows == slice(0, rows.length)
        for i, (from_columns, to_columns), matrix in factors:
            from_rows, to_rows = rows.inside(i, part.rows)
            # Rows are neighbours if they are in one image.
            multiplied, from_rows = (slice(None), from_rows) if is_whole else (from_rows, slice(None))
            grads = grad[part.images, multiplied]
            size = math.prod(grads.shape[:3])
            product = scratch("product", (size, depth), grad.dtype)
            even_product(grads.reshape(size, count), matrix, product, together)
            by_position = product.reshape(*grads.shape[:3], depth)
            result[part.images, to_rows, to_columns] += by_position[:, from_rows, from_columns]


def _spread_together(filters: Array, grad: Array, sweeps: list[Sweep], result: Array) -> None:
    """The same for few channels: one product for all elements, in which neighbouring positions are neighbours."""
    rows, columns = sweeps
    height, width, depth, count = filters.shape
    elements = height * width * depth
    matrix = even_columns(filters.reshape(elements, count).T)
    size = rows.positions * columns.positions
    images = max(1, COPIED // (elements * size))
    together = even_rows(images * size, matrix)
    for first in range(0, len(result), images):
        grads, part = grad[first : first + images], result[first : first + images]
        product = scratch("product", (elements, len(grads) * size), grad.dtype)
        even_product(grads.reshape(len(grads) * size, count), matrix, product.T, together)
        by_element = product.reshape(height, width, depth, *grads.shape[:3]).transpose(0, 1, 3, 4, 5, 2)
        for i, j in itertools.product(range(height), range(width)):
            (from_rows, to_rows), (from_columns, to_columns) = rows.inside(i), columns.inside(j)
            part[:, to_rows, to_columns] += by_element[i, j, :, from_rows, from_columns]


def _seen(x: Array, part: _Part, sweeps: list[Sweep]) -> Array:
    """The elements under the filters at the positions of a part, [positions, elements]."""
    rows, columns = sweeps
    image = _padded(x, part, sweeps)
    images, depth = len(image), image.shape[3]
    positions = part.rows.stop - part.rows.start, columns.positions
    by_image, by_row, by_column, by_channel = image.strides
    steps = by_image, by_row * rows.stride, by_column * columns.stride
    window_steps = by_row * rows.dilation, by_column * columns.dilation, by_channel
    count, window = images * math.prod(positions), (rows.size, columns.size, depth)
    shape, strides = (images, *positions, *window), (*steps, *window_steps)
    if depth < FEW_CHANNELS:
        shape, strides = (*window, images, *positions), (*window_steps, *steps)
    seen = scratch("windows", shape, x.dtype)
    seen[...] = as_strided(image, shape, strides, writeable=False)
    elements = math.prod(window)
    return seen.reshape(elements, count).T if depth < FEW_CHANNELS else seen.reshape(count, elements)


def _padded(x: Array, part: _Part, sweeps: list[Sweep]) -> Array:
    """What the filters see at the positions of a part, with its padding."""
    rows, columns = sweeps
    first = part.rows.start * rows.stride - rows.edges[0]
    last = (part.rows.stop - 1) * rows.stride - rows.edges[0] + rows.span
    inside = x[part.images, max(0, first) : max(0, last)]
    images, height, width, depth = inside.shape
    if height == last - first and not any(columns.edges):
        return inside
    padded = scratch("padded", (images, last - first, width + sum(columns.edges), depth), x.dtype)
    padded.fill(0)
    above, before = max(0, -first), columns.edges[0]
    padded[:, above : above + height, before : before + width] = inside
    return padded
