"""Gradients of `ops/special.yaml`."""

from __future__ import annotations

import math
from typing import Final

from typegrad.base.types import TFloat32, TFloat64
from typegrad.graph.operand import AnyOperand, Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import ExpandDims, Select, Sum
from typegrad.op.dtypes import Cast
from typegrad.op.math import (
    Abs,
    Betainc,
    Cos,
    Dawsn,
    Digamma,
    Equal,
    Erf,
    Erfc,
    Erfinv,
    Exp,
    Expint,
    FloorMod,
    FresnelCos,
    FresnelSin,
    Igamma,
    Igammac,
    IgammaGradA,
    Lgamma,
    Log,
    Log1p,
    MulNoNan,
    Ndtri,
    Polygamma,
    Pow,
    Sin,
    Spence,
    Zeta,
)
from typegrad.rules import incomplete_beta
from typegrad.rules.broadcasting import sum_to_shape
from typegrad.rules.common import E, F, Gradients
from typegrad.rules.incomplete_gamma import second_derivative


def erf(scope: Scope, op: Erf[F], grad: Output[F]) -> Gradients:
    x = op.inputs.x
    return grad * (2 / math.sqrt(math.pi) * Exp.create(scope, -(x * x)))


def erfc(scope: Scope, op: Erfc[F], grad: Output[F]) -> Gradients:
    x = op.inputs.x
    return grad * (-2 / math.sqrt(math.pi) * Exp.create(scope, -(x * x)))


def lgamma(scope: Scope, op: Lgamma[F], grad: Output[F]) -> Gradients:
    return grad * Digamma.create(scope, op.inputs.x)


def digamma(scope: Scope, op: Digamma[F], grad: Output[F]) -> Gradients:
    return grad * Cast.create(scope, Polygamma.create(scope, 1, _wide(scope, op.inputs.x)), grad.dtype)


def _wide(scope: Scope, x: AnyOperand) -> AnyOperand:
    """`Polygamma` and `IgammaGradA` take no narrow floats."""
    return x if x.dtype in (TFloat32, TFloat64) else Cast.create(scope, x, TFloat32)


def polygamma(scope: Scope, op: Polygamma[E], grad: Output[E]) -> Gradients:
    return grad * Polygamma.create(scope, op.inputs.a + 1, op.inputs.x)


def erfinv(scope: Scope, op: Erfinv[F], grad: Output[F]) -> Gradients:
    return grad * (math.sqrt(math.pi) / 2 * Exp.create(scope, op * op))


def ndtri(scope: Scope, op: Ndtri[F], grad: Output[F]) -> Gradients:
    return grad * (math.sqrt(2 * math.pi) * Exp.create(scope, op * op / 2))


def dawsn(scope: Scope, op: Dawsn[F], grad: Output[F]) -> Gradients:
    """1 - 2 x y: where this is the difference of nearly equal numbers, by its asymptotic series."""
    x = op.inputs.x
    is_large = Abs.create(scope, x) > 20
    inverse = 1 / Select.create(scope, is_large, x, 20)
    u = inverse * inverse / 2
    series: int | Operand[F] = 1
    for k in range(15, 1, -2):
        series = 1 + k * u * series
    return grad * Select.create(scope, is_large, -u * series, 1 - 2 * (x * op))


def expint(scope: Scope, op: Expint[F], grad: Output[F]) -> Gradients:
    return grad * (Exp.create(scope, op.inputs.x) / op.inputs.x)


def fresnel_cos(scope: Scope, op: FresnelCos[F], grad: Output[F]) -> Gradients:
    return grad * Cast.create(scope, Cos.create(scope, _angle(scope, op.inputs.x)), grad.dtype)


def fresnel_sin(scope: Scope, op: FresnelSin[F], grad: Output[F]) -> Gradients:
    return grad * Cast.create(scope, Sin.create(scope, _angle(scope, op.inputs.x)), grad.dtype)


def _angle(scope: Scope, x: Output[F]) -> AnyOperand:
    """pi / 2 times x^2 modulo 4, in float64, where squares of narrower numbers are exact."""
    wide = Cast.create(scope, x, TFloat64)
    return math.pi / 2 * FloorMod.create(scope, wide * wide, 4)


def spence(scope: Scope, op: Spence[F], grad: Output[F]) -> Gradients:
    """ln(x) / (1 - x): near 1, where its derivatives would be differences of large numbers, by its series."""
    x = op.inputs.x
    from_one = x - 1
    is_near = Abs.create(scope, from_one) < 1 / 64
    distant = Select.create(scope, is_near, 2, x)
    series: float | Operand[F] = -1 / 10
    for k in range(9, 0, -1):
        series = -1 / k - from_one * series
    return grad * Select.create(scope, is_near, series, Log.create(scope, distant) / (1 - distant))


