"""Kernels of `ops/special.yaml`. SciPy has these functions, for NumPy's arrays only, and is slow to import."""

from __future__ import annotations

from typing import Final

import numpy as np
from scipy import special

from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import widened

# The coefficients of z^k, from k = 0, in the logarithm of gamma at 2 + z: 0, 1 - gamma, and (-1)^k (zeta(k) - 1) / k.
_ORDERS: Final = np.arange(2, 30)
_NEAR_TWO: Final = np.concatenate(
    ([0.0, 1 - np.euler_gamma], (-1.0) ** _ORDERS * special.zetac(_ORDERS.astype(np.float64)) / _ORDERS)
)


def erf(xp: Namespace, x: Array) -> Array:
    """The Gauss error function."""
    return widened(xp, special.erf, x)


def erfc(xp: Namespace, x: Array) -> Array:
    """1 - erf(x), accurate where that is small."""
    return widened(xp, special.erfc, x)


def lgamma(xp: Namespace, x: Array) -> Array:
    """The logarithm of the absolute value of the gamma function."""

    def function(v: Array) -> Array:
        result = xp.where(xp.isinf(v), xp.abs(v), special.gammaln(v))
        # Near its zeros 1 and 2, SciPy's function is exact to an absolute error only.
        near = xp.abs(v - 1.5) < 1
        shift = xp.where(v < 1.5, 1.0, 2.0)
        z = xp.where(near, v - shift, 0.0)
        series = np.polynomial.polynomial.polyval(z, _NEAR_TWO) - xp.where(shift == 1, xp.log1p(z), 0.0)
        return xp.where(near, series, result).astype(v.dtype)

    return widened(xp, function, x)


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
