"""Kernels of `ops/resize.yaml`.

Every way to resize is linear, in rows and in columns: a sparse matrix of weights along each of them, and the gradient
is by the transposed matrices. The matrices are SciPy's: the kernels run on NumPy only.

Positions and weights are computed in float32, in the order in which TensorFlow computes them: where they are rounded
decides which pixels are read.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Any, Final, NamedTuple

import numpy as np
from scipy import sparse

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.checks import ints
from typegrad.kernels.namespace import Array, DType, Function, Namespace
from typegrad.kernels.precision import wide, wide_type

FLOAT: Final = np.float32

PART: Final = 2**15
"""How many weights are applied at once: they fit into a cache."""

FEW: Final = 8
"""So few channels have inner loops that are shorter than the ones along rows."""

TABLE: Final = 1024
"""The number of parts of a pixel that the weights of bicubic interpolation distinguish."""

# Positions


def positions(length: int, size: int, align_corners: bool, half_pixel_centers: bool) -> Array:
    """Where `size` pixels are along `length` pixels."""
    scale = scale_of(length, size, align_corners)
    shift = FLOAT(0.5 if half_pixel_centers else 0)
    return np.asarray((np.arange(size, dtype=FLOAT) + shift) * scale - shift)


def scale_of(length: int, size: int, align_corners: bool) -> np.float32:
    """The number of old pixels to a new one."""
    if align_corners and size > 1:
        return FLOAT(length - 1) / FLOAT(size - 1)
    return FLOAT(length) / FLOAT(size)


def nearest(length: int, size: int, align_corners: bool, half_pixel_centers: bool) -> Array:
    """The pixels that are copied."""
    scale = scale_of(length, size, align_corners)
    at = (np.arange(size, dtype=FLOAT) + FLOAT(0.5 if half_pixel_centers else 0)) * scale
    whole = np.floor(at)
    if align_corners:
        whole += at - whole >= 0.5
    return np.asarray(np.clip(whole.astype(np.int64), 0, length - 1))


# Matrices of weights, [new pixels, old pixels]


class Steps(NamedTuple):
    """Pairs of pixels at equal distances, with equal weights: what makes images smaller by a whole factor."""

    before: slice
    after: slice
    weight: np.float32

    @classmethod
    def of(cls, before: Array, after: Array, weights: Array) -> Steps | None:
        """These pairs, if they are."""
        if len(before) < 2:
            return None
        step = int(before[1] - before[0])
        is_regular = (
            (np.diff(before) == step).all() and (np.diff(after) == step).all() and (weights == weights[0]).all()
        )
        if step < 1 or not is_regular:
            return None
        begins, ends = (slice(int(each[0]), int(each[-1]) + 1, step) for each in (before, after))
        return cls(begins, ends, weights[0])


@dataclass(frozen=True, eq=False)
class Weights:
    """A matrix of weights, and its transpose."""

    matrix: Any
    steps: Steps | None = None
    """What the matrix does, if it is as simple."""

    @property
    def size(self) -> int:
        """The number of new pixels."""
        return int(self.matrix.shape[0])

    @cached_property
    def transposed(self) -> Weights:
        """The weights of the gradient, which are computed once."""
        return Weights(self.matrix.T.tocsr())

    @cached_property
    def shared(self) -> Weights:
        """The same without zeros: a gradient that has no weight has no influence, even if it is not finite."""
        matrix = self.matrix.T.tocsr()
        matrix.eliminate_zeros()
        return Weights(matrix)

    @cached_property
    def used(self) -> tuple[Array, Weights]:
        """The old pixels that have a weight, and the weights of them alone."""
        pixels, indices = np.unique(self.matrix.indices, return_inverse=True)
        shape = (self.size, len(pixels))
        return pixels, Weights(sparse.csr_array((self.matrix.data, indices, self.matrix.indptr), shape=shape))


@lru_cache(maxsize=64)
def repeated(weights: Weights, count: int) -> Any:
    """The weights for `count` arrays, one after the other; unlike `sparse.block_diag` it keeps terms in their order."""
    matrix, numbers = weights.matrix, np.arange(count)[:, None]
    indices = matrix.indices + numbers * matrix.shape[1]
    starts = np.append(matrix.indptr[:-1] + numbers * matrix.nnz, count * matrix.nnz)
    shape = (count * matrix.shape[0], count * matrix.shape[1])
    return sparse.csr_array((np.tile(matrix.data, count), indices.reshape(-1), starts), shape=shape)


def sparse_rows(weights: Array, indices: Array, length: int, is_used: Array | None = None) -> Any:
    """A matrix with a row of weights, and where they are, for each new pixel."""
    counts = np.full(len(indices), indices.shape[1]) if is_used is None else is_used.sum(1)
    if is_used is not None:
        weights, indices = weights[is_used], indices[is_used]
    starts = np.concatenate([[0], np.cumsum(counts)])
    return sparse.csr_array((weights.reshape(-1), indices.reshape(-1), starts), shape=(len(counts), length))


@lru_cache(maxsize=64)
def copying(length: int, size: int, align_corners: bool, half_pixel_centers: bool, dtype: DType) -> Weights:
    """One weight of 1."""
    at = nearest(length, size, align_corners, half_pixel_centers)
    return Weights(sparse_rows(np.ones((size, 1), dtype), at[:, None], length))


@lru_cache(maxsize=64)
def bilinear(length: int, size: int, align_corners: bool, half_pixel_centers: bool) -> Weights:
    """a + (b - a) w as three weights, so that an infinite a gives nan, as it does in TensorFlow."""
    before, after, weight = _pairs(length, size, align_corners, half_pixel_centers)
    weights = np.stack([np.ones_like(weight), weight, -weight], axis=1)
    matrix = sparse_rows(weights, np.stack([before, after, before], axis=1), length)
    return Weights(matrix, Steps.of(before, after, weight))


@lru_cache(maxsize=64)
def sharing(length: int, size: int, align_corners: bool, half_pixel_centers: bool) -> Weights:
    """(1 - w) a + w b as two weights: their transpose shares an infinite gradient between a and b, without nan."""
    before, after, weight = _pairs(length, size, align_corners, half_pixel_centers)
    return Weights(sparse_rows(np.stack([1 - weight, weight], axis=1), np.stack([before, after], axis=1), length))


def _pairs(length: int, size: int, align_corners: bool, half_pixel_centers: bool) -> tuple[Array, Array, Array]:
    """The pixels before and after each new one, and the weight of the latter."""
    at = positions(length, size, align_corners, half_pixel_centers)
    low = np.floor(at)
    before = np.maximum(low, 0).astype(np.int64)
    after = np.minimum(np.ceil(at), length - 1).astype(np.int64)
    return before, after, np.asarray(at - low)


@lru_cache(maxsize=64)
def bicubic(length: int, size: int, align_corners: bool, half_pixel_centers: bool) -> Weights:
    """Four weights, by Keys' polynomials."""
    at = positions(length, size, align_corners, half_pixel_centers)
    low = np.floor(at)
    part = np.rint((at - low) * FLOAT(TABLE)) / FLOAT(TABLE)
    a = FLOAT(-0.5 if half_pixel_centers else -0.75)
    distances = np.stack([part + 1, part, 1 - part, 2 - part], axis=1)
    weights = np.where(distances <= 1, _inner(distances, a), _outer(distances, a))
    indices = low.astype(np.int64)[:, None] + np.arange(-1, 3)
    inside = np.clip(indices, 0, length - 1)
    if half_pixel_centers:
        weights = _normalized(np.where(indices == inside, weights, 0))
    return Weights(sparse_rows(weights.astype(FLOAT), inside, length))


