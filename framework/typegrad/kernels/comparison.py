"""Kernels of `ops/comparison.yaml`."""

from __future__ import annotations

from typegrad.kernels.checks import is_integral
from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import wide


def _broadcast(xp: Namespace, x: Array, y: Array) -> bool:
    try:
        xp.broadcast_shapes(x.shape, y.shape)
    except ValueError:
        return False
    return True


def equal(xp: Namespace, x: Array, y: Array, *, incompatible_shape_error: bool) -> Array:
    """Whether elements are equal; arrays that do not broadcast are unequal as a whole, unless that is an error."""
    if not incompatible_shape_error and not _broadcast(xp, x, y):
        return xp.asarray(False)
    return xp.equal(x, y)


def not_equal(xp: Namespace, x: Array, y: Array, *, incompatible_shape_error: bool) -> Array:
    """Whether elements differ; arrays that do not broadcast differ as a whole, unless that is an error."""
    if not incompatible_shape_error and not _broadcast(xp, x, y):
        return xp.asarray(True)
    return xp.not_equal(x, y)


def less(xp: Namespace, x: Array, y: Array) -> Array:
    """Whether x is below y."""
    return xp.less(x, y)


def less_equal(xp: Namespace, x: Array, y: Array) -> Array:
    """Whether x is not above y."""
    return xp.less_equal(x, y)


def greater(xp: Namespace, x: Array, y: Array) -> Array:
    """Whether x is above y."""
    return xp.greater(x, y)


def greater_equal(xp: Namespace, x: Array, y: Array) -> Array:
    """Whether x is not below y."""
    return xp.greater_equal(x, y)


def is_nan(xp: Namespace, x: Array) -> Array:
    """Whether x is not a number."""
    return xp.isnan(x)


def is_inf(xp: Namespace, x: Array) -> Array:
    """Whether x is infinite, of either sign."""
    return xp.isinf(x)


def is_finite(xp: Namespace, x: Array) -> Array:
    """Whether x is neither nan nor infinite."""
    return xp.isfinite(x)


def approximate_equal(xp: Namespace, x: Array, y: Array, *, tolerance: float) -> Array:
    """Whether the distance is at most the tolerance; integers are subtracted as floats, which do not wrap."""
    x, y = (xp.asarray(each, xp.float64) if is_integral(each) else wide(each) for each in (x, y))
    return xp.less_equal(xp.abs(x - y), xp.asarray(tolerance, xp.float32))
