"""Kernels of `ops/warp.yaml`.

To read images at positions between their pixels is linear in the images: a sparse matrix with a row for each position,
whose transpose gives the gradient. The matrices are SciPy's: the kernels run on NumPy only.
"""

from __future__ import annotations

import itertools
import math
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.checks import check_indices, ints
from typegrad.kernels.namespace import Array, DType, Namespace
from typegrad.kernels.resize import sparse_rows
from typegrad.kernels.scratch import scratch

FLOAT: Final = np.float32
PART: Final = 2**17
"""How many elements of the crops are made at once."""


def _rounded(x: Array) -> Array:
    """The nearest integer; away from zero in the middle of two."""
    return np.asarray(np.copysign(np.floor(np.abs(x)) + (np.abs(x) - np.floor(np.abs(x)) >= 0.5), x))


# Crops


class _Crops(NamedTuple):
    """The positions of the pixels of crops, [boxes, crop height, 1] and [boxes, 1, crop width]."""

    y: Array
    x: Array
    image: Array
    is_inside: Array

    @classmethod
    def of(cls, boxes: Array, box_ind: Array, batch: int, lengths: tuple[int, ...], sizes: tuple[int, ...]) -> _Crops:
        """The positions in images of these lengths."""
        check_indices("box_ind", box_ind, batch, "the number of images")
        if not np.isfinite(boxes).all():
            raise InvalidArgumentError("`boxes` must hold finite numbers, but holds infinity or nan")
        y, x = (
            _between(boxes[:, first], boxes[:, first + 2], length, size)
            for first, (length, size) in enumerate(zip(lengths, sizes, strict=True))
        )
        y, x = y[:, :, None], x[:, None, :]
        is_inside = (y >= 0) & (y <= lengths[0] - 1) & (x >= 0) & (x <= lengths[1] - 1)
        return cls(y, x, box_ind[:, None, None].astype(np.int64), is_inside)

    def nearest(self, images: Array) -> Array:
        """The nearest pixels."""
        _, height, width, _ = images.shape
        rows, columns = _whole(_rounded(self.y), height), _whole(_rounded(self.x), width)
        return np.asarray(_pixels(images).take((self.image * height + rows) * width + columns, axis=0))

    def bilinear(self, images: Array, result: Array) -> None:
        """Write the means of two pixels in each row that a box needs, and then of two of these rows."""
        _, height, width, channels = images.shape
        (rows, down), (columns, right) = (_lerped(at, length) for at, length in ((self.y, height), (self.x, width)))
        result = result.reshape(*result.shape[:2], result.shape[2] * channels)
        needed, places = np.unique(np.arange(len(result))[:, None, None] * height + rows, return_inverse=True)
        box, row = np.divmod(needed, height)
        starts = (self.image[box, 0] * height + row[:, None]) * width
        reads = (
            np.take(_pixels(images), starts + column[box, 0], axis=0).reshape(len(needed), result.shape[2])
            for column in columns
        )
        before, after = (each.astype(FLOAT, copy=False) for each in reads)
        _lerp(before, after, np.repeat(right[:, 0], channels, axis=1)[box])
        np.take(before, places[0, :, :, 0], axis=0, out=result, mode="clip")
        _lerp(result, before.take(places[1, :, :, 0], axis=0), down)

    def matrix(self, lengths: tuple[int, ...], batch: int, method: str) -> Any:
        """The weights, [positions, pixels]."""
        height, width = lengths
        if method == "nearest":
            rows, columns = _rounded(self.y)[..., None], _rounded(self.x)[..., None]
            weights = np.ones((*self.is_inside.shape, 1), FLOAT)
        else:
            (rows, by_row), (columns, by_column) = (_neighbours(at) for at in (self.y, self.x))
            rows, by_row = (np.repeat(each, 2, axis=-1) for each in (rows, by_row))
            columns, by_column = (np.tile(each, 2) for each in (columns, by_column))
            weights = by_row * by_column
        indices = (self.image[..., None] * height + _whole(rows, height)) * width + _whole(columns, width)
        count = weights.shape[-1]
        used = None if self.is_inside.all() else np.repeat(self.is_inside.reshape(-1, 1), count, axis=1)
        return sparse_rows(weights.reshape(-1, count), indices.reshape(-1, count), batch * height * width, used)


def _neighbours(at: Array) -> tuple[Array, Array]:
    """The pixels before and after positions, and their weights, along a new last dimension."""
    low = np.floor(at)
    after = at - low
    return np.stack([low, np.ceil(at)], axis=-1), np.stack([1 - after, after], axis=-1)


def _lerped(at: Array, length: int) -> tuple[Array, Array]:
    """The pixels before and after positions along a dimension of this length, and the weight of the latter."""
    low = np.floor(at)
    return _whole(np.stack([low, np.ceil(at)]), length), at - low


