"""Gradients of `ops/special.yaml`."""

from __future__ import annotations

import math
from typing import Any

from typing_extensions import TypeVar

from typegrad.base.types import TFloat32, TFloat64, TFloating
from typegrad.graph.operand import Output
from typegrad.graph.scope import Scope
from typegrad.op.dtypes import Cast
from typegrad.op.math import Add, Digamma, Erf, Erfc, Exp, Lgamma, Mul, Neg, Polygamma, Square
from typegrad.rules.common import Gradients, scalar_like, scaled

E = TypeVar("E", bound=TFloat32 | TFloat64)
F = TypeVar("F", bound=TFloating)


def erf(scope: Scope, op: Erf[F], grad: Output[F]) -> Gradients:
    """erf'(x) = 2 / sqrt(pi) exp(-x^2)."""
    bell = Exp.create(scope, Neg.create(scope, Square.create(scope, op.inputs.x)))
    return Mul.create(scope, grad, scaled(scope, 2 / math.sqrt(math.pi), bell))


def erfc(scope: Scope, op: Erfc[F], grad: Output[F]) -> Gradients:
    """erfc'(x) = -2 / sqrt(pi) exp(-x^2)."""
    bell = Exp.create(scope, Neg.create(scope, Square.create(scope, op.inputs.x)))
    return Mul.create(scope, grad, Mul.create(scope, scalar_like(scope, -2 / math.sqrt(math.pi), bell), bell))


def lgamma(scope: Scope, op: Lgamma[F], grad: Output[F]) -> Gradients:
    """The derivative is the digamma function, by definition."""
    return Mul.create(scope, grad, Digamma.create(scope, op.inputs.x))


def digamma(scope: Scope, op: Digamma[F], grad: Output[F]) -> Gradients:
    """The derivative is the polygamma function of order 1, which takes no narrow floats."""
    x: Output[Any] = op.inputs.x
    if x.dtype not in (TFloat32, TFloat64):
        x = Cast.create(scope, x, TFloat32).as_output()
    derivative = Polygamma.create(scope, scalar_like(scope, 1, x), x)
    return Mul.create(scope, grad, Cast.create(scope, derivative, grad.dtype))


def polygamma(scope: Scope, op: Polygamma[E], grad: Output[E]) -> Gradients:
    """The derivative is the function of the next order."""
    order = Add.create(scope, op.inputs.a, scalar_like(scope, 1, grad))
    return Mul.create(scope, grad, Polygamma.create(scope, order, op.inputs.x))
