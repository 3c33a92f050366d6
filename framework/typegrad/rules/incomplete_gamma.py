"""The second derivative of the regularized incomplete gamma function P(a, x) in `a`.

Where s is x e^u, ds is s du, and the density at s, divided by x times the density at x, is e^(a u - x (e^u - 1)) / s.
Its second derivative in `a` is the density times (log s - digamma(a))^2 - polygamma(1, a). P is an integral from u = 0
down, and 1 - P one from u = 0 up; the smaller one keeps its digits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from typegrad.base.quadrature import NODES, WEIGHTS
from typegrad.base.types import TFloat64
from typegrad.graph.operand import AnyOperand, Operand
from typegrad.graph.scope import Scope
from typegrad.op.core import Constant, ExpandDims, Select, StopGradient, Sum
from typegrad.op.dtypes import Cast
from typegrad.op.math import (
    Digamma,
    Equal,
    Exp,
    Expm1,
    IsInf,
    Less,
    Lgamma,
    Log,
    LogicalOr,
    Minimum,
    Polygamma,
    Sqrt,
)

__all__ = ["sample_derivative", "second_derivative"]

_Wide: TypeAlias = Operand[TFloat64]

_BEYOND: Final = 700.0
"""The largest number whose exponential is finite, about."""


def second_derivative(scope: Scope, a: AnyOperand, x: AnyOperand) -> AnyOperand:
    """The second derivative of P; 0 where `x` is 0 or a number is infinite.

    Its error is about 1e-11 for an `a` of 0.1 or more, relative to the larger one of its terms.
    """

    def derivative(a: _Wide, x: _Wide) -> _Wide:
        power = Exp.create(scope, a * Log.create(scope, x) - x - Lgamma.create(scope, a))
        return power * _integral(scope, a, x, is_sample=False)

    return _inside(scope, a, x, derivative)


def sample_derivative(scope: Scope, a: AnyOperand, x: AnyOperand) -> AnyOperand:
    """The derivative in `a` of the first derivative of P, divided by the density, negative; 0 at the same limits."""
    return _inside(scope, a, x, lambda a, x: -x * _integral(scope, a, x, is_sample=True))


def _inside(scope: Scope, a: AnyOperand, x: AnyOperand, function: Callable[[_Wide, _Wide], _Wide]) -> AnyOperand:
    """The function in float64, and 0 at the limits."""
    shape, limit = (Cast.create(scope, each, TFloat64) for each in (a, x))
    is_limit = LogicalOr.create(scope, Equal.create(scope, limit, 0), IsInf.create(scope, shape + limit))
    zero, one = (Constant.create(scope, number, TFloat64) for number in (0, 1))
    values = function(shape, Select.create(scope, is_limit, one, limit))
    return Cast.create(scope, Select.create(scope, is_limit, zero, values), x.dtype)


def _integral(scope: Scope, a: _Wide, x: _Wide, *, is_sample: bool) -> _Wide:
    """The second derivative divided by x times the density.

    Of a sample, less its product with the derivative of the density's logarithm, which cancels most of it.
    """
    is_left = Less.create(scope, x, a)
    side = Select.create(scope, is_left, *(Constant.create(scope, number, TFloat64) for number in (-1, 1)))
    root = Sqrt.create(scope, x)
    width = StopGradient.create(
        scope, 1 / ((x - a) * side + Select.create(scope, is_left, Minimum.create(scope, x, root), root))
    )
    slope = Log.create(scope, x) - Digamma.create(scope, a)
    shape, limit, scale, start, spread = (
        ExpandDims.create(scope, each, -1) for each in (a, x, width * side, slope, Polygamma.create(scope, 1, a))
    )
    u = Minimum.create(scope, scale * NODES, _BEYOND)
    terms = (start + u) * (u if is_sample else start + u) - spread
    values = terms * Exp.create(scope, shape * u - limit * Expm1.create(scope, u))
    return -side * width * Sum.create(scope, values * WEIGHTS, -1)