def igamma(scope: Scope, op: Igamma[F], grad: Output[F]) -> Gradients:
    a, x = op.inputs.a, op.inputs.x
    return lambda: grad * _slope_in_a(scope, a, x), lambda: grad * _gamma_density(scope, a, x)


def igammac(scope: Scope, op: Igammac[F], grad: Output[F]) -> Gradients:
    a, x = op.inputs.a, op.inputs.x
    return lambda: -grad * _slope_in_a(scope, a, x), lambda: -grad * _gamma_density(scope, a, x)


def _slope_in_a(scope: Scope, a: Output[F], x: Output[F]) -> Operand[F]:
    return Cast.create(scope, IgammaGradA.create(scope, _wide(scope, a), _wide(scope, x)), x.dtype)


def _gamma_density(scope: Scope, a: Operand[F], x: Operand[F]) -> Operand[F]:
    """x^(a-1) e^-x / gamma(a), which is 1 at x = 0 for a = 1."""
    is_zero = Equal.create(scope, x, 0)
    power = Select.create(scope, is_zero, 0, (a - 1) * Log.create(scope, Select.create(scope, is_zero, 1, x)))
    positive = Exp.create(scope, power - x - Lgamma.create(scope, a))
    return positive * _power_of_zero(scope, x, a - 1)


def _power_of_zero(scope: Scope, x: Operand[F], y: Operand[F]) -> Operand[F]:
    """x^y where x is 0, which has no logarithm, and 1 elsewhere."""
    return Pow.create(scope, Select.create(scope, Equal.create(scope, x, 0), x, 1), y)


def igamma_grad_a(scope: Scope, op: IgammaGradA[E], grad: Output[E]) -> Gradients:
    a, x = op.inputs.a, op.inputs.x
    return (
        lambda: grad * second_derivative(scope, a, x),
        lambda: (
            grad * MulNoNan.create(scope, Log.create(scope, x) - Digamma.create(scope, a), _gamma_density(scope, a, x))
        ),
    )


def betainc(scope: Scope, op: Betainc[E], grad: Output[E]) -> Gradients:
    """Each summed where its input is a scalar beside larger ones; in `x`, the density x^(a-1) (1-x)^(b-1) / B(a, b)."""
    a, b, x = op.inputs.a, op.inputs.b, op.inputs.x

    def of_x() -> AnyOperand:
        scale = Lgamma.create(scope, a + b) - Lgamma.create(scope, a) - Lgamma.create(scope, b)
        log_x = Log.create(scope, Select.create(scope, Equal.create(scope, x, 0), 1, x))
        log_rest = Log1p.create(scope, -Select.create(scope, Equal.create(scope, x, 1), 0, x))
        inside = Exp.create(scope, (a - 1) * log_x + (b - 1) * log_rest + scale)
        density = inside * _power_of_zero(scope, x, a - 1) * _power_of_zero(scope, 1 - x, b - 1)
        return sum_to_shape(scope, (grad * density).as_output(), x)

    def of_shape(power: Output[E]) -> AnyOperand:
        slope = incomplete_beta.slope(scope, a, b, x, in_a=power is a)
        return sum_to_shape(scope, (grad * slope).as_output(), power)

    return lambda: of_shape(a), lambda: of_shape(b), of_x


_ADDED: Final = tuple(float(k) for k in range(10))
_BERNOULLI: Final = (
    1 / 6,
    -1 / 30,
    1 / 42,
    -1 / 30,
    5 / 66,
    -691 / 2730,
    7 / 6,
    -3617 / 510,
    43867 / 798,
    -174611 / 330,
)
"""The numbers B_2, B_4 and so on."""


def zeta(scope: Scope, op: Zeta[E], grad: Output[E]) -> Gradients:
    """In `x`, the derivative of the formula of Euler and Maclaurin: ten terms, an integral, and what is between."""
    x, q = op.inputs.x, op.inputs.q

    def of_x() -> AnyOperand:
        terms = ExpandDims.create(scope, q, -1) + _ADDED
        logs = Log.create(scope, terms)
        added = Sum.create(scope, logs * Exp.create(scope, -ExpandDims.create(scope, x, -1) * logs), -1)
        end = q + len(_ADDED)
        log = Log.create(scope, end)
        power, above = Exp.create(scope, -x * log), x - 1
        rest = end * (log + 1 / above) / above + log / 2
        factor, slope = x / end, 1 / x
        for n, number in enumerate(_BERNOULLI, 1):
            rest += number / math.factorial(2 * n) * factor * (log - slope)
            factor = factor * (x + (2 * n - 1)) * (x + 2 * n) / (end * end)
            slope = slope + 1 / (x + (2 * n - 1)) + 1 / (x + 2 * n)
        return -grad * (added + power * rest)

    return of_x, lambda: -grad * x * Zeta.create(scope, x + 1, q)
