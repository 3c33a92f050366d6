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
_FIRST: Final = 20
"""The number of terms of a fraction, which is doubled until that makes no difference."""
_BETWEEN: Final = 8
"""After so many terms of a series, it is tested whether they still make a difference."""
_EPSILON: Final = 1e-16
_AT_ONCE: Final = 1 << 12
"""So many numbers are computed at once: they need about as many terms, and stay in a cache."""
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
        rows = np.flatnonzero(chosen)
        rows = rows[np.argsort(a[rows])]  # the larger they are, the more terms they need
        for start in range(0, len(rows), _AT_ONCE):
            part = rows[start : start + _AT_ONCE]
            result[part] = function(a[part], x[part])
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
        change = term * logarithm
        slope += change
        if not n % _BETWEEN and (np.abs(change) <= _EPSILON * np.abs(slope)).all():
            break
    result: Array = (total * (np.log(x) - special.digamma(a + 1)) + slope) / a
    return result


def _by_fraction(a: Array, x: Array) -> Array:
    """1 - P = x^a e^-x / gamma(a) / t, with Legendre's continued fraction t, from its last term to its first."""
    result, rows, count = np.full_like(a, np.nan), np.arange(len(a)), _FIRST
    while len(rows):
        values = _fraction(a[rows], x[rows], count)
        is_open = ~(np.abs(values - result[rows]) <= _EPSILON * np.abs(values))
        result[rows] = values
        rows, count = rows[is_open] if count < _TERMS else rows[:0], 2 * count
    return result


def _fraction(a: Array, x: Array, count: int) -> Array:
    """The same, of so many terms."""
    t, slope = x + 2 * count + 1 - a, -np.ones_like(a)
    for n in range(count, 0, -1):
        ratio = n / t
        slope *= (n - a) * ratio / t
        slope += ratio - 1
        t = x + (2 * n - 1) - a - (n - a) * ratio
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
