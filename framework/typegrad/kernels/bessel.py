"""Kernels of `ops/bessel.yaml`. SciPy has these functions, for NumPy's arrays only.

In float32 they are polynomials, see `interpolation`: several times faster than SciPy's loops.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from scipy import special

from typegrad.kernels.interpolation import FEW, Interpolant, Polynomial, by_precision, piecewise
from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import widened

_FEWER: Final = 400
"""The same as `FEW` for a function of the fewest calls."""
_FEW: Final = 2 * FEW
"""The same as `FEW` for functions of the second kind, which are two polynomials."""
_NEAR: Final = 1e-310
"""Where the function K1 is infinite; SciPy's is nan at the least number above 0."""
_SHIFT: Final = np.array(2, np.float32)
"""Functions of the first kind are smooth in 1 / (x + 2), for all x from 0 on."""
_ZERO: Final = np.zeros((), np.float32)
"""NumPy takes an array faster than a number."""
_HIGHEST: Final = np.array(np.finfo(np.float32).max)


def bessel_i0(xp: Namespace, x: Array) -> Array:
    """The modified function of the first kind of order 0."""
    return by_precision(xp, x, lambda v: _grown(_i0e(v), np.abs(v)), special.i0)


def bessel_i0e(xp: Namespace, x: Array) -> Array:
    """The modified function of the first kind of order 0, scaled by exp(-|x|)."""
    return by_precision(xp, x, _i0e, special.i0e, few=_FEWER)


def bessel_i1(xp: Namespace, x: Array) -> Array:
    """The modified function of the first kind of order 1."""
    return by_precision(xp, x, lambda v: _grown(_i1e(v), np.abs(v)), special.i1)


def bessel_i1e(xp: Namespace, x: Array) -> Array:
    """The modified function of the first kind of order 1, scaled by exp(-|x|)."""
    return by_precision(xp, x, _i1e, special.i1e, few=_FEWER)


def _i0e(x: Array) -> Array:
    r = np.abs(x)
    r += _SHIFT
    np.reciprocal(r, out=r)
    result = _I0E(r)
    return np.multiply(result, np.sqrt(r, out=r), out=r)  # not in `result`, which has part of a larger array's memory


def _i1e(x: Array) -> Array:
    r = np.abs(x)
    r += _SHIFT
    np.reciprocal(r, out=r)
    result = _I1E(r)
    result *= (x + _ZERO).clip(-_HIGHEST, _HIGHEST) * r  # without negative zeros, as in TensorFlow
    return np.multiply(result, np.sqrt(r, out=r), out=r)


def _grown(scaled: Array, x: Array) -> Array:
    """`scaled` exp(x), where exp(x) may be beyond float32's range."""
    result: Array = np.exp(x, dtype=np.float64)
    result *= scaled
    return result.astype(np.float32)


_I0E: Final = Interpolant(lambda r: special.i0e(1 / r - _SHIFT) / np.sqrt(r), 0, 1 / _SHIFT, 24)
_I1E: Final = Interpolant(lambda r: special.i1e(1 / r - _SHIFT) / np.sqrt(r) / (1 - _SHIFT * r), 0, 1 / _SHIFT, 24)


def bessel_j0(xp: Namespace, x: Array) -> Array:
    """The function of the first kind of order 0."""
    return widened(xp, special.j0, x)


def bessel_j1(xp: Namespace, x: Array) -> Array:
    """The function of the first kind of order 1."""
    return widened(xp, special.j1, x)


def bessel_y0(xp: Namespace, x: Array) -> Array:
    """The function of the second kind of order 0."""
    return widened(xp, lambda v: xp.where(v < 0, -np.inf, special.y0(v)).astype(v.dtype), x)


def bessel_y1(xp: Namespace, x: Array) -> Array:
    """The function of the second kind of order 1."""
    return widened(xp, lambda v: xp.where(v < 0, -np.inf, special.y1(v)).astype(v.dtype), x)


def bessel_k0(xp: Namespace, x: Array) -> Array:
    """The modified function of the second kind of order 0."""
    return by_precision(xp, x, lambda v: _grown(_k0e(v), -v), lambda v: special.k0(np.maximum(v, 0)), few=_FEW)


def bessel_k0e(xp: Namespace, x: Array) -> Array:
    """The modified function of the second kind of order 0, scaled by exp(x)."""
    return by_precision(xp, x, _k0e, lambda v: special.k0e(np.maximum(v, 0)), few=_FEW)


def bessel_k1(xp: Namespace, x: Array) -> Array:
    """The modified function of the second kind of order 1."""
    return by_precision(xp, x, lambda v: _grown(_k1e(v), -v), lambda v: special.k1(np.maximum(v, 0)), few=_FEW)


def bessel_k1e(xp: Namespace, x: Array) -> Array:
    """The modified function of the second kind of order 1, scaled by exp(x)."""
    return by_precision(xp, x, _k1e, lambda v: special.k1e(np.maximum(v, _NEAR)), few=_FEW)


def _k0e(x: Array) -> Array:
    return piecewise(x, (0, _K_NEAR), (_outside, _k0e_near, _k0e_far))


def _k1e(x: Array) -> Array:
    return piecewise(x, (0, _K_NEAR), (_outside, _k1e_near, _k1e_far))


def _outside(x: Array) -> Array:
    return np.where(np.isnan(x), x, np.inf).astype(x.dtype)


def _k0e_near(x: Array) -> Array:
    """By the power series, Abramowitz and Stegun 9.6.13."""
    u = x * x
    result = _I0(u)
    result *= np.log(x) + _LOG
    np.subtract(_K0(u), result, out=result)
    result *= np.exp(x)
    return result


def _k1e_near(x: Array) -> Array:
    """By the power series, Abramowitz and Stegun 9.6.11."""
    u = x * x
    result = _I1(u)
    result *= np.log(np.maximum(x, _TINY)) + _LOG
    result -= _K1(u)
    result *= x
    result += 1 / np.abs(x)
    result *= np.exp(x)
    return result


def _k0e_far(x: Array) -> Array:
    r = 1 / x
    result = _K0E(r)
    result *= np.sqrt(r, out=r)
    return result


def _k1e_far(x: Array) -> Array:
    r = 1 / x
    result = _K1E(r)
    result *= np.sqrt(r, out=r)
    return result


_TINY: Final = np.finfo(np.float32).tiny
_K_NEAR: Final = 1
_LOG: Final = np.euler_gamma - math.log(2)
_SERIES: Final = [1 / (4**k * math.factorial(k) ** 2) for k in range(8)]
_HARMONIC: Final = [sum(1 / n for n in range(1, k + 1)) for k in range(9)]
_I0: Final = Polynomial(_SERIES)
"""I0, in x^2."""
_I1: Final = Polynomial([term / (2 * k + 2) for k, term in enumerate(_SERIES)])
"""I1 / x."""
_K0: Final = Polynomial([term * _HARMONIC[k] for k, term in enumerate(_SERIES)])
_K1: Final = Polynomial([term * (_HARMONIC[k] + _HARMONIC[k + 1]) / (4 * k + 4) for k, term in enumerate(_SERIES)])
_K0E: Final = Interpolant(lambda r: special.k0e(1 / r) / np.sqrt(r), 0, 1 / _K_NEAR, 16)
_K1E: Final = Interpolant(lambda r: special.k1e(1 / r) / np.sqrt(r), 0, 1 / _K_NEAR, 16)
