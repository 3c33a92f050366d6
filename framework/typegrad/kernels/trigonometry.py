"""Kernels of `ops/trigonometry.yaml`."""

from __future__ import annotations

from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import widened


def sin(xp: Namespace, x: Array) -> Array:
    """The sine."""
    return xp.sin(x)


def cos(xp: Namespace, x: Array) -> Array:
    """The cosine."""
    return xp.cos(x)


def tan(xp: Namespace, x: Array) -> Array:
    """The tangent."""
    return xp.tan(x)


def asin(xp: Namespace, x: Array) -> Array:
    """The inverse of the sine."""
    return widened(xp, xp.arcsin, x)


def acos(xp: Namespace, x: Array) -> Array:
    """The inverse of the cosine."""
    return widened(xp, xp.arccos, x)


def atan(xp: Namespace, x: Array) -> Array:
    """The inverse of the tangent."""
    return widened(xp, xp.arctan, x)


def atan2(xp: Namespace, y: Array, x: Array) -> Array:
    """The angle of the point (x, y)."""
    return widened(xp, xp.arctan2, y, x)


def sinh(xp: Namespace, x: Array) -> Array:
    """The hyperbolic sine."""
    return widened(xp, xp.sinh, x)


def cosh(xp: Namespace, x: Array) -> Array:
    """The hyperbolic cosine."""
    return widened(xp, xp.cosh, x)


def tanh(xp: Namespace, x: Array) -> Array:
    """The hyperbolic tangent."""
    return xp.tanh(x)


def tanh_grad(xp: Namespace, y: Array, dy: Array) -> Array:
    """dy (1 - y^2)."""
    return widened(xp, lambda y, dy: (1 - y * y) * dy, y, dy)


def asinh(xp: Namespace, x: Array) -> Array:
    """The inverse of the hyperbolic sine."""
    return widened(xp, xp.arcsinh, x)


def acosh(xp: Namespace, x: Array) -> Array:
    """The inverse of the hyperbolic cosine."""
    return widened(xp, xp.arccosh, x)


def atanh(xp: Namespace, x: Array) -> Array:
    """The inverse of the hyperbolic tangent."""
    return widened(xp, xp.arctanh, x)
