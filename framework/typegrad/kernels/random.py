"""Kernels of `ops/random.yaml`.

Every number derives from `Generator.random`, `integers` or `permutation` by arithmetic, so a seed means the same
numbers on every machine. The generators are NumPy's, and so are the kernels.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from scipy.special import ndtr, ndtri

from typegrad.base.bfloat16 import BFLOAT16
from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.checks import ints
from typegrad.kernels.namespace import Array, DType, Namespace

SIGNIFICANT_BITS: Final = {
    np.dtype(np.float16): 11,
    BFLOAT16: 8,
    np.dtype(np.float32): 24,
    np.dtype(np.float64): 53,
}
AT_ONCE: Final = 1 << 14
"""How many numbers are made at once."""
_MANY_ROWS: Final = 1 << 14
"""From so many rows on, they are shuffled by a generator that takes less time for each, which the stream seeds."""
TRUNCATION: Final = 2.0
"""The bounds of a truncated normal distribution, in standard deviations."""


def random_uniform(xp: Namespace, shape: Array, *, dtype: DType, rng: np.random.Generator) -> Array:
    """Multiples of 2^-bits in [0, 1), where every one is a number of the type: rounding would reach 1."""
    steps = 2.0 ** SIGNIFICANT_BITS[dtype]
    return _in_parts(xp, shape, dtype, lambda count: np.floor(rng.random(count) * steps) / steps)


def _in_parts(xp: Namespace, shape: Array, dtype: DType, draw: Callable[[int], Array]) -> Array:
    """What `draw` makes, rounded: some numbers at a time, whose arrays stay in a cache."""
    result = xp.empty(ints(shape), dtype)
    flat = result.reshape(-1)
    for start in range(0, flat.size, AT_ONCE):
        part = flat[start : start + AT_ONCE]
        part[...] = draw(part.size)
    return result


def random_standard_normal(xp: Namespace, shape: Array, *, dtype: DType, rng: np.random.Generator) -> Array:
    """The inverse of the normal distribution function at uniform numbers."""
    return _in_parts(xp, shape, dtype, lambda count: ndtri(open_uniform(rng, (count,))))


def open_uniform(rng: np.random.Generator, sizes: tuple[int, ...]) -> Array:
    """Uniform numbers that are neither 0 nor 1: the centers of 2^52 intervals."""
    return (np.floor(rng.random(sizes) * 2.0**52) + 0.5) / 2.0**52


def truncated_normal(xp: Namespace, shape: Array, *, dtype: DType, rng: np.random.Generator) -> Array:
    """The inverse of the normal distribution function at uniform numbers between its values at both bounds."""
    low, high = ndtr(-TRUNCATION), ndtr(TRUNCATION)

    def draw(count: int) -> Array:
        normal = ndtri(low + (high - low) * open_uniform(rng, (count,)))
        return np.clip(normal, -TRUNCATION, TRUNCATION, out=normal)

    return _in_parts(xp, shape, dtype, draw)


def random_uniform_int(xp: Namespace, shape: Array, minval: Array, maxval: Array, *, rng: np.random.Generator) -> Array:
    """Integers in [minval, maxval)."""
    sizes = ints(shape)
    if 0 in sizes:
        return xp.zeros(sizes, minval.dtype)
    check_range(minval, maxval)
    return xp.asarray(rng.integers(int(minval), int(maxval), size=sizes, dtype=minval.dtype))


def check_range(minval: Array, maxval: Array) -> None:
    """Refuse a range without integers."""
    if minval >= maxval:
        raise InvalidArgumentError(f"`minval` must be less than `maxval`, but they are {int(minval)} and {int(maxval)}")


def multinomial(
    xp: Namespace, logits: Array, num_samples: Array, *, output_dtype: DType, rng: np.random.Generator
) -> Array:
    """Classes drawn from each row."""
    return classes_at(logits, rng.random((len(logits), int(num_samples)))).astype(output_dtype)


def classes_at(logits: Array, points: Array) -> Array:
    """The classes where the distribution function of each row reaches points in [0, 1).

    A class whose logit is not finite is never drawn.
    """
    wide = logits.astype(np.float64)
    is_possible = np.isfinite(wide)
    if not is_possible.all():
        has_classes = is_possible.any(axis=1)
        if points.size and not has_classes.all():
            row = int(has_classes.argmin())
            raise InvalidArgumentError(f"row {row} of `logits` has no finite number, so that no class can be drawn")
        wide[~is_possible] = -np.inf
    highest = np.max(wide, axis=1, keepdims=True, initial=-np.finfo(np.float64).max)
    wide -= highest
    ends = np.cumsum(np.exp(wide, out=wide), axis=1, out=wide)
    places = points * ends[:, -1:]
    classes = np.zeros(points.shape, np.int64)
    for row in range(len(ends)):
        classes[row] = np.searchsorted(ends[row], places[row], side="right")
    return classes


def random_shuffle(xp: Namespace, value: Array, *, rng: np.random.Generator) -> Array:
    """The rows in random order."""
    if value.ndim == 0:
        return value
    if len(value) >= _MANY_ROWS:
        rng = np.random.Generator(np.random.SFC64(int(rng.integers(1 << 63))))
    return np.take(value, rng.permutation(len(value)), axis=0)
