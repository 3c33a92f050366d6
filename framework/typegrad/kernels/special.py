"""Kernels of `ops/special.yaml`. SciPy has these functions, for NumPy's arrays only, and is slow to import.

Where its loops are much slower than passes over an array, the functions are polynomials, see `polynomials`.
"""

from __future__ import annotations

import math
from functools import cache, partial
from typing import Final

import numpy as np
from scipy import special

from typegrad.kernels.incomplete_gamma import derivative_in_a
from typegrad.kernels.log_gamma_zeros import near_zeros
from typegrad.kernels.namespace import Array, Function, Namespace
from typegrad.kernels.polynomials import FEW, Interpolant, Polynomial, Quotient, by_parts, by_precision, piecewise
from typegrad.kernels.precision import widened

_FEW: Final = 1 << 11
"""The same as `FEW` for functions of which SciPy's loops are fast, or which are several polynomials."""
_FAR: Final = 1e30
"""Where Fresnel's integrals have their limits in every type, and squares do not overflow."""

_WHERE_ERFC_IS_0: Final = 10.1
_SIGN: Final = np.int32(-1 << 31)
_ONE: Final = np.float32(1).view(np.int32)
"""The bits of the sign, and of 1."""
_HALF_OF_THE_DIGITS: Final = np.int32(-1 << 12)
"""The bits of a float32 number without the last 12: its square is exact."""
_ERF: Final = np.array(
    [1.1283792, 0.102769054, -1.9183187e-04, -6.1978376e-04, 8.7637025e-05, -5.668429e-06, 1.418497e-07], np.float32
)
"""artanh(erf(x)) / x, in x^2: the relative error of erf(x) is below 1e-7. It grows beyond 4, where erf(x) is 1."""
_ERFCX: Final = Quotient(special.erfcx, 0, _WHERE_ERFC_IS_0, 8, 8)
"""erfc(x) exp(x^2)."""


def erf(xp: Namespace, x: Array) -> Array:
    """The Gauss error function."""
    return by_precision(xp, x, _erf, special.erf)


def _erf(x: Array) -> Array:
    square = x * x
    result: Array = square * _ERF[-1]
    for coefficient in _ERF[-2:0:-1]:  # Horner's method: powers may overflow, and infinities cancel
        result += coefficient
        result *= square
    result += _ERF[0]
    result *= x
    np.tanh(result, out=result)
    return result


def erfc(xp: Namespace, x: Array) -> Array:
    """1 - erf(x), accurate where that is small."""
    return by_precision(xp, x, _erfc, special.erfc, few=_FEW)


def _erfc(x: Array) -> Array:
    y = np.abs(x)
    y = np.minimum(y, np.full_like(y, _WHERE_ERFC_IS_0), out=y)  # many times faster than with a number
    result = _ERFCX(y)
    result *= _gauss(y)
    sign = (x.view(np.int32) & _SIGN | _ONE).view(np.float32)  # below 0 the result is 2 - result
    result *= sign
    result += np.subtract(1, sign, out=sign)
    return result


def _gauss(x: Array) -> Array:
    """exp(-x^2), by a number h near x whose square is exact, and the small rest (x - h) (x + h)."""
    near = (x.view(np.int32) & _HALF_OF_THE_DIGITS).view(np.float32)
    rest = near - x
    rest *= near + x
    result = near * near
    np.exp(np.negative(result, out=result), out=result)
    result *= np.exp(rest, out=rest)
    return result


def lgamma(xp: Namespace, x: Array) -> Array:
    """The logarithm of the absolute value of the gamma function."""
    return widened(xp, lambda v: _gammaln(v) if v.dtype == np.float32 else by_parts(xp, _lgamma, v), x)


def _lgamma(x: Array) -> Array:
    return piecewise(x, _LGAMMA_BOUNDS, _LGAMMA_PIECES)


def _gammaln(x: Array) -> Array:
    """SciPy's function, but -log|x| where 1 / x overflows."""
    size = np.abs(x)
    return np.where(size < _SMALL, -np.log(size), np.where(np.isinf(x), size, special.gammaln(x)))


