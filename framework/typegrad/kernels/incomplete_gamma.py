"""The derivative of the regularized incomplete gamma function P(a, x) in `a`, which SciPy does not have."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, final

import numpy as np
from scipy import special

from typegrad.base.quadrature import NODES, WEIGHTS
from typegrad.kernels.namespace import Array

__all__ = ["derivative_in_a", "sample_derivative"]

_LARGE: Final = 1e3
"""From this `a` on, the series and the fraction need many terms, and an integral few."""
_TERMS: Final = 600
_BETWEEN: Final = 8
"""After so many terms of a series, it is tested whether they still make a difference."""
_AT_ONCE: Final = 1 << 13
"""How many numbers are computed at once: they need about as many terms, and stay in a cache."""
_ALMOST_ALL: Final = -1 + 1e-15
"""The lowest relative change of a positive number: -1 has no logarithm."""
_SMALL: Final = 0.1
"""Up to this, log(1 + v) - v is a series."""


@final
@dataclass(frozen=True)
class _Precision:
    """The least relative difference that counts, how many terms of the fraction it takes, and which nodes."""

    epsilon: float
    by_x: float
    by_root: float
    every: int

    def terms(self, a: Array, x: Array) -> Array:
        """More for small `x`, and near the mean of large distributions."""
        result: Array = self.by_x / x + self.by_root * np.sqrt(1 + a)
        return result


_PRECISIONS: Final = {
    np.dtype(np.float32): _Precision(1e-9, 50, 3.5, every=3),
    np.dtype(np.float64): _Precision(1e-16, 120, 4.5, every=2),
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
    """x^a e^-x / gamma(a), which is x times the density; for a large `a` by Stirling's series."""
    small = special.xlogy(a, x) - x - special.gammaln(a)
    large = a * _log1p_less((x - a) / a) + np.log(a / (2 * np.pi)) / 2 - (1 / 12 - 1 / (360 * a * a)) / a
    result: Array = np.exp(np.where(a < _LARGE, small, large))
    return result


def _ratio(a: Array, x: Array, precision: _Precision) -> Array:
    """The derivative in `a`, divided by `_power`."""
    result = np.empty_like(a)
    is_large, is_left = a >= _LARGE, x < a + 1
    parts: list[tuple[Array, Callable[[Array, Array, _Precision], Array]]] = [
        (is_large, _by_integral),
        (~is_large & is_left, _by_series),
        (~is_large & ~is_left, _by_fraction),
    ]
    for chosen, function in parts:
        rows = np.flatnonzero(chosen)
        if len(rows) > _AT_ONCE and function is not _by_integral:
            needs = precision.terms(a[rows], x[rows]) if function is _by_fraction else a[rows]
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


def _by_integral(a: Array, x: Array, precision: _Precision) -> Array:
    """The integral of the derivative of the density, from 0 to `x`, or less the integral from `x` on: of one sign each.

    At x (1 + v) the derivative is log(x) - digamma(a) + log(1 + v) times the density, and this is the density at `x`
    times e^(a (log(1 + v) - v) - (x - a) v) / (1 + v), where no term cancels another.
    """
    distance, is_left, root = x - a, x < a, np.sqrt(x)
    scale = 1 / (distance + np.where(is_left, -np.minimum(x, root), root))
    start = _log_by_mean(a, x)
    total = np.zeros_like(a)
    for node, weight in zip(NODES[:: precision.every], WEIGHTS[:: precision.every], strict=True):
        v = np.maximum(node * scale, _ALMOST_ALL)
        exponent = a * _log1p_less(v) - distance * v
        total += weight * np.exp(exponent) * (start + np.log1p(v)) / (1 + v)
    result: Array = -precision.every * scale * total
    return result


def _log_by_mean(a: Array, x: Array) -> Array:
    """log(x) - digamma(a) for a large `a`, also where they nearly cancel."""
    change = (x - a) / a
    log_ratio = np.where(np.abs(change) < 0.5, np.log1p(change), np.log(x) - np.log(a))
    result: Array = log_ratio + (1 / 2 + (1 / 12 - 1 / (120 * a * a)) / a) / a
    return result


def _log1p_less(v: Array) -> Array:
    """log(1 + v) - v; for a small `v` by the series of log(1 + v) = 2 artanh(r), where r is v / (2 + v)."""
    r = v / (2 + v)
    square, tail = r * r, np.zeros_like(v)
    for power in range(15, 1, -2):
        tail = tail * square + 1 / power
    return np.where(np.abs(v) < _SMALL, r * (2 * square * tail - v), np.log1p(v) - v)
