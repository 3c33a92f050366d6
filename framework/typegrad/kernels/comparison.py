"""Kernels of `ops/comparison.yaml`."""

from __future__ import annotations

from typing import Any


def _broadcast(xp: Any, x: Any, y: Any) -> bool:
    try:
        xp.broadcast_shapes(x.shape, y.shape)
    except ValueError:
        return False
    return True


def equal(xp: Any, x: Any, y: Any, *, incompatible_shape_error: bool) -> Any:
    """Whether elements are equal; arrays that do not broadcast are unequal as a whole, unless that is an error."""
    if not incompatible_shape_error and not _broadcast(xp, x, y):
        return xp.asarray(False)
    return xp.equal(x, y)


def not_equal(xp: Any, x: Any, y: Any, *, incompatible_shape_error: bool) -> Any:
    """Whether elements differ; arrays that do not broadcast differ as a whole, unless that is an error."""
    if not incompatible_shape_error and not _broadcast(xp, x, y):
        return xp.asarray(True)
    return xp.not_equal(x, y)


def less(xp: Any, x: Any, y: Any) -> Any:
    """Whether x is below y."""
    return xp.less(x, y)


def less_equal(xp: Any, x: Any, y: Any) -> Any:
    """Whether x is not above y."""
    return xp.less_equal(x, y)


def greater(xp: Any, x: Any, y: Any) -> Any:
    """Whether x is above y."""
    return xp.greater(x, y)


def greater_equal(xp: Any, x: Any, y: Any) -> Any:
    """Whether x is not below y."""
    return xp.greater_equal(x, y)


def is_nan(xp: Any, x: Any) -> Any:
    """Whether x is not a number."""
    return xp.isnan(x)


def is_inf(xp: Any, x: Any) -> Any:
    """Whether x is infinite, of either sign."""
    return xp.isinf(x)


def is_finite(xp: Any, x: Any) -> Any:
    """Whether x is neither nan nor infinite."""
    return xp.isfinite(x)
