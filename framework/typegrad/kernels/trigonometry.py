"""Kernels of `ops/trigonometry.yaml`."""

from __future__ import annotations

from typing import Any

from typegrad.kernels.precision import widened


def sin(xp: Any, x: Any) -> Any:
    """The sine."""
    return xp.sin(x)


def cos(xp: Any, x: Any) -> Any:
    """The cosine."""
    return xp.cos(x)


def tan(xp: Any, x: Any) -> Any:
    """The tangent."""
    return xp.tan(x)


def asin(xp: Any, x: Any) -> Any:
    """The inverse of the sine."""
    return widened(xp, xp.arcsin, x)


def acos(xp: Any, x: Any) -> Any:
    """The inverse of the cosine."""
    return widened(xp, xp.arccos, x)


def atan(xp: Any, x: Any) -> Any:
    """The inverse of the tangent."""
    return widened(xp, xp.arctan, x)


def atan2(xp: Any, y: Any, x: Any) -> Any:
    """The angle of the point (x, y)."""
    return widened(xp, xp.arctan2, y, x)


def sinh(xp: Any, x: Any) -> Any:
    """The hyperbolic sine."""
    return widened(xp, xp.sinh, x)


def cosh(xp: Any, x: Any) -> Any:
    """The hyperbolic cosine."""
    return widened(xp, xp.cosh, x)


def tanh(xp: Any, x: Any) -> Any:
    """The hyperbolic tangent."""
    return xp.tanh(x)


def tanh_grad(xp: Any, y: Any, dy: Any) -> Any:
    """dy (1 - y^2)."""
    return widened(xp, lambda y, dy: dy * (1 - y * y), y, dy)


def asinh(xp: Any, x: Any) -> Any:
    """The inverse of the hyperbolic sine."""
    return widened(xp, xp.arcsinh, x)


def acosh(xp: Any, x: Any) -> Any:
    """The inverse of the hyperbolic cosine."""
    return widened(xp, xp.arccosh, x)


def atanh(xp: Any, x: Any) -> Any:
    """The inverse of the hyperbolic tangent."""
    return widened(xp, xp.arctanh, x)
