"""The derivatives of the regularized incomplete beta function I_x(a, b) in `a` and `b`.

Where t is the logistic function of s, the density at s is t^a (1-t)^b / B(a, b). Its derivative in `a` is the density
times log t - digamma(a) + digamma(a + b); in `b`, 1 - t takes the place of t. I is an integral from s = log(x/(1-x))
down, and 1 - I one up, which is the same as the first with `a` and `b` exchanged; the smaller one keeps its digits.
"""

from __future__ import annotations

from typing import TypeAlias

from typegrad.base.quadrature import NODES, WEIGHTS
from typegrad.base.types import TFloat64
from typegrad.graph.operand import AnyOperand, Operand
from typegrad.graph.scope import Scope
from typegrad.op.core import Constant, ExpandDims, Select, StopGradient, Sum
from typegrad.op.dtypes import Cast
from typegrad.op.math import Digamma, Equal, Exp, Expm1, Less, Lgamma, Log, Log1p, LogicalOr, Minimum, Sqrt

__all__ = ["slope"]

_Wide: TypeAlias = Operand[TFloat64]


def slope(scope: Scope, a: AnyOperand, b: AnyOperand, x: AnyOperand, *, in_a: bool) -> AnyOperand:
    """The derivative of I in `a` or in `b`; 0 where `x` is 0 or 1.

    Its relative error is about 1e-12 for an `a` and `b` from 0.05 to 1000.
    """
    first, second, limit = (Cast.create(scope, each, TFloat64) for each in (a, b, x))
    is_limit = LogicalOr.create(scope, Equal.create(scope, limit, 0), Equal.create(scope, limit, 1))
    zero, half = (Constant.create(scope, number, TFloat64) for number in (0, 0.5))
    values = _inside(scope, first, second, Select.create(scope, is_limit, half, limit), in_a=in_a)
    return Cast.create(scope, Select.create(scope, is_limit, zero, values), x.dtype)


def _inside(scope: Scope, a: _Wide, b: _Wide, x: _Wide, *, in_a: bool) -> _Wide:
    both = a + b
    is_left = Less.create(scope, x * both, a)
    near, far = Select.create(scope, is_left, a, b), Select.create(scope, is_left, b, a)
    z = Select.create(scope, is_left, x, 1 - x)
    spread = Sqrt.create(scope, both * z * (1 - z))
    width = StopGradient.create(scope, 1 / (near - both * z + Minimum.create(scope, both * z, spread)))
    step = ExpandDims.create(scope, -width, -1) * NODES
    remaining = -Log1p.create(scope, ExpandDims.create(scope, z, -1) * Expm1.create(scope, step))
    left, right = Log.create(scope, x), Log1p.create(scope, -x)
    own, power = (left, a) if in_a else (right, b)
    start = own - Digamma.create(scope, power) + Digamma.create(scope, both)
    is_moved = ExpandDims.create(scope, is_left if in_a else ~is_left, -1)
    score = ExpandDims.create(scope, start, -1) + remaining + Select.create(scope, is_moved, step, 0)
    ratio = Exp.create(
        scope, ExpandDims.create(scope, near, -1) * (step + remaining) + ExpandDims.create(scope, far, -1) * remaining
    )
    scale = Lgamma.create(scope, both) - Lgamma.create(scope, a) - Lgamma.create(scope, b)
    density = Exp.create(scope, a * left + b * right + scale)
    return Select.create(scope, is_left, density, -density) * width * Sum.create(scope, score * ratio * WEIGHTS, -1)
