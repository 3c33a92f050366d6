"""Operations on images and sequences of feature maps."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import copy_context
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.lib.stride_tricks import as_strided
from scipy import optimize

from contenders.inputs import Array

__all__ = ["FUNCTIONS"]

Work = Callable[[], Any]


def _padded(x: Array) -> tuple[Array, Array]:
    """`x` with room around each image, and what each element of a filter sees, in rows."""
    batch, height, width, channels = x.shape
    padded = np.zeros((batch, height + 2, width + 2, channels), x.dtype)
    image, row, column, _ = padded.strides
    seen = as_strided(padded, (batch, height, 3, 3, width * channels), (image, row, row, column, x.itemsize))
    return padded[:, 1:-1, 1:-1], seen


def _depthwise(x: Array, filters: Array, **_: Any) -> Work:
    inside, seen = _padded(x)
    factors = np.repeat(filters[..., 0][:, :, None], x.shape[2], axis=2).reshape(3, 3, -1)
    result = np.empty((*x.shape[:2], factors.shape[2]), x.dtype)

    def work() -> Array:
        np.copyto(inside, x)
        np.einsum("brijc,ijc->brc", seen, factors, out=result)
        return result.reshape(x.shape)

    return work


def _depthwise_by_input(_: Any, filters: Array, grad: Array, **attrs: Any) -> Work:
    return _depthwise(grad, filters[::-1, ::-1], **attrs)


def _depthwise_by_filter(x: Array, sizes: tuple[int, ...], grad: Array, **_: Any) -> Work:
    inside, seen = _padded(x)
    factors = grad.reshape(*x.shape[:2], -1)

    def work() -> Array:
        np.copyto(inside, x)
        sums = [np.einsum("brc,brc->c", seen[:, :, i, j], factors) for i in range(3) for j in range(3)]
        return np.asarray(np.stack(sums).reshape(9, x.shape[2], -1).sum(axis=1).reshape(sizes))

    return work


def _pooled(ufunc: np.ufunc, factor: float, x: Array, *, ksize: tuple[int, ...], **_: Any) -> Work:
    """By windows that do not overlap: pairs along each dimension, or three of the padded rows and columns."""
    if ksize == (1, 3, 3, 1):
        return _means_of_nine(x)
    halves = [x[0]]
    for axis in range(x.ndim - 2):
        shape = list(halves[-1].shape)
        shape[axis] //= 2
        halves.append(np.empty(shape, x.dtype))
    result = np.empty((len(x), *halves[-1].shape), x.dtype)
    evens, odds = ([(slice(None),) * axis + (slice(first, None, 2),) for axis in range(x.ndim - 2)] for first in (0, 1))

    def work() -> Array:
        for image, pooled in zip(x, result, strict=True):
            halves[0], halves[-1] = image, pooled
            for axis, half in enumerate(halves[1:]):
                ufunc(halves[axis][evens[axis]], halves[axis][odds[axis]], out=half)
            if factor != 1:
                np.multiply(pooled, np.float32(factor), out=pooled)
        return result

    return work


def _means_of_nine(x: Array) -> Work:
    _, height, width, channels = x.shape
    rows = np.empty((height, width, channels), x.dtype)
    result = np.empty_like(x)
    counts = np.full((height, width), 9, x.dtype)
    counts[[0, -1]] -= 3
    counts[:, [0, -1]] -= counts[:, [0, -1]] / 3
    factors = np.repeat(1 / counts, channels, axis=1).reshape(height, width, channels)

    def work() -> Array:
        for image, pooled in zip(x, result, strict=True):
            np.add(image[:-1], image[1:], out=rows[:-1])
            np.copyto(rows[-1], image[-1])
            np.add(rows[1:], image[:-1], out=rows[1:])
            np.add(rows[:, :-1], rows[:, 1:], out=pooled[:, :-1])
            np.copyto(pooled[:, -1], rows[:, -1])
            np.add(pooled[:, 1:], rows[:, :-1], out=pooled[:, 1:])
            np.multiply(pooled, factors, out=pooled)
        return result

    return work


def _normalized(x: Array, scale: Array, offset: Array, *_: Any, epsilon: float = 1e-4) -> Work:
    """By statistics of the batch."""
    channels, size = x.shape[3], x.size // x.shape[3]
    rows = x.reshape(-1, x.shape[2] * channels)
    y, squares, ones = np.empty_like(rows), np.empty_like(rows), np.ones(len(rows), x.dtype)

    def sums(x: Array) -> Array:
        total: Array = np.matmul(ones, x).reshape(-1, channels).sum(axis=0)
        return total

    def work() -> list[Array]:
        mean = sums(rows) / np.float32(size)
        np.subtract(rows, np.tile(mean, x.shape[2]), out=y)
        np.multiply(y, y, out=squares)
        variance = sums(squares) / np.float32(size)
        np.multiply(y, np.tile(scale / np.sqrt(variance + np.float32(epsilon)), x.shape[2]), out=y)
        np.add(y, np.tile(offset, x.shape[2]), out=y)
        unbiased = variance * np.float32(size / (size - 1))
        return [y.reshape(x.shape), mean, unbiased, mean, variance, np.zeros(0, np.float32)]

    return work


def _to_rgb(x: Array) -> Work:
    numbers = x.reshape(-1, 3)
    result, height = np.empty_like(numbers), np.empty(len(numbers), x.dtype)
    hue, saturation, value, rest = np.empty((4, len(numbers)), x.dtype)

    def work() -> Array:
        np.multiply(numbers[:, 0], np.float32(6), out=hue)
        np.copyto(saturation, numbers[:, 1])
        np.copyto(value, numbers[:, 2])
        np.subtract(np.float32(1), saturation, out=rest)
        for channel, middle in enumerate((3, 2, 4)):
            np.subtract(hue, np.float32(middle), out=height)
            np.abs(height, out=height)
            if channel:
                np.subtract(np.float32(2), height, out=height)
            else:
                np.subtract(height, np.float32(1), out=height)
            np.clip(height, 0, 1, out=height)
            np.multiply(height, saturation, out=height)
            np.add(height, rest, out=height)
            np.multiply(height, value, out=result[:, channel])
        return result.reshape(x.shape)

    return work


def _decoded(x: Array, _: Array) -> Work:
    """The largest logits of sequences of full length, without blanks, the last class."""
    time, batch, classes = x.shape
    starts, largest = np.arange(0, x.size, classes).reshape(time, batch), np.empty((time, batch), x.dtype)

    def work() -> list[Array]:
        chosen = x.argmax(axis=2)
        x.take(starts + chosen, out=largest, mode="clip")
        is_label = chosen != classes - 1
        places = np.flatnonzero(is_label.T)
        counts = np.count_nonzero(is_label, axis=0)
        indices = np.empty((len(places), 2), np.int64)
        indices[:, 0] = places // time
        indices[:, 1] = np.arange(len(places)) - np.repeat(np.cumsum(counts) - counts, counts)
        return [indices, chosen.T.take(places), np.array([batch, counts.max()]), -largest.sum(axis=0)[:, None]]

    return work


def _isotonic(x: Array) -> Work:
    means, segments = np.empty_like(x), np.empty(x.shape, np.int32)

    def work() -> list[Array]:
        segments.fill(0)
        for number, row in enumerate(x):
            fit = optimize.isotonic_regression(row, increasing=False)
            means[number] = fit.x
            segments[number, fit.blocks[1:-1]] = 1
        np.add.accumulate(segments, axis=1, out=segments)
        return [means, segments]

    return work


def _selected(boxes: Array, scores: Array, most: int, limit: Any, _: Any, sigma: Any) -> Work:
    """Boxes whose corners are in order. Each selection takes the largest score and lowers the rest of the best 192."""
    size = min(192, len(scores))
    sides, others = np.empty((2, 2, size, size), boxes.dtype)
    common, unions = np.empty((2, size, size), boxes.dtype)
    zeros = np.zeros_like(sides)

    def work() -> list[Array]:
        order = np.sort(np.argpartition(-scores, size - 1)[:size])
        numbers, corners = scores[order], boxes[order].T.copy()
        np.copyto(sides, corners[2:, :, None])
        np.copyto(others, corners[:2, :, None])
        np.minimum(sides, corners[2:, None], out=sides)
        np.maximum(others, corners[:2, None], out=others)
        np.maximum(np.subtract(sides, others, out=sides), zeros, out=sides)
        np.multiply(sides[0], sides[1], out=common)
        areas = np.multiply(*(corners[2:] - corners[:2]))
        np.add(areas[:, None], areas, out=unions)
        np.divide(common, np.subtract(unions, common, out=unions), out=common)
        if sigma:
            np.multiply(common, common, out=common)
            np.exp(np.multiply(common, -0.5 / sigma, out=common), out=common)
        else:
            np.copyto(common, common <= limit)
        factors = [*common]
        selected, values = list[int](), list[float]()
        while len(selected) < most and (highest := numbers.item(best := int(numbers.argmax()))) > 0:
            selected.append(best)
            values.append(highest)
            numbers *= factors[best]
            numbers[best] = -1
        return [order[selected].astype(np.int32), np.array(values, scores.dtype), np.asarray(len(selected), np.int32)]

    return work


_PREPARING: Final[dict[str, Callable[..., Work]]] = {
    "AvgPool": partial(_pooled, np.add, 1 / 4),
    "AvgPool3D": partial(_pooled, np.add, 1 / 8),
    "CTCGreedyDecoder": _decoded,
    "DepthwiseConv2dNative": _depthwise,
    "DepthwiseConv2dNativeBackpropFilter": _depthwise_by_filter,
    "DepthwiseConv2dNativeBackpropInput": _depthwise_by_input,
    "FusedBatchNormV3": _normalized,
    "HSVToRGB": _to_rgb,
    "IsotonicRegression": _isotonic,
    "MaxPool3D": partial(_pooled, np.fmax, 1),
    "NonMaxSuppressionV5": _selected,
}


def _buffered(prepare: Callable[..., Work], *inputs: Any, **attrs: Any) -> Work:
    """With small buffers, into which NumPy copies short rows."""
    context = copy_context()
    context.run(np.setbufsize, 512)
    return partial(context.run, prepare(*inputs, **attrs))


FUNCTIONS: Final = {name: partial(_buffered, prepare) for name, prepare in _PREPARING.items()}
"""For each operation, a function of its inputs and attributes that returns what computes the result."""