@cache
def _near_two() -> Polynomial:
    """The function at 2 + z: of z^k, the coefficient is (-1)^k (zeta(k) - 1) / k."""
    orders = np.arange(2, 30)
    higher = (-1.0) ** orders * special.zetac(orders.astype(np.float64)) / orders
    return Polynomial([0.0, 1 - np.euler_gamma, *higher])


def _lgamma_left(x: Array) -> Array:
    """SciPy's function, but for its negative zeros, where it is exact to an absolute error only."""
    result = _gammaln(x)
    is_near, values = near_zeros(x)
    result[is_near] = values
    return result


def _lgamma_near(x: Array) -> Array:
    """Near its zeros 1 and 2, where SciPy's function is exact to an absolute error only."""
    is_left = x < 1.5
    result: Array = _near_two()(x - np.where(is_left, 1, 2))
    result -= np.log(np.where(is_left, x, 1))
    return result


def _lgamma_right(x: Array) -> Array:
    """Stirling's series."""
    r = 1 / x
    result = _STIRLING(r * r)
    result *= r
    result += _LOG_ROOT
    logarithm = np.log(x)
    logarithm -= 1
    logarithm *= x - 0.5
    result += logarithm
    return result


_STIRLING: Final = Polynomial([1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400])
"""B(2k) / (2k (2k - 1)), with Bernoulli's numbers."""
_LOG_ROOT: Final = (math.log(2 * math.pi) - 1) / 2
_SMALL: Final = np.finfo(np.float64).tiny
_LGAMMA_BOUNDS: Final = (0.5, 2.5, 8)
_LGAMMA_PIECES: Final = (_lgamma_left, _lgamma_near, _gammaln, _lgamma_right)


def digamma(xp: Namespace, x: Array) -> Array:
    """The derivative of log gamma; nan at its poles."""
    return widened(
        xp, lambda v: xp.where((v <= 0) & (v == xp.floor(v)), xp.full_like(v, np.nan), special.digamma(v)), x
    )


def polygamma(xp: Namespace, a: Array, x: Array) -> Array:
    """The derivative of order `a` of the digamma function, (-1)^(a+1) a! zeta(a + 1, x); nan unless `a` is whole."""
    is_order = (a >= 0) & (a == xp.floor(a))
    sign = xp.where(xp.fmod(a, 2) == 1, 1.0, -1.0)
    higher = sign * special.gamma(a + 1.0) * _zeta(xp, a + 1.0, x)
    # At the poles, the limits from the two sides have opposite signs where the order is even.
    higher = xp.where((x <= 0) & (x == xp.floor(x)) & (sign < 0), np.nan, higher)
    value = xp.where(a == 0, digamma(xp, xp.broadcast_to(x, xp.broadcast_shapes(a.shape, x.shape))), higher)
    return xp.where(is_order, value, np.nan).astype(x.dtype)


def erfinv(xp: Namespace, x: Array) -> Array:
    """The inverse of the error function."""
    return by_precision(xp, x, _erfinv, special.erfinv, few=_FEW)


def _erfinv(x: Array) -> Array:
    result = _quantile((1 - x) * (1 + x), _ERFINV)
    result *= x + 0  # without negative zeros, as in TensorFlow
    return result


def _quantile(product: Array, pieces: tuple[Function, ...]) -> Array:
    """What `pieces` compute, by 1 - x^2 (Giles, Approximating the erfinv function, 2011)."""
    w = np.log(product)
    np.negative(w, out=w)
    return piecewise(w, (5, np.inf), pieces)


def _multiples(factor: float) -> tuple[Function, ...]:
    """erfinv(x) / x times a factor, by -log(1 - x^2)."""
    near = Quotient(lambda w: factor * _quantile_of_logarithm(w), 0, 5, 6, 5)
    far = Interpolant(lambda root: factor * _quantile_of_logarithm(root * root), math.sqrt(5), 10.3, 24)
    return near, lambda w: far(np.sqrt(w)), np.positive