def _between(start: Array, end: Array, length: int, size: int) -> Array:
    """Positions that lie evenly from edge to edge of each box, or one in the middle."""
    last = FLOAT(length - 1)
    if size == 1:
        return np.asarray(FLOAT(0.5) * (start + end) * last)[:, None]
    step = (end - start) * last / FLOAT(size - 1)
    return np.asarray((start * last)[:, None] + np.arange(size, dtype=FLOAT) * step[:, None])


def _whole(at: Array, length: int) -> Array:
    """Positions as indices, moved inside; 0 for nan, the result of an overflow."""
    return np.asarray(np.nan_to_num(np.clip(at, 0, length - 1)).astype(np.int64))


def crop_and_resize(
    xp: Namespace,
    image: Array,
    boxes: Array,
    box_ind: Array,
    crop_size: Array,
    *,
    method: str,
    extrapolation_value: float,
) -> Array:
    """What is read at the pixels of each crop."""
    lengths, sizes = image.shape[1:3], ints(crop_size)
    result = xp.empty((len(boxes), *sizes, image.shape[3]), FLOAT)
    step = max(1, PART // max(1, math.prod(result.shape[1:])))
    for start in range(0, len(boxes), step):
        part = slice(start, start + step)
        crops = _Crops.of(boxes[part], box_ind[part], len(image), lengths, sizes)
        if method == "nearest":
            result[part] = crops.nearest(image)
        else:
            crops.bilinear(image, result[part])
        if not crops.is_inside.all():
            result[part][~crops.is_inside] = extrapolation_value
    return result


def _lerp(before: Array, after: Array, weight: Array) -> None:
    """Write the weighted means over the first numbers."""
    after -= before
    after *= weight
    before += after


def crop_and_resize_grad_image(
    xp: Namespace, grads: Array, boxes: Array, box_ind: Array, image_size: Array, *, t: DType, method: str
) -> Array:
    """The product with the transposed weights."""
    batch, height, width, channels = ints(image_size)
    crops = _Crops.of(boxes, box_ind, batch, (height, width), grads.shape[1:3])
    wide = grads.astype(np.float64 if t == np.float64 else FLOAT, copy=False)
    result = crops.matrix((height, width), batch, method).T @ _pixels(wide)
    return np.asarray(result).astype(t, copy=False).reshape(batch, height, width, channels)


def crop_and_resize_grad_boxes(xp: Namespace, grads: Array, image: Array, boxes: Array, box_ind: Array) -> Array:
    """The slopes at each pixel of a crop, divided between the edges of its box."""
    batch, height, width, _ = image.shape
    crops = _Crops.of(boxes, box_ind, batch, (height, width), grads.shape[1:3])
    top, left = np.floor(crops.y), np.floor(crops.x)
    down, right = crops.y - top, crops.x - left
    rows, columns = (
        [_whole(at, length) for at in (np.floor(places), np.ceil(places))]
        for places, length in ((crops.y, height), (crops.x, width))
    )
    pixels = _pixels(image)
    (a, b), (c, d) = (
        [pixels.take((crops.image * height + y) * width + x, axis=0).astype(FLOAT, copy=False) for x in columns]
        for y in rows
    )

    def slope(start: Array, end: Array) -> Array:
        return np.asarray(np.einsum("...c,...c->...", grads, end - start))

    by_y = (1 - right) * slope(a, c) + right * slope(b, d)
    by_x = (1 - down) * slope(a, b) + down * slope(c, d)
    edges = []
    for slopes, axis, length in ((by_y, 1, height), (by_x, 2, width)):
        size = slopes.shape[axis]
        part = np.full(1, 0.5, FLOAT) if size == 1 else np.arange(size, dtype=FLOAT) / FLOAT(size - 1)
        inside = np.where(crops.is_inside, slopes, 0)
        total = np.sum(inside, 3 - axis) * FLOAT(length - 1)
        edges.append((np.sum(total * (1 - part), 1), np.sum(total * part, 1)))
    (y1, y2), (x1, x2) = edges
    return np.stack([y1, x1, y2, x2], 1).astype(FLOAT)


def _pixels(x: Array) -> Array:
    """The pixels of all images, a row for each."""
    batch, height, width, channels = x.shape
    return x.reshape(batch * height * width, channels)


# Projective transforms


def image_projective_transform_v2(
    xp: Namespace, images: Array, transforms: Array, output_shape: Array, *, interpolation: str, fill_mode: str
) -> Array:
    """The same with 0 outside."""
    return image_projective_transform_v3(
        xp,
        images,
        transforms,
        output_shape,
        np.zeros((), FLOAT),
        interpolation=interpolation,
        fill_mode=fill_mode,
    )


def image_projective_transform_v3(
    xp: Namespace,
    images: Array,
    transforms: Array,
    output_shape: Array,
    fill_value: Array,
    *,
    interpolation: str,
    fill_mode: str,
) -> Array:
    """What is read at the transformed positions."""
    batch, height, width, channels = images.shape
    result = xp.empty((batch, *ints(output_shape), channels), images.dtype)
    fill = fill_value.astype(images.dtype)
    if not images.size:
        result[...] = fill
        return result
    is_exact = interpolation == "NEAREST" or images.dtype == np.float64
    pixels = np.empty((height * width + 1, channels), images.dtype if is_exact else FLOAT)
    pixels[-1] = fill  # what is outside
    prepare = partial(_reads, pixels, (height, width), result.shape[1:3], interpolation, fill_mode)
    prepared = itertools.repeat(prepare(transforms[0])) if len(transforms) == 1 else map(prepare, transforms)
    for image, written, reads in zip(images, result, prepared, strict=False):
        pixels[:-1] = image.reshape(-1, channels)
        read = scratch("read", (len(reads.places), *written.shape), pixels.dtype)
        for place, each in zip(reads.places, read, strict=True):
            np.take(pixels, place, axis=0, out=each, mode="clip")  # places outside are too large
        if reads.weights:
            for pair in (read[:2], read[2:]):
                _mix(*pair, *reads.weights[2:])
            _mix(read[0], read[2], *reads.weights[:2])
        written[...] = read[0]
        if not reads.is_finite.all():
            written[~reads.is_finite] = fill
    return result


class _Reads(NamedTuple):
    """What is read to transform an image."""

    places: list[Array]
    """The numbers of pixels: a single one, or the four around a position."""
    weights: list[Array]
    """The weights of their two rows and their two columns, if there are four."""
    is_finite: Array
    """Where the position is anywhere."""


def _reads(
    pixels: Array,
    lengths: tuple[int, ...],
    size: tuple[int, ...],
    interpolation: str,
    fill_mode: str,
    transform: Array,
) -> _Reads:
    """What is read of these pixels, the last of which is all that is outside."""
    height, width = lengths
    y, x, is_finite = _transformed(transform, size)
    y, x = (_filled(at, length, fill_mode) for at, length in ((y, height), (x, width)))
    if interpolation == "NEAREST":
        rows, columns, weights = [_rounded(y)], [_rounded(x)], []
    else:
        top, left = np.floor(y), np.floor(x)
        rows, columns = [top, top + 1], [left, left + 1]
        weights = [_repeated(each, pixels) for each in (top + 1 - y, y - top, left + 1 - x, x - left)]
    starts = [_line(np.where(is_finite, row, -1), height, width, len(pixels)) for row in rows]
    ends = [_line(column, width, 1, len(pixels)) for column in columns]
    return _Reads([start + end for start in starts for end in ends], weights, is_finite)


def _mix(x: Array, y: Array, of_x: Array, of_y: Array) -> None:
    """Write the weighted sum over the first array; the second one is overwritten, too."""
    x *= of_x
    y *= of_y
    x += y


def _repeated(weights: Array, pixels: Array) -> Array:
    """For each channel, in the type of the pixels, so that NumPy's inner loops are long."""
    channels = pixels.shape[1]
    return np.repeat(weights.astype(pixels.dtype, copy=False).reshape(-1), channels).reshape(*weights.shape, channels)


def _transformed(transform: Array, size: tuple[int, ...]) -> tuple[Array, Array, Array]:
    """Where each pixel of the result is read, and whether that is anywhere."""
    a0, a1, a2, b0, b1, b2, c0, c1 = transform
    y, x = np.arange(size[0], dtype=FLOAT)[:, None], np.arange(size[1], dtype=FLOAT)
    k = c0 * x + c1 * y + FLOAT(1)
    is_finite = k != 0
    k = np.where(is_finite, k, 1)
    return (b0 * x + b1 * y + b2) / k, (a0 * x + a1 * y + a2) / k, is_finite


def _line(at: Array, length: int, step: int, outside: int) -> Array:
    """Rows or columns as indices times `step`; `outside` if they are not inside an image of this length."""
    is_inside = (at >= 0) & (at < length)
    return np.where(is_inside, np.where(is_inside, at, 0).astype(np.int64) * step, outside)


def _filled(at: Array, length: int, fill_mode: str) -> Array:
    """Positions outside an image of this length, moved to where the mode finds its pixel."""
    last = FLOAT(length - 1)
    if fill_mode == "CONSTANT":
        return at
    if fill_mode == "REFLECT":
        turned, is_beyond = at.copy(), (at < 0) | (at >= 2 * length)
        turned[is_beyond] = np.remainder(at[is_beyond], FLOAT(2 * length))
        at = np.where(turned >= length, 2 * length - turned - 1, turned)
    elif fill_mode == "WRAP":
        step = max(last, FLOAT(1))
        after = np.where(at > last, at - length * np.trunc(at / step), at)
        at = np.where(at < 0, at + length * (np.trunc(-at / step) + 1), after)
    return np.asarray(np.clip(at, 0, last), at.dtype)
