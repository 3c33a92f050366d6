"""Kernels of `ops/transcendental.yaml`."""

from __future__ import annotations

from typing import Any

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.arithmetic import div, quotient
from typegrad.kernels.elementwise import log1p
from typegrad.kernels.precision import widened


def sinh(xp: Any, x: Any) -> Any:
    """The hyperbolic sine."""
    return widened(xp, xp.sinh, x)


def cosh(xp: Any, x: Any) -> Any:
    """The hyperbolic cosine."""
    return widened(xp, xp.cosh, x)


def asin(xp: Any, x: Any) -> Any:
    """The inverse of the sine."""
    return widened(xp, xp.arcsin, x)


def acos(xp: Any, x: Any) -> Any:
    """The inverse of the cosine."""
    return widened(xp, xp.arccos, x)


def atan(xp: Any, x: Any) -> Any:
    """The inverse of the tangent."""
    return widened(xp, xp.arctan, x)


def asinh(xp: Any, x: Any) -> Any:
    """The inverse of the hyperbolic sine."""
    return widened(xp, xp.arcsinh, x)


def acosh(xp: Any, x: Any) -> Any:
    """The inverse of the hyperbolic cosine."""
    return widened(xp, xp.arccosh, x)


def atanh(xp: Any, x: Any) -> Any:
    """The inverse of the hyperbolic tangent."""
    return widened(xp, xp.arctanh, x)


def atan2(xp: Any, y: Any, x: Any) -> Any:
    """The angle of the point (x, y)."""
    return widened(xp, xp.arctan2, y, x)


def rint(xp: Any, x: Any) -> Any:
    """The nearest whole number, the even one of two."""
    return xp.rint(x)


def xlogy(xp: Any, x: Any, y: Any) -> Any:
    """x log(y), 0 where x is 0."""
    return widened(xp, lambda x, y: xp.where(x == 0, xp.zeros_like(x), x * xp.log(y)), x, y)


def xlog1py(xp: Any, x: Any, y: Any) -> Any:
    """x log(1 + y), 0 where x is 0."""
    return widened(xp, lambda x, y: xp.where(x == 0, xp.zeros_like(x), x * log1p(xp, y)), x, y)


def xdivy(xp: Any, x: Any, y: Any) -> Any:
    """x / y, 0 where x is 0."""
    return widened(xp, lambda x, y: xp.where(x == 0, xp.zeros_like(x), quotient(xp, x, y)), x, y)


def truncate_div(xp: Any, x: Any, y: Any) -> Any:
    """The quotient without its fractional part."""
    if x.dtype.kind == "c":
        raise InvalidArgumentError(f"a quotient of type {x.dtype.name} cannot be truncated")
    return xp.trunc(xp.divide(x, y)) if x.dtype.kind not in "iu" else div(xp, x, y)


def truncate_mod(xp: Any, x: Any, y: Any) -> Any:
    """The remainder that has the sign of the dividend."""
    if x.dtype.kind in "iu" and x.size and xp.any(y == 0):
        raise InvalidArgumentError("integer division by zero")
    return xp.fmod(x, y)