def _quantile_of_logarithm(w: Array) -> Array:
    """erfinv(x) / x in float64."""
    x = np.sqrt(-np.expm1(-w))
    result: Array = -special.ndtri(np.exp(-w) / (1 + x) / 2) / (math.sqrt(2) * x)
    return result


_ERFINV: Final = _multiples(1)
_NDTRI: Final = _multiples(2 * math.sqrt(2))


def ndtri(xp: Namespace, x: Array) -> Array:
    """The quantiles of the standard normal distribution."""
    return by_precision(xp, x, _ndtri, special.ndtri, few=_FEW)


def _ndtri(x: Array) -> Array:
    result = _quantile(4 * x * (1 - x), _NDTRI)
    result *= x - np.float32(0.5)
    return result


def igamma(xp: Namespace, a: Array, x: Array) -> Array:
    """The lower regularized incomplete gamma function; 0 at `x` = 0, for any `a`."""

    def function(a: Array, x: Array) -> Array:
        inside = xp.where(xp.isinf(a), 0, special.gammainc(a, x))
        return xp.where(x == 0, 0, xp.where((a > 0) & (x >= 0), inside, np.nan)).astype(x.dtype, copy=False)

    return widened(xp, function, a, x)


def igammac(xp: Namespace, a: Array, x: Array) -> Array:
    """The upper regularized incomplete gamma function."""

    def function(a: Array, x: Array) -> Array:
        inside = xp.where(xp.isinf(x), 0, special.gammaincc(a, x))
        return xp.where((a > 0) & (x >= 0), inside, np.nan).astype(x.dtype, copy=False)

    return widened(xp, function, a, x)


def igamma_grad_a(xp: Namespace, a: Array, x: Array) -> Array:
    """The derivative of P(a, x) in `a`; 0 at `x` = 0, for any `a`."""
    inside = (a > 0) & (x > 0) & xp.isfinite(a) & xp.isfinite(x)
    outside = xp.where((x == 0) | ((a > 0) & (x > 0)), 0, np.nan)
    result = np.broadcast_to(outside, inside.shape).astype(x.dtype)
    result[inside] = derivative_in_a(*(np.broadcast_to(each, inside.shape)[inside] for each in (a, x)))
    return result


def betainc(xp: Namespace, a: Array, b: Array, x: Array) -> Array:
    """The regularized incomplete beta function; `x` itself where that is 0 or 1, unless `a` or `b` is not positive.

    SciPy's loop for float32 loses digits, and gives 0 where results are small.
    """
    inside = xp.where(xp.isfinite(a) & xp.isfinite(b), special.betainc(a, b, x, dtype=np.float64), np.nan)
    value = xp.where((x == 0) | (x == 1), x, inside)
    return xp.where((a <= 0) | (b <= 0), np.nan, value).astype(x.dtype, copy=False)


def zeta(xp: Namespace, x: Array, q: Array) -> Array:
    """The Hurwitz zeta function; at the poles in `q`, the limits from the two sides have opposite signs for odd `x`."""
    is_pole = (q <= 0) & (q == xp.floor(q))
    value = xp.where((x > _FIRST_ALONE) & (q > 1), q**-x, _zeta(xp, x, q))
    is_undecided = is_pole & (x != 1) & ~xp.isinf(x) & (xp.fmod(x, 2) != 0)
    return xp.where(is_undecided, np.nan, value).astype(x.dtype)


def _zeta(xp: Namespace, x: Array, q: Array) -> Array:
    """The function without its limits."""
    orders, shifts = np.broadcast_arrays(x, q)
    if orders.size < FEW:
        return np.asarray(special.zeta(orders, shifts), x.dtype)
    wide = (each.astype(np.float64) for each in (orders, shifts))
    return by_parts(xp, _zeta_of_vectors, *wide, is_slow=True).astype(x.dtype, copy=False)


def _zeta_of_vectors(x: Array, q: Array) -> Array:
    is_usual = (x > 1) & (x < _LARGE_ORDER) & (q > 0) & (q < _LARGE_SHIFT)
    if is_usual.all():
        return _by_euler_maclaurin(x, q)
    result = np.empty_like(x)
    result[is_usual] = _by_euler_maclaurin(x[is_usual], q[is_usual])
    result[~is_usual] = special.zeta(x[~is_usual], q[~is_usual])
    return result


