"""The derivative of the regularized incomplete gamma function P(a, x) in `a`, which SciPy does not have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from scipy import special

from typegrad.kernels.namespace import Array

__all__ = ["derivative_in_a", "sample_derivative"]

_LARGE: Final = 1e3
"""From this `a` on, the series and the fraction need many terms, and P is smooth enough to be differenced."""
_TERMS: Final = 600
_STEP: Final = 0.1
"""The step of differences, in standard deviations of the gamma distribution."""
_DIFFERENCES: Final = np.array([4 / 5, -1 / 5, 4 / 105, -1 / 280])
"""The weights of central differences of order 8."""


def derivative_in_a(a: Array, x: Array) -> Array:
    """The derivative at vectors of positive, finite numbers."""
    shape, limit = a.astype(np.float64), x.astype(np.float64)
    return (_ratio(shape, limit) * _power(shape, limit)).astype(a.dtype)


def sample_derivative(a: Array, x: Array) -> Array:
    """How fast `x` moves with `a` where P(a, x) stays the same: the derivative, negative, by the density."""
    shape, limit = a.astype(np.float64), x.astype(np.float64)
    return (-limit * _ratio(shape, limit)).astype(a.dtype)


def _power(a: Array, x: Array) -> Array:
    """x^a e^-x / gamma(a), which is x times the density."""
    result: Array = np.exp(special.xlogy(a, x) - x - special.gammaln(a))
    return result


def _ratio(a: Array, x: Array) -> Array:
    """The derivative in `a`, divided by `_power`."""
    result = np.empty_like(a)
    is_large, is_left = a >= _LARGE, x < a + 1
    parts: list[tuple[Array, Callable[[Array, Array], Array]]] = [
        (is_large, _by_differences),
        (~is_large & is_left, _by_series),
        (~is_large & ~is_left, _by_fraction),
    ]
    for chosen, function in parts:
        if chosen.any():
            result[chosen] = function(a[chosen], x[chosen])
    return result


def _by_series(a: Array, x: Array) -> Array:
    """P = x^a e^-x / gamma(a + 1) times the sum of x^n / ((a + 1) ... (a + n)).

    Left of the mean, all terms of the derivative are negative, so that none cancel.
    """
    term, logarithm = np.ones_like(a), np.zeros_like(a)  # a term, and the derivative of its logarithm
    total, slope = np.ones_like(a), np.zeros_like(a)
    for n in range(1, _TERMS):
        term *= x / (a + n)
        logarithm -= 1 / (a + n)
        total += term
        slope += term * logarithm
    result: Array = (total * (np.log(x) - special.digamma(a + 1)) + slope) / a
    return result


def _by_fraction(a: Array, x: Array) -> Array:
    """1 - P = x^a e^-x / gamma(a) / t, with Legendre's continued fraction t, from its last term to its first."""
    t, slope = x + 2 * _TERMS + 1 - a, -np.ones_like(a)
    for n in range(_TERMS, 0, -1):
        t, slope = x + 2 * n - 1 - a - n * (n - a) / t, -1 + n / t + n * (n - a) * slope / t**2
    result: Array = -(np.log(x) - special.digamma(a) - slope / t) / t
    return result


def _by_differences(a: Array, x: Array) -> Array:
    """Of the smaller one of P and 1 - P, so that small derivatives keep their digits."""
    step = _STEP * np.sqrt(a)
    total = np.zeros_like(a)
    for number, weight in enumerate(_DIFFERENCES, start=1):
        above, below = a + number * step, a - number * step
        lower = special.gammainc(above, x) - special.gammainc(below, x)
        upper = special.gammaincc(below, x) - special.gammaincc(above, x)
        total += weight * np.where(x < a, lower, upper)
    return total / step / _power(a, x)