def _inner(x: Array, a: np.float32) -> Array:
    """Keys' polynomial up to a distance of 1."""
    return np.asarray(((a + 2) * x - (a + 3)) * x * x + 1)


def _outer(x: Array, a: np.float32) -> Array:
    """Keys' polynomial from a distance of 1 to 2."""
    return np.asarray(((a * x - 5 * a) * x + 8 * a) * x - 4 * a)


def _normalized(weights: Array) -> Array:
    """Weights with a sum of 1, unless their sum is about 0."""
    total = weights.sum(1, keepdims=True)
    usable = np.abs(total) >= 1000 * np.finfo(FLOAT).tiny
    return np.where(usable, weights * (1 / np.where(usable, total, 1)), weights)


@lru_cache(maxsize=64)
def area(length: int, size: int, align_corners: bool) -> Weights:
    """The parts of pixels that are covered."""
    scale = scale_of(length, size, align_corners) or FLOAT(1)  # 0: a single pixel, repeated
    numbers = np.arange(size, dtype=FLOAT)
    start, end = (numbers * scale)[:, None], ((numbers + 1) * scale)[:, None]
    first, beyond = np.floor(start), np.ceil(end)
    indices = first + np.arange(int((beyond - first).max()), dtype=FLOAT)
    covered = np.where(
        indices < start,
        np.where(indices + 1 > end, scale, indices + 1 - start),
        np.where(indices + 1 > end, end - indices, FLOAT(1)),
    )
    inside = np.clip(indices.astype(np.int64), 0, length - 1)
    return Weights(sparse_rows((covered * (1 / scale)).astype(FLOAT), inside, length, indices < beyond))