def _by_euler_maclaurin(x: Array, q: Array) -> Array:
    """The sum of (q + n)^-x: some terms, and the rest by the formula of Euler and Maclaurin, in powers of 1 / q."""
    minus = -x
    total = q**minus
    for n in range(1, _SUMMED):
        total += (q + n) ** minus
    last = q + _SUMMED
    tail = last ** (1 - x)
    total += tail / (x - 1)
    term = np.divide(tail, last, out=tail)
    total += term / 2
    term *= x
    term /= last
    step = 1 / (last * last)
    for k, coefficient in enumerate(_CORRECTIONS, start=1):
        total += coefficient * term
        term *= (x + (2 * k - 1)) * (x + 2 * k) * step
    return total


_FIRST_ALONE: Final = 1e12
"""From this order on, only the first term of the sum counts, of which SciPy makes nan."""
_SUMMED: Final = 9
_LARGE_ORDER: Final = 300
_LARGE_SHIFT: Final = 1e8
"""From here on, powers overflow or make no difference: SciPy has other formulas."""
_BERNOULLI: Final = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798)
_CORRECTIONS: Final = tuple(number / math.factorial(2 * k) for k, number in enumerate(_BERNOULLI, start=1))


def dawsn(xp: Namespace, x: Array) -> Array:
    """Dawson's integral."""
    return by_precision(xp, x, _dawsn, special.dawsn, few=_FEW)


def _dawsn(x: Array) -> Array:
    result = piecewise(np.abs(x), (_DAWSN_FAR,), (lambda y: _DAWSN(y * y) * y, _dawsn_far))
    return np.copysign(result, x, out=result)


def _dawsn_far(x: Array) -> Array:
    r = 1 / x
    result = _FAR_DAWSN(r * r)
    result *= r
    return result


_DAWSN_FAR: Final = 3.5
_DAWSN: Final = Quotient(lambda u: special.dawsn(np.sqrt(u)) / np.sqrt(u), 0, _DAWSN_FAR**2, 8, 8)
_FAR_DAWSN: Final = Interpolant(lambda u: special.dawsn(1 / np.sqrt(u)) / np.sqrt(u), 0, _DAWSN_FAR**-2, 8)


def expint(xp: Namespace, x: Array) -> Array:
    """The exponential integral Ei."""
    return widened(xp, lambda v: by_parts(xp, _expint, v), x)


def _expint(x: Array) -> Array:
    return piecewise(x.astype(np.float64, copy=False), _EXPINT_BOUNDS, _EXPINT_PIECES).astype(x.dtype, copy=False)


def _expint_near(x: Array) -> Array:
    """The power series."""
    result = _EIN(x)
    result *= x
    result += np.euler_gamma
    result += np.log(x)
    return result


def _by_series(x: Array) -> Array:
    """x exp(-x) Ei(x), by more terms and in more digits, to be interpolated."""
    orders = np.arange(1, 200, dtype=np.longdouble)
    wide = x.astype(np.longdouble)
    terms = np.cumprod(wide[:, None] / orders, axis=1) / orders
    result: Array = wide * np.exp(-wide) * (np.euler_gamma + np.log(wide) + terms.sum(axis=1))
    return result.astype(np.float64)


def _expint_middle(x: Array, function: Interpolant) -> Array:
    result = function(1 / x)
    result *= np.exp(x)
    result /= x
    return result


def _expint_far(x: Array) -> Array:
    """The asymptotic series; exp(x) may overflow."""
    x = np.minimum(x, 1e4)
    root = np.exp(x / 2)
    result = _ASYMPTOTIC(1 / x)
    result *= root
    result /= x
    result *= root
    return result


