"""Kernels of `ops/warp.yaml`.

To read images at positions between their pixels is linear in the images: a sparse matrix with a row for each position,
whose transpose gives the gradient. The matrices are SciPy's: the kernels are NumPy's only.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.checks import check_indices, ints
from typegrad.kernels.namespace import Array, DType, Namespace
from typegrad.kernels.resize import sparse_rows

FLOAT: Final = np.float32


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
        check_indices(box_ind, batch, "an image of the batch")
        if not np.isfinite(boxes).all():
            raise InvalidArgumentError("`boxes` must hold finite numbers, but holds infinity or nan")
        y, x = (
            _between(boxes[:, first], boxes[:, first + 2], length, size)
            for first, (length, size) in enumerate(zip(lengths, sizes, strict=True))
        )
        y, x = y[:, :, None], x[:, None, :]
        is_inside = (y >= 0) & (y <= lengths[0] - 1) & (x >= 0) & (x <= lengths[1] - 1)
        return cls(y, x, box_ind[:, None, None].astype(np.int64), is_inside)

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
    batch, *_, channels = image.shape
    crops = _Crops.of(boxes, box_ind, batch, image.shape[1:3], ints(crop_size))
    result = crops.matrix(image.shape[1:3], batch, method) @ _pixels(image.astype(FLOAT, copy=False))
    result[~crops.is_inside.reshape(-1)] = extrapolation_value
    return np.asarray(result).reshape(*crops.is_inside.shape, channels)


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
    size = ints(output_shape)
    if not images.size:
        return np.full((batch, *size, channels), fill_value.astype(images.dtype))
    y, x, is_finite = _transformed(transforms, size)
    y, x = (_filled(at, length, fill_mode) for at, length in ((y, height), (x, width)))
    is_exact = interpolation == "NEAREST" or images.dtype == np.float64
    dtype = images.dtype if is_exact else np.dtype(FLOAT)
    fill = fill_value.astype(images.dtype).astype(dtype)

    def read(row: tuple[Array, Array], column: tuple[Array, Array]) -> Array:
        is_inside = row[1] & column[1] & is_finite
        places = (np.arange(batch)[:, None, None] * height + row[0]) * width + column[0]
        pixels: Array = np.take(_pixels(images), places, axis=0, mode="clip").astype(dtype, copy=False)
        if not is_inside.all():
            pixels[np.broadcast_to(~is_inside, places.shape)] = fill
        return pixels

    if interpolation == "NEAREST":
        return read(_line(_rounded(y), height), _line(_rounded(x), width))
    top, left = np.floor(y), np.floor(x)
    # Repeated for each channel, so that NumPy's inner loops are long.
    down, up, *parts = (
        np.repeat(each[..., None], channels, -1) for each in (y - top, top + 1 - y, left + 1 - x, x - left)
    )
    columns = [_line(each, width) for each in (left, left + 1)]
    above, below = (
        np.add(
            *(np.multiply(part, read(row, column), dtype=dtype) for part, column in zip(parts, columns, strict=True))
        )
        for row in (_line(top, height), _line(top + 1, height))
    )
    result: Array = up * above + down * below
    if not is_finite.all():
        result = np.where(is_finite[..., None], result, fill)
    return result.astype(images.dtype, copy=False)


def _transformed(transforms: Array, size: tuple[int, ...]) -> tuple[Array, Array, Array]:
    """Where each pixel of the result is read, and whether that is anywhere: [transforms, height, width]."""
    a0, a1, a2, b0, b1, b2, c0, c1 = transforms.T[:, :, None, None]
    y, x = np.arange(size[0], dtype=FLOAT)[:, None], np.arange(size[1], dtype=FLOAT)
    k = c0 * x + c1 * y + FLOAT(1)
    is_finite = k != 0
    k = np.where(is_finite, k, 1)
    return (b0 * x + b1 * y + b2) / k, (a0 * x + a1 * y + a2) / k, is_finite


def _line(at: Array, length: int) -> tuple[Array, Array]:
    """Rows or columns as indices, 0 outside an image of this length, and whether they are inside."""
    is_inside = (at >= 0) & (at < length)
    return np.where(is_inside, at, 0).astype(np.int64), is_inside


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
