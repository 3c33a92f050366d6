"""Kernels of `ops/convolution_3d.yaml`: for each plane of the filters, convolutions of the planes that it sees.

The kernels write into arrays, so they run on NumPy only.
"""

from __future__ import annotations

import math

from typegrad.kernels.checks import ints
from typegrad.kernels.convolution import Slide, convolved, correlated, spread, swept
from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import widened
from typegrad.kernels.windows import Sweep


def conv3d(
    xp: Namespace,
    x: Array,
    filters: Array,
    *,
    strides: tuple[int, ...],
    padding: str,
    dilations: tuple[int, ...],
    data_format: str,
) -> Array:
    """The sum of the convolutions in two dimensions with each plane of the filters."""
    return convolved_volumes(xp, x, filters, Slide(strides, padding, (), dilations, data_format))


def convolved_volumes(xp: Namespace, x: Array, filters: Array, slide: Slide) -> Array:
    """The convolution, with the steps of a slide."""

    def function(x: Array, filters: Array) -> Array:
        planes, *sweeps = swept(slide, x.shape, filters.shape)
        positions = (sweep.positions for sweep in (planes, *sweeps))
        result = xp.zeros((len(x), *positions, filters.shape[-1]), x.dtype)
        for number in range(planes.size):
            to, seen = planes.inside(number)
            part = convolved(xp, _images(xp, x[:, seen]), filters[number], sweeps)
            result[:, to] += xp.reshape(part, result[:, to].shape)
        return result

    return slide.formatted(widened(xp, function, slide.channels_last(x), filters))


def conv3d_backprop_input(
    xp: Namespace,
    input_sizes: Array,
    filters: Array,
    grad: Array,
    *,
    strides: tuple[int, ...],
    padding: str,
    dilations: tuple[int, ...],
    data_format: str,
) -> Array:
    """The sum of the gradients of the convolutions with each plane of the filters."""
    slide, shape = Slide(strides, padding, (), dilations, data_format), ints(input_sizes)
    sizes = (shape[0], *shape[2:], shape[1]) if data_format == "NCDHW" else shape

    def function(filters: Array, grad: Array) -> Array:
        planes, *sweeps = swept(slide, sizes, filters.shape)
        result = xp.zeros(sizes, grad.dtype)
        for number in range(planes.size):
            to, seen = planes.inside(number)
            images = _images(xp, grad[:, to])
            part = spread(xp, (len(images), *sizes[2:]), filters[number], images, sweeps)
            result[:, seen] += xp.reshape(part, result[:, seen].shape)
        return result

    return slide.formatted(widened(xp, function, filters, slide.channels_last(grad)))


def conv3d_backprop_filter(
    xp: Namespace,
    x: Array,
    filter_sizes: Array,
    grad: Array,
    *,
    strides: tuple[int, ...],
    padding: str,
    dilations: tuple[int, ...],
    data_format: str,
) -> Array:
    """The gradient of each plane of the filters."""
    slide, shape = Slide(strides, padding, (), dilations, data_format), ints(filter_sizes)

    def function(x: Array, grad: Array) -> Array:
        planes, *sweeps = swept(slide, x.shape, shape)
        if planes.stride == 1 and shape[3] == x.shape[4]:
            return _correlated_together(xp, x, shape, grad, planes, sweeps)
        result = xp.empty(shape, x.dtype)
        for number in range(planes.size):
            to, seen = planes.inside(number)
            result[number] = correlated(xp, _images(xp, x[:, seen]), shape[1:], _images(xp, grad[:, to]), sweeps)
        return result

    return widened(xp, function, slide.channels_last(x), slide.channels_last(grad))


def _correlated_together(
    xp: Namespace, x: Array, shape: tuple[int, ...], grad: Array, planes: Sweep, sweeps: list[Sweep]
) -> Array:
    """The gradient of all planes of the filters at once, as further filters of the planes of `x`.

    So what is under the filters is copied once, and one product takes less time than several narrow ones.
    """
    further = planes.size * shape[-1]
    grads = xp.zeros((*x.shape[:2], *grad.shape[2:4], planes.size, shape[-1]), grad.dtype)
    for number in range(planes.size):
        to, seen = planes.inside(number)
        grads[:, seen, :, :, number] = grad[:, to]
    images = xp.reshape(grads, (math.prod(x.shape[:2]), *grad.shape[2:4], further))
    result = correlated(xp, _images(xp, x), (*shape[1:4], further), images, sweeps)
    return xp.moveaxis(xp.reshape(result, (*shape[1:4], planes.size, shape[-1])), 3, 0)


def _images(xp: Namespace, volumes: Array) -> Array:
    """The planes of volumes [batch, planes, rows, columns, channels] as images."""
    return xp.reshape(volumes, (math.prod(volumes.shape[:2]), *volumes.shape[2:]))