@lru_cache(maxsize=64)
def filtered(length: int, size: int, scale: Array, translation: Array, kernel_type: str, antialias: bool) -> Weights:
    """The values of a filter around the points that move to the centers of the new pixels."""
    radius, function = FILTERS[kernel_type]
    inverse = FLOAT(1) / FLOAT(scale)
    spread = max(inverse, FLOAT(1)) if antialias else FLOAT(1)
    at = (np.arange(size, dtype=FLOAT) + FLOAT(0.5)) * inverse - inverse * FLOAT(translation)
    is_inside = (at >= 0) & (at <= length)
    reach = FLOAT(radius) * spread
    span = int(min(2 * np.ceil(reach) + 1, length))
    at = np.where(is_inside, at, 0)
    first = np.clip(np.ceil(at - reach - FLOAT(0.5)), 0, length - 1).astype(np.int64)
    last = np.clip(np.floor(at + reach - FLOAT(0.5)), 0, length - 1).astype(np.int64)
    indices = np.where(is_inside, first, 0)[:, None] + np.arange(span)
    distances = np.abs(indices.astype(FLOAT) + FLOAT(0.5) - at[:, None]) * (FLOAT(1) / spread)
    counts = is_inside[:, None] & (indices <= last[:, None])
    weights = _normalized(np.where(counts, function(distances), 0).astype(FLOAT))
    return Weights(sparse_rows(weights, indices, length, indices < length))


# Filters of the distance


def _lanczos(radius: float, x: Array) -> Array:
    pi_x = np.pi * np.where(x > 1e-3, x, 1)
    waves = radius * np.sin(pi_x) * np.sin(pi_x / radius) / (pi_x * pi_x)
    return np.where(x > radius, 0, np.where(x > 1e-3, waves, 1))


def _gaussian(x: Array) -> Array:
    return np.where(x < 1.5, np.exp(-2 * x * x), 0)


def _box(x: Array) -> Array:
    return np.where(x < 0.5, 1, np.where(x == 0.5, 0.5, 0))


def _triangle(x: Array) -> Array:
    return np.asarray(np.maximum(1 - x, 0))


def _keys(x: Array) -> Array:
    return np.where(x < 1, _inner(x, FLOAT(-0.5)), np.where(x < 2, _outer(x, FLOAT(-0.5)), 0))


