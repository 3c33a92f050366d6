"""The derivative of the regularized incomplete gamma function P(a, x) in `a`, which SciPy does not have."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, final

import numpy as np
from scipy import special

from typegrad.kernels.namespace import Array

__all__ = ["derivative_in_a", "sample_derivative"]

_LARGE: Final = 1e3
"""From this `a` on, the series and the fraction need many terms, and P is smooth enough to be differenced."""
_TERMS: Final = 600
_BETWEEN: Final = 8
"""After so many terms of a series, it is tested whether they still make a difference."""
_AT_ONCE: Final = 1 << 13
"""So many numbers are computed at once: they need about as many terms, and stay in a cache."""
_STEP: Final = 0.1
"""The step of differences, in standard deviations of the gamma distribution."""
_DIFFERENCES: Final = np.array([4 / 5, -1 / 5, 4 / 105, -1 / 280])
"""The weights of central differences of order 8."""


@final
@dataclass(frozen=True)
class _Precision:
    """The least relative difference that counts, and how many terms of the fraction it takes."""

    epsilon: float
    by_x: float
    by_root: float

    def terms(self, a: Array, x: Array) -> Array:
        """More for small `x`, and near the mean of large distributions; beyond `_LARGE` it is for far ones."""
        result: Array = self.by_x / x + self.by_root * np.sqrt(1 + np.minimum(a, _LARGE))
        return result


_PRECISIONS: Final = {
    np.dtype(np.float32): _Precision(1e-9, 50, 3.5),
    np.dtype(np.float64): _Precision(1e-16, 120, 4.5),
}


def derivative_in_a(a: Array, x: Array) -> Array:
    """The derivative at vectors of positive, finite numbers."""
    shape, limit = a.astype(np.float64), x.astype(np.float64)
    result: Array = _ratio(shape, limit, _PRECISIONS[a.dtype]) * _power(shape, limit)
    result += 0  # no negative zero where the density is zero, as in TensorFlow
    return result.astype(a.dtype)


def sample_derivative(a: Array, x: Array) -> Array:
    """How fast `x` moves with `a` where P(a, x) stays the same: the derivative, negative, by the density."""
    shape, limit = a.astype(np.float64), x.astype(np.float64)
    return (-limit * _ratio(shape, limit, _PRECISIONS[a.dtype])).astype(a.dtype)


def _power(a: Array, x: Array) -> Array:
    """x^a e^-x / gamma(a), which is x times the density."""
    result: Array = np.exp(special.xlogy(a, x) - x - special.gammaln(a))
    return result


def _ratio(a: Array, x: Array, precision: _Precision) -> Array:
    """The derivative in `a`, divided by `_power`."""
    result = np.empty_like(a)
    is_large, is_left = a >= _LARGE, x < a + 1
    is_large[is_large] = _power(a[is_large], x[is_large]) > 0  # the ratio of differences to it is another form of 0 / 0
    parts: list[tuple[Array, Callable[[Array, Array, _Precision], Array]]] = [
        (is_large, _by_differences),
        (~is_large & is_left, _by_series),
        (~is_large & ~is_left, _by_fraction),
    ]
    for chosen, function in parts:
        rows = np.flatnonzero(chosen)
        if len(rows) > _AT_ONCE:
            needs = precision.terms(a[rows], x[rows]) if function is _by_fraction else np.minimum(a[rows], _LARGE)
            rows = rows[np.argsort(needs.astype(np.uint16), kind="stable")]  # 16 bits are sorted by counting
        for start in range(0, len(rows), _AT_ONCE):
            part = rows[start : start + _AT_ONCE]
            result[part] = function(a[part], x[part], precision)
    return result


def _by_series(a: Array, x: Array, precision: _Precision) -> Array:
    """P = x^a e^-x / gamma(a + 1) times the sum of x^n / ((a + 1) ... (a + n)).

    Left of the mean, all terms of the derivative are negative, so that none cancel.
    """
    term, logarithm = np.ones_like(a), np.zeros_like(a)  # a term, and the derivative of its logarithm
    total, slope = np.ones_like(a), np.zeros_like(a)
    ratio, change = np.empty_like(a), np.empty_like(a)
    for n in range(1, _TERMS):
        np.reciprocal(np.add(a, n, out=ratio), out=ratio)
        logarithm -= ratio
        ratio *= x
        term *= ratio
        total += term
        slope += np.multiply(term, logarithm, out=change)
        if not n % _BETWEEN and (np.abs(change) <= precision.epsilon * np.abs(slope)).all():
            break
    result: Array = (total * (np.log(x) - special.digamma(a + 1)) + slope) / a
    return result


def _by_fraction(a: Array, x: Array, precision: _Precision) -> Array:
    """1 - P = x^a e^-x / gamma(a) / t, with Legendre's continued fraction t, from its last term to its first."""
    count = math.ceil(precision.terms(a, x).max())
    base, slope, above = x - a, np.full_like(a, -1), np.empty_like(a)
    t = base + (2 * count + 1)
    for n in range(count, 0, -1):
        ratio = np.reciprocal(t, out=t)
        np.multiply(a, -n, out=above)
        above += n * n
        above *= ratio
        slope *= above
        slope += n
        slope *= ratio
        slope -= 1
        np.subtract(base, above, out=t)
        t += 2 * n - 1
    result: Array = -(np.log(x) - special.digamma(a) - slope / t) / t
    return result


def _by_differences(a: Array, x: Array, precision: _Precision) -> Array:
    """Of the smaller one of P and 1 - P, so that small derivatives keep their digits."""
    step = _STEP * np.sqrt(a)
    total = np.zeros_like(a)
    for number, weight in enumerate(_DIFFERENCES, start=1):
        above, below = a + number * step, a - number * step
        lower = special.gammainc(above, x) - special.gammainc(below, x)
        upper = special.gammaincc(below, x) - special.gammaincc(above, x)
        total += weight * np.where(x < a, lower, upper)
    return total / step / _power(a, x)
