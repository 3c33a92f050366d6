"""Kernels of `ops/power.yaml`."""

from __future__ import annotations

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.checks import first, is_integral
from typegrad.kernels.complex import conjugated
from typegrad.kernels.division import quotient, reciprocal
from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import widened


def pow(xp: Namespace, x: Array, y: Array) -> Array:
    """x to the power y."""
    if is_integral(x) and x.size and xp.any(y < 0):
        raise InvalidArgumentError(
            f"{first('y', y, y < 0)}, but integers have no negative powers; cast `x` and `y` to a "
            "floating-point type first"
        )
    result = xp.power(x, y)
    if x.dtype.kind != "c":
        return result
    # NumPy makes nan of a power that overflows, even if the result is 1 over it.
    overflows = (xp.real(y) < 0) & (xp.abs(x) > 1) & ~xp.isfinite(result)
    return xp.where(overflows, xp.power(reciprocal(xp, x), -y), result) if overflows.any() else result


def square(xp: Namespace, x: Array) -> Array:
    """The value times itself."""
    return xp.square(x)


def squared_difference(xp: Namespace, x: Array, y: Array) -> Array:
    """The squared magnitude of x - y."""
    difference = xp.subtract(x, y)
    if difference.dtype.kind != "c":
        return difference * difference
    # Not conj(d) d, whose imaginary part NumPy rounds to something other than 0.
    return (xp.square(xp.real(difference)) + xp.square(xp.imag(difference))).astype(difference.dtype)


def sqrt(xp: Namespace, x: Array) -> Array:
    """The square root."""
    return xp.sqrt(x)


def sqrt_grad(xp: Namespace, y: Array, dy: Array) -> Array:
    """dy / (2 conj(y)); 0 where dy is 0, even at y = 0."""
    return widened(xp, lambda y, dy: xp.where(dy == 0, 0, quotient(xp, dy * 0.5, conjugated(xp, y))), y, dy)


def rsqrt(xp: Namespace, x: Array) -> Array:
    """1 / sqrt(x)."""
    return widened(xp, lambda v: quotient(xp, v.dtype.type(1), xp.sqrt(v)), x)


def rsqrt_grad(xp: Namespace, y: Array, dy: Array) -> Array:
    """-dy conj(y)^3 / 2; 0 where dy is 0, even where y is infinite."""
    return widened(
        xp,
        lambda y, dy: xp.where(dy == 0, 0, (dy * -0.5 * conjugated(xp, y)) * conjugated(xp, y * y)),
        y,
        dy,
    )
