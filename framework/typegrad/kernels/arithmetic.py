"""Kernels of `ops/arithmetic.yaml`. The kernel of `ClipByValue` runs on NumPy only."""

from __future__ import annotations

from functools import partial, reduce

import numpy as np

from typegrad.kernels.checks import is_integral
from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import widened


def add(xp: Namespace, x: Array, y: Array) -> Array:
    """The sum; strings are joined."""
    if x.dtype == object:
        return xp.asarray(xp.add(x, y), dtype=object)
    return xp.add(x, y)


def add_v2(xp: Namespace, x: Array, y: Array) -> Array:
    """The sum."""
    return xp.add(x, y)


def add_n(xp: Namespace, inputs: tuple[Array, ...]) -> Array:
    """The sum of arrays of one shape."""
    return widened(xp, lambda *terms: reduce(xp.add, terms), *inputs)


def sub(xp: Namespace, x: Array, y: Array) -> Array:
    """The difference."""
    return xp.subtract(x, y)


def mul(xp: Namespace, x: Array, y: Array) -> Array:
    """The product."""
    return xp.multiply(x, y)


def mul_no_nan(xp: Namespace, x: Array, y: Array) -> Array:
    """The product, 0 where the second factor is 0."""
    return xp.where(y == 0, 0, xp.multiply(x, y))


def neg(xp: Namespace, x: Array) -> Array:
    """The value with the opposite sign."""
    return xp.negative(x)


def abs(xp: Namespace, x: Array) -> Array:
    """The absolute value."""
    return xp.abs(x)


def sign(xp: Namespace, x: Array) -> Array:
    """-1, 0 or 1, and 0 of -0; for complex numbers x / |x|."""
    if x.dtype.kind == "c":
        overflows = xp.isinf(xp.abs(x)) & xp.isfinite(x)
        return xp.sign(xp.where(overflows, x / 4, x))
    return widened(xp, xp.sign, x)


def maximum(xp: Namespace, x: Array, y: Array) -> Array:
    """The larger value; nan if either is nan."""
    return xp.maximum(x, y)


def minimum(xp: Namespace, x: Array, y: Array) -> Array:
    """The smaller value; nan if either is nan."""
    return xp.minimum(x, y)


def clip_by_value(xp: Namespace, t: Array, clip_value_min: Array, clip_value_max: Array) -> Array:
    """The values, none above the maximum, then none below the minimum; a bound that is nan is none."""
    if is_integral(t):
        return xp.maximum(xp.minimum(t, clip_value_max), clip_value_min)
    if _orders_all(clip_value_min) and _orders_all(clip_value_max):
        return widened(xp, partial(_clipped, xp), t, clip_value_min, clip_value_max)
    below = xp.where(t > clip_value_max, clip_value_max, t)
    return xp.where(below < clip_value_min, clip_value_min, below)


def _orders_all(bound: Array) -> bool:
    """Whether a bound is a number without a sign or a payload that a comparison overlooks: not 0, -0 or nan."""
    return bound.ndim == 0 and bool((bound > 0) | (bound < 0))


def _clipped(xp: Namespace, x: Array, low: Array, high: Array) -> Array:
    """On NumPy only, as it writes into an array. It raises to the minimum first, so the maximum is no smaller."""
    return np.clip(x, low, xp.maximum(low, high), out=xp.empty(x.shape, x.dtype))