_EIN: Final = Polynomial([1 / (k * math.factorial(k)) for k in range(1, 33)])
_ASYMPTOTIC: Final = Polynomial([float(math.factorial(k)) for k in range(32)])
_FIRST_EXPINT: Final = Interpolant(lambda r: _by_series(1 / r), 1 / 12, 1 / 4, 28)
_SECOND_EXPINT: Final = Interpolant(lambda r: _by_series(1 / r), 1 / 40, 1 / 12, 28)
_EXPINT_BOUNDS: Final = (0, 4, 12, 40)
_EXPINT_PIECES: Final = (
    special.expi,
    _expint_near,
    lambda x: _expint_middle(x, _FIRST_EXPINT),
    lambda x: _expint_middle(x, _SECOND_EXPINT),
    _expint_far,
)


def fresnel_cos(xp: Namespace, x: Array) -> Array:
    """The Fresnel integral of the cosine."""
    return _fresnel(xp, x, 1)


def fresnel_sin(xp: Namespace, x: Array) -> Array:
    """The Fresnel integral of the sine."""
    return _fresnel(xp, x, 0)


def _fresnel(xp: Namespace, x: Array, part: int) -> Array:
    """One of both integrals, the sine's or the cosine's."""

    def single(v: Array) -> Array:
        pieces = (partial(_fresnel_near, part=part), partial(_fresnel_far, part=part))
        result = piecewise(np.abs(v), (_FRESNEL_FAR,), pieces)
        np.copysign(result, v + 0, out=result)  # without negative zeros, as in TensorFlow
        return result

    return by_precision(xp, x, single, lambda v: special.fresnel(np.clip(v, -_FAR, _FAR))[part], few=_FEW)


def _fresnel_near(x: Array, part: int) -> Array:
    square = x * x
    result = _FRESNEL[part](square * square)
    result *= x
    if not part:
        result *= square
    return result


def _fresnel_far(x: Array, part: int) -> Array:
    """By the auxiliary functions, Abramowitz and Stegun 7.3.9 and 7.3.10. Turns of the angle are counted exactly."""
    square = np.square(np.minimum(x, _FAR), dtype=np.float64)
    turns = square / 4
    turns -= np.floor(turns)
    turns *= 2 * np.pi
    angle, inverse = turns.astype(np.float32), np.reciprocal(square).astype(np.float32)
    sine, cosine = np.sin(angle), np.cos(angle)
    result, other = _FIRST_AUXILIARY(inverse), _SECOND_AUXILIARY(inverse)
    result *= sine if part else cosine
    other *= cosine if part else sine
    result = result - other if part else -result - other
    result /= x
    result += np.float32(0.5)
    return result


def _auxiliary(inverse: Array, first: bool) -> Array:
    """x f(x) or x g(x), in 1 / x^2, in float64."""
    square = 1 / inverse
    rest_of_sine, rest_of_cosine = (0.5 - part for part in special.fresnel(np.sqrt(square)))
    sine, cosine = np.sin(np.pi / 2 * square), np.cos(np.pi / 2 * square)
    value = rest_of_sine * cosine - rest_of_cosine * sine if first else rest_of_cosine * cosine + rest_of_sine * sine
    result: Array = np.sqrt(square) * value
    return result


_FRESNEL_FAR: Final = 1.25
_FIRST_AUXILIARY: Final = Interpolant(lambda v: _auxiliary(v, first=True), 0, _FRESNEL_FAR**-2, 16)
_SECOND_AUXILIARY: Final = Interpolant(lambda v: _auxiliary(v, first=False), 0, _FRESNEL_FAR**-2, 16)
_FRESNEL: Final = (
    Polynomial([(-1) ** k * (np.pi / 2) ** (2 * k + 1) / math.factorial(2 * k + 1) / (4 * k + 3) for k in range(16)]),
    Polynomial([(-1) ** k * (np.pi / 2) ** (2 * k) / math.factorial(2 * k) / (4 * k + 1) for k in range(16)]),
)
"""The integrals of the sine, divided by x^3, and of the cosine, by x, in x^4."""


def spence(xp: Namespace, x: Array) -> Array:
    """The dilogarithm of 1 - x."""
    return widened(xp, special.spence, x)