def _mitchell(x: Array) -> Array:
    """Source: Mitchell and Netravali, "Reconstruction filters in computer graphics", with B = C = 1/3."""
    inner = (7 * x - 12) * x * x / 6 + 8 / 9
    outer = ((-7 / 18 * x + 2) * x - 10 / 3) * x + 16 / 9
    return np.where(x < 1, inner, np.where(x < 2, outer, 0))


FILTERS: Final[dict[str, tuple[float, Function]]] = {
    **{f"lanczos{radius}": (radius, partial(_lanczos, radius)) for radius in (1, 3, 5)},
    "gaussian": (1.5, _gaussian),
    "box": (1, _box),
    "triangle": (1, _triangle),
    "keyscubic": (2, _keys),
    "mitchellcubic": (2, _mitchell),
}
"""How far each filter reaches, and its values."""


# Products


def weighted(x: Array, rows: Weights, columns: Weights) -> Array:
    """Images whose rows and columns are combined by these matrices; in the order that needs less."""
    if rows.size > x.shape[1]:
        return _along(1, _along(2, x, columns), rows)
    return _along(2, _along(1, x, rows), columns)


def _along(axis: int, x: Array, weights: Weights) -> Array:
    """The products along a dimension, for some of the indices before it at a time: their weights fit into a cache."""
    before, inner = x.shape[:axis], math.prod(x.shape[axis + 1 :])
    flat = x.reshape(math.prod(before), x.shape[axis], inner)
    if weights.steps:
        result = np.empty((len(flat), weights.size, inner), x.dtype)
        step = max(PART // max(weights.size * inner, 1), 1)
        for start in range(0, len(flat), step):
            _lerp(flat[start : start + step], weights.steps, result[start : start + step])
        return result.reshape(*before, weights.size, *x.shape[axis + 1 :])
    step = max(PART // (weights.matrix.nnz + 1), 1)
    if 0 < len(flat) <= step:
        result = _product(weights, flat)
    else:
        result = np.empty((len(flat), weights.size, inner), np.result_type(x, weights.matrix.dtype))
        for start in range(0, len(flat), step):
            result[start : start + step] = _product(weights, flat[start : start + step])
    return result.reshape(*before, weights.size, *x.shape[axis + 1 :])


def _lerp(x: Array, steps: Steps, result: Array) -> None:
    """Write the means of pixels along the second of three dimensions; few in the third are taken one by one."""
    channels = x.shape[2]
    for inner in map(slice, range(channels), range(1, channels + 1)) if channels < FEW else [slice(None)]:
        before = x[:, steps.before, inner]
        part = x[:, steps.after, inner] - before
        part *= steps.weight
        np.add(part, before, out=result[:, :, inner])


def _product(weights: Weights, x: Array) -> Array:
    """The products along the second of three dimensions."""
    count, length, inner = x.shape
    product = repeated(weights, count) @ x.reshape(count * length, inner)
    return np.asarray(product.reshape(count, weights.size, inner))


# The operations


def _in_single(images: Array, rows: Weights, columns: Weights) -> Array:
    """Resize images in float32."""
    if images.dtype != FLOAT and len(rows.used[0]) < images.shape[1]:  # the other rows need not be converted
        pixels, rows = rows.used
        images = images.take(pixels, axis=1)
    return weighted(images.astype(FLOAT, copy=False), rows, columns)


def resize_bilinear(
    xp: Namespace, images: Array, size: Array, *, align_corners: bool, half_pixel_centers: bool
) -> Array:
    """The weighted mean of two pixels in each dimension."""
    sizes = ints(size)
    if images.shape[1:3] == sizes:
        return images.astype(FLOAT)
    pairs = zip(images.shape[1:3], sizes, strict=True)
    return _in_single(images, *(bilinear(*pair, align_corners, half_pixel_centers) for pair in pairs))


def resized_bilinear(images: Array, sizes: tuple[int, ...], align_corners: bool, half_pixel_centers: bool) -> Array:
    """The weighted means, of float32 or float64 images in their own type."""
    if images.shape[1:3] == sizes:
        return images.copy()
    pairs = zip(images.shape[1:3], sizes, strict=True)
    return weighted(images, *(bilinear(*pair, align_corners, half_pixel_centers) for pair in pairs))


def resize_bilinear_grad(
    xp: Namespace, grads: Array, original: Array, *, align_corners: bool, half_pixel_centers: bool
) -> Array:
    """The product with the transposed weights."""
    return _transposed(grads, original, lambda length, size: sharing(length, size, align_corners, half_pixel_centers))


def resize_bicubic(
    xp: Namespace, images: Array, size: Array, *, align_corners: bool, half_pixel_centers: bool
) -> Array:
    """The weighted sum of four pixels in each dimension."""
    pairs = zip(images.shape[1:3], ints(size), strict=True)
    return _in_single(images, *(bicubic(*pair, align_corners, half_pixel_centers) for pair in pairs))


def resize_bicubic_grad(
    xp: Namespace, grads: Array, original: Array, *, align_corners: bool, half_pixel_centers: bool
) -> Array:
    """The product with the transposed weights."""
    return _transposed(grads, original, lambda length, size: bicubic(length, size, align_corners, half_pixel_centers))


def _transposed(grads: Array, original: Array, weights: Any) -> Array:
    """The gradients of images of the type, height and width of `original`."""
    pairs = zip(original.shape[1:3], grads.shape[1:3], strict=True)
    x = grads.astype(wide_type(original.dtype), copy=False)
    return weighted(x, *(weights(*pair).transposed for pair in pairs)).astype(original.dtype, copy=False)


def resize_area(xp: Namespace, images: Array, size: Array, *, align_corners: bool) -> Array:
    """The mean over areas."""
    pairs = zip(images.shape[1:3], ints(size), strict=True)
    return _in_single(images, *(area(*pair, align_corners) for pair in pairs))


def resize_nearest_neighbor(
    xp: Namespace, images: Array, size: Array, *, align_corners: bool, half_pixel_centers: bool
) -> Array:
    """Copies of pixels."""
    for axis, (length, count) in enumerate(zip(images.shape[1:3], ints(size), strict=True), start=1):
        images = images.take(nearest(length, count, align_corners, half_pixel_centers), axis, mode="clip")
    return images


def resize_nearest_neighbor_grad(
    xp: Namespace, grads: Array, size: Array, *, align_corners: bool, half_pixel_centers: bool
) -> Array:
    """Each pixel accumulates the gradients of its copies."""
    x = wide(grads)
    pairs = zip(ints(size), grads.shape[1:3], strict=True)
    matrices = (copying(*pair, align_corners, half_pixel_centers, x.dtype).transposed for pair in pairs)
    return weighted(x, *matrices).astype(grads.dtype, copy=False)


def scale_and_translate(
    xp: Namespace, images: Array, size: Array, scale: Array, translation: Array, *, kernel_type: str, antialias: bool
) -> Array:
    """The weighted mean under a filter."""
    filters = _filters(images.shape[1:3], ints(size), scale, translation, kernel_type, antialias)
    return _in_single(images, *filters)


def scale_and_translate_grad(
    xp: Namespace, grads: Array, original: Array, scale: Array, translation: Array, *, kernel_type: str, antialias: bool
) -> Array:
    """The product with the transposed weights."""
    filters = _filters(original.shape[1:3], grads.shape[1:3], scale, translation, kernel_type, antialias)
    return weighted(grads, *(each.shared for each in filters))


def _filters(
    lengths: tuple[int, ...],
    sizes: tuple[int, ...],
    scale: Array,
    translation: Array,
    kernel_type: str,
    antialias: bool,
) -> list[Weights]:
    if not (scale > 0).all():
        raise InvalidArgumentError(f"`scale` must hold positive numbers, but is {scale.tolist()}")
    numbers = zip(lengths, sizes, scale.tolist(), translation.tolist(), strict=True)
    return [filtered(*each, kernel_type, antialias) for each in numbers]
