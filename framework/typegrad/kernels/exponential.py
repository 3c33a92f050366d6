"""Kernels of `ops/exponential.yaml`."""

from __future__ import annotations

from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import widened


def exp(xp: Namespace, x: Array) -> Array:
    """e to the power x."""
    return xp.exp(x)


def expm1(xp: Namespace, x: Array) -> Array:
    """exp(x) - 1, accurate near 0."""
    return xp.expm1(x)


def log(xp: Namespace, x: Array) -> Array:
    """The natural logarithm."""
    return xp.log(x)


def log1p(xp: Namespace, x: Array) -> Array:
    """log(1 + x), accurate near 0."""
    if x.dtype.kind != "c":
        return xp.log1p(x)
    # On NumPy only, as it writes into the result. NumPy's log1p of complex numbers takes the modulus of 1 + x, which is
    # 1 for a small x.
    near, result = (xp.abs(xp.real(x)) < 0.5) & (xp.abs(xp.imag(x)) < 0.5), xp.asarray(xp.log(1 + x))
    real, imag = xp.real(x)[near], xp.imag(x)[near]
    xp.real(result)[near] = xp.log1p(real * (2 + real) + imag * imag) / 2
    return result


def xlogy(xp: Namespace, x: Array, y: Array) -> Array:
    """x log(y), 0 where x is 0."""
    return widened(xp, lambda x, y: xp.where(x == 0, 0, xp.log(y) * x), x, y)


def xlog1py(xp: Namespace, x: Array, y: Array) -> Array:
    """x log(1 + y), 0 where x is 0."""
    return widened(xp, lambda x, y: xp.where(x == 0, 0, log1p(xp, y) * x), x, y)
