"""Kernels of `ops/special.yaml`. SciPy has these functions, for NumPy's arrays only, and is slow to import."""

from __future__ import annotations

from typing import Final

import numpy as np
from scipy import special

from typegrad.kernels.incomplete_gamma import derivative_in_a
from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import widened

PART: Final = 2**13
"""The number of elements that are computed at once, so that intermediate results stay in a cache."""

# The coefficients of z^k, from k = 0, in the logarithm of gamma at 2 + z: 0, 1 - gamma, and (-1)^k (zeta(k) - 1) / k.
_ORDERS: Final = np.arange(2, 30)
_NEAR_TWO: Final = np.concatenate(
    ([0.0, 1 - np.euler_gamma], (-1.0) ** _ORDERS * special.zetac(_ORDERS.astype(np.float64)) / _ORDERS)
)

_FAR: Final = 1e30
"""Where Fresnel's integrals have their limits in every type, and squares do not overflow."""


def erf(xp: Namespace, x: Array) -> Array:
    """The Gauss error function."""
    return widened(xp, special.erf, x)


def erfc(xp: Namespace, x: Array) -> Array:
    """1 - erf(x), accurate where that is small."""
    return widened(xp, special.erfc, x)


def lgamma(xp: Namespace, x: Array) -> Array:
    """The logarithm of the absolute value of the gamma function."""

    def function(v: Array) -> Array:
        result = np.empty(v.size, v.dtype)
        for start in range(0, v.size, PART):
            result[start : start + PART] = _lgamma(v.reshape(-1)[start : start + PART])
        return result.reshape(v.shape)

    return widened(xp, function, x)


def _lgamma(x: Array) -> Array:
    """The same of a vector. Near its zeros 1 and 2, SciPy's function is exact to an absolute error only."""
    is_near = np.abs(x - 1.5) < 1
    near, far = x[is_near].astype(np.float64), x[~is_near]
    z = near - np.where(near < 1.5, 1, 2)
    series = np.full_like(z, _NEAR_TWO[-1])
    for coefficient in _NEAR_TWO[-2::-1]:
        series *= z
        series += coefficient
    series -= np.where(near < 1.5, np.log1p(z), 0)
    result = np.empty_like(x)
    result[is_near] = series
    result[~is_near] = np.where(np.isinf(far), np.abs(far), special.gammaln(far))
    return result


def digamma(xp: Namespace, x: Array) -> Array:
    """The derivative of log gamma; nan at its poles."""
    return widened(
        xp, lambda v: xp.where((v <= 0) & (v == xp.floor(v)), xp.full_like(v, np.nan), special.digamma(v)), x
    )


def polygamma(xp: Namespace, a: Array, x: Array) -> Array:
    """The derivative of order `a` of the digamma function, (-1)^(a+1) a! zeta(a + 1, x); nan unless `a` is whole."""
    is_order = (a >= 0) & (a == xp.floor(a))
    sign = xp.where(xp.fmod(a, 2) == 1, 1.0, -1.0)
    higher = sign * special.gamma(a + 1.0) * special.zeta(a + 1.0, x)
    # At the poles, the limits from the two sides have opposite signs where the order is even.
    higher = xp.where((x <= 0) & (x == xp.floor(x)) & (sign < 0), np.nan, higher)
    value = xp.where(a == 0, digamma(xp, xp.broadcast_to(x, xp.broadcast_shapes(a.shape, x.shape))), higher)
    return xp.where(is_order, value, np.nan).astype(x.dtype)


def erfinv(xp: Namespace, x: Array) -> Array:
    """The inverse of the error function."""
    return widened(xp, special.erfinv, x)


def ndtri(xp: Namespace, x: Array) -> Array:
    """The quantiles of the standard normal distribution."""
    return widened(xp, special.ndtri, x)


def igamma(xp: Namespace, a: Array, x: Array) -> Array:
    """The lower regularized incomplete gamma function; 0 at `x` = 0, for any `a`."""

    def function(a: Array, x: Array) -> Array:
        inside = xp.where(xp.isinf(a), 0, special.gammainc(a, x))
        return xp.where(x == 0, 0, xp.where((a > 0) & (x >= 0), inside, np.nan)).astype(x.dtype)

    return widened(xp, function, a, x)


def igammac(xp: Namespace, a: Array, x: Array) -> Array:
    """The upper regularized incomplete gamma function."""

    def function(a: Array, x: Array) -> Array:
        inside = xp.where(xp.isinf(x), 0, special.gammaincc(a, x))
        return xp.where((a > 0) & (x >= 0), inside, np.nan).astype(x.dtype)

    return widened(xp, function, a, x)


def igamma_grad_a(xp: Namespace, a: Array, x: Array) -> Array:
    """The derivative of P(a, x) in `a`; 0 at `x` = 0, for any `a`."""
    inside = (a > 0) & (x > 0) & xp.isfinite(a) & xp.isfinite(x)
    outside = xp.where((x == 0) | ((a > 0) & (x > 0)), 0, np.nan)
    result = np.broadcast_to(outside, inside.shape).astype(x.dtype)
    result[inside] = derivative_in_a(*(np.broadcast_to(each, inside.shape)[inside] for each in (a, x)))
    return result


def betainc(xp: Namespace, a: Array, b: Array, x: Array) -> Array:
    """The regularized incomplete beta function; `x` itself where that is 0 or 1, unless `a` or `b` is not positive."""
    inside = xp.where(xp.isfinite(a) & xp.isfinite(b), special.betainc(a, b, x), np.nan)
    value = xp.where((x == 0) | (x == 1), x, inside)
    return xp.where((a <= 0) | (b <= 0), np.nan, value).astype(x.dtype)


def zeta(xp: Namespace, x: Array, q: Array) -> Array:
    """The Hurwitz zeta function; at the poles in `q`, the limits from the two sides have opposite signs for odd `x`."""
    is_pole = (q <= 0) & (q == xp.floor(q))
    value = xp.where(xp.isinf(x) & (q > 1), 0, special.zeta(x, q))
    is_undecided = is_pole & (x != 1) & ~xp.isinf(x) & (xp.fmod(x, 2) != 0)
    return xp.where(is_undecided, np.nan, value).astype(x.dtype)


def dawsn(xp: Namespace, x: Array) -> Array:
    """Dawson's integral."""
    return widened(xp, special.dawsn, x)


def expint(xp: Namespace, x: Array) -> Array:
    """The exponential integral Ei."""
    return widened(xp, special.expi, x)


def fresnel_cos(xp: Namespace, x: Array) -> Array:
    """The Fresnel integral of the cosine."""
    return _fresnel(xp, x, 1)


def fresnel_sin(xp: Namespace, x: Array) -> Array:
    """The Fresnel integral of the sine."""
    return _fresnel(xp, x, 0)


def _fresnel(xp: Namespace, x: Array, part: int) -> Array:
    """One of both integrals, the sine's or the cosine's."""
    return widened(xp, lambda v: np.asarray(special.fresnel(np.clip(v, -_FAR, _FAR))[part]), x)


def spence(xp: Namespace, x: Array) -> Array:
    """The dilogarithm of 1 - x."""
    return widened(xp, special.spence, x)
