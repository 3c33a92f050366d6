"""Kernels of `ops/bessel.yaml`. SciPy has these functions, for NumPy's arrays only.

In float32 they are polynomials, see `polynomials`: several times faster than SciPy's loops.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from scipy import special

from typegrad.kernels.namespace import Array, Function, Namespace
from typegrad.kernels.polynomials import FEW, Interpolant, Polynomial, by_precision, piecewise

_FEWER: Final = 400
"""The same as `FEW` for a function of the fewest calls."""
_FEW: Final = 2 * FEW
"""The same as `FEW` for functions of the second kind, which are two polynomials."""
_LEAST: Final = 1e-310
"""So near to 0 that a pole is infinite; SciPy's K1 is nan at the least number above 0."""
_SHIFT: Final = 2
"""Functions of the first kind are smooth in 1 / (x + 2), for all x from 0 on."""
_ZERO, _TO_SHIFT, _HIGHEST = (np.array(number, np.float32) for number in (0, _SHIFT, np.finfo(np.float32).max))
"""NumPy takes an array faster than a number."""


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
    r += _TO_SHIFT
    np.reciprocal(r, out=r)
    result = _I0E(r)
    return np.multiply(result, np.sqrt(r, out=r), out=r)  # not in `result`, which has part of a larger array's memory


def _i1e(x: Array) -> Array:
    r = np.abs(x)
    r += _TO_SHIFT
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
    return by_precision(xp, x, _j0, special.j0)


def bessel_j1(xp: Namespace, x: Array) -> Array:
    """The function of the first kind of order 1."""
    return by_precision(xp, x, _j1, special.j1)


def bessel_y0(xp: Namespace, x: Array) -> Array:
    """The function of the second kind of order 0."""
    return by_precision(xp, x, _y0, lambda v: xp.where(v < 0, -np.inf, special.y0(v)))


def bessel_y1(xp: Namespace, x: Array) -> Array:
    """The function of the second kind of order 1."""
    return by_precision(xp, x, _y1, lambda v: xp.where(v < 0, -np.inf, special.y1(v)))


def _j0(x: Array) -> Array:
    return _in_float64(x, (-_NEAR, _NEAR), (special.j0, lambda v: _J0(v * v), special.j0))


def _j1(x: Array) -> Array:
    return _in_float64(x, (-_NEAR, _NEAR), (special.j1, lambda v: _J1(v * v) * v, special.j1))


def _y0(x: Array) -> Array:
    return _in_float64(x, (0, _NEAR), (lambda v: -_outside(v), _y0_near, special.y0))


def _y1(x: Array) -> Array:
    return _in_float64(x, (0, _NEAR), (lambda v: -_outside(v), _y1_near, special.y1))


def _in_float64(x: Array, bounds: tuple[float, float], pieces: tuple[Function, ...]) -> Array:
    """`piecewise` of functions that have zeros, near which float32 loses digits."""
    return piecewise(x.astype(np.float64), bounds, pieces).astype(np.float32)


def _y0_near(x: Array) -> Array:
    u = x * x
    result = _J0(u)
    result *= np.log(x) * _TWO_BY_PI
    result += _Y0(u)
    return result


def _y1_near(x: Array) -> Array:
    u, y = x * x, np.maximum(x, _LEAST)
    result = _J1(u)
    result *= np.log(y) * _TWO_BY_PI
    result += _Y1(u)
    result *= x
    result -= _TWO_BY_PI / y
    return result


_NEAR: Final = 8
_TWO_BY_PI: Final = 2 / math.pi
_J0: Final = Interpolant(lambda u: special.j0(np.sqrt(u)), 0, _NEAR**2, 24)
_J1: Final = Interpolant(lambda u: special.j1(np.sqrt(u)) / np.sqrt(u), 0, _NEAR**2, 24)
"""J1(x) / x, in x^2."""
_Y0: Final = Interpolant(
    lambda u: special.y0(x := np.sqrt(u)) - _TWO_BY_PI * np.log(x) * special.j0(x), 0, _NEAR**2, 24
)
"""Y0 without its logarithm, Abramowitz and Stegun 9.1.13."""
_Y1: Final = Interpolant(
    lambda u: (special.y1(x := np.sqrt(u)) + _TWO_BY_PI * (1 / x - np.log(x) * special.j1(x))) / x, 0, _NEAR**2, 24
)
"""Y1 / x without its pole and its logarithm, 9.1.11."""


def bessel_k0(xp: Namespace, x: Array) -> Array:
    """The modified function of the second kind of order 0."""
    return by_precision(xp, x, lambda v: _grown(_k0e(v), -v), lambda v: _k0_wide(special.k0, v), few=_FEW)


def bessel_k0e(xp: Namespace, x: Array) -> Array:
    """The modified function of the second kind of order 0, scaled by exp(x)."""
    return by_precision(xp, x, _k0e, lambda v: _k0_wide(special.k0e, v), few=_FEW)


def bessel_k1(xp: Namespace, x: Array) -> Array:
    """The modified function of the second kind of order 1."""
    return by_precision(xp, x, lambda v: _grown(_k1e(v), -v), lambda v: special.k1(np.maximum(v, _LEAST)), few=_FEW)


def bessel_k1e(xp: Namespace, x: Array) -> Array:
    """The modified function of the second kind of order 1, scaled by exp(x)."""
    return by_precision(xp, x, _k1e, lambda v: special.k1e(np.maximum(v, _LEAST)), few=_FEW)


def _k0_wide(function: Function, x: Array) -> Array:
    """SciPy's function halves x. The least number, which has no half, is doubled: as K0(x) = K0(2 x) + log 2."""
    is_least = x == np.nextafter(0, 1)
    result: Array = function(np.where(is_least, 2 * x, np.maximum(x, 0)))
    return np.where(is_least, result + math.log(2), result)


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
