"""Gradients of `ops/transcendental.yaml`: the gradient times the conjugate of the derivative."""

from __future__ import annotations

import math
from typing import Any

from typing_extensions import TypeVar

from typegrad.base.types import TComplex, TFloat32, TFloat64, TFloating
from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import OnesLike
from typegrad.op.dtypes import Cast
from typegrad.op.math import (
    Acos,
    Acosh,
    Add,
    Asin,
    Asinh,
    Atan,
    Atan2,
    Atanh,
    Cosh,
    Digamma,
    Erfc,
    Exp,
    Lgamma,
    Mod,
    Mul,
    MulNoNan,
    Neg,
    NotEqual,
    Polygamma,
    RealDiv,
    Rsqrt,
    Sinh,
    Square,
    Sub,
    TruncateMod,
    Xdivy,
    Xlog1py,
    Xlogy,
)
from typegrad.rules.common import Gradients, conj, scalar_like

N = TypeVar("N", bound=TFloating | TComplex)
F = TypeVar("F", bound=TFloating)
E = TypeVar("E", bound=TFloat32 | TFloat64)


def sinh(scope: Scope, op: Sinh[N], grad: Output[N]) -> Gradients:
    """sinh' = cosh, which may overflow where nothing depends on it."""
    return MulNoNan.create(scope, Cosh.create(scope, conj(scope, op.inputs.x)), grad)


def cosh(scope: Scope, op: Cosh[N], grad: Output[N]) -> Gradients:
    """cosh' = sinh, which may overflow where nothing depends on it."""
    return MulNoNan.create(scope, Sinh.create(scope, conj(scope, op.inputs.x)), grad)


def asin(scope: Scope, op: Asin[N], grad: Output[N]) -> Gradients:
    """asin'(x) = 1 / sqrt(1 - x^2)."""
    return _arc(scope, op.inputs.x, grad)


def acos(scope: Scope, op: Acos[N], grad: Output[N]) -> Gradients:
    """acos' = -asin'."""
    return Neg.create(scope, _arc(scope, op.inputs.x, grad))


def _arc(scope: Scope, x: Output[N], grad: Output[N]) -> Operand[N]:
    square = Square.create(scope, conj(scope, x))
    return Mul.create(scope, grad, Rsqrt.create(scope, Sub.create(scope, scalar_like(scope, 1, x), square)))


def atan(scope: Scope, op: Atan[N], grad: Output[N]) -> Gradients:
    """atan'(x) = 1 / (1 + x^2)."""
    square = Square.create(scope, conj(scope, op.inputs.x))
    return RealDiv.create(scope, grad, Add.create(scope, scalar_like(scope, 1, square), square))


def asinh(scope: Scope, op: Asinh[N], grad: Output[N]) -> Gradients:
    """asinh'(x) = 1 / cosh(y)."""
    return RealDiv.create(scope, grad, Cosh.create(scope, conj(scope, op.as_output())))


def acosh(scope: Scope, op: Acosh[N], grad: Output[N]) -> Gradients:
    """acosh'(x) = 1 / sinh(y)."""
    return RealDiv.create(scope, grad, Sinh.create(scope, conj(scope, op.as_output())))


def atanh(scope: Scope, op: Atanh[N], grad: Output[N]) -> Gradients:
    """atanh'(x) = 1 / (1 - x^2)."""
    square = Square.create(scope, conj(scope, op.inputs.x))
    return RealDiv.create(scope, grad, Sub.create(scope, scalar_like(scope, 1, square), square))


def atan2(scope: Scope, op: Atan2[F], grad: Output[F]) -> Gradients:
    """d atan2(y, x) = (x dy - y dx) / (x^2 + y^2)."""
    y, x = op.inputs.y, op.inputs.x
    rate = RealDiv.create(scope, grad, Add.create(scope, Square.create(scope, x), Square.create(scope, y)))
    return lambda: Mul.create(scope, x, rate), lambda: Neg.create(scope, Mul.create(scope, y, rate))


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


def xlogy(scope: Scope, op: Xlogy[N], grad: Output[N]) -> Gradients:
    """d(x log y) = log(y) dx + x / y dy, both 0 where x is 0."""
    x, y = conj(scope, op.inputs.x), conj(scope, op.inputs.y)
    return (
        lambda: Mul.create(scope, grad, Xlogy.create(scope, _is_not_zero(scope, x), y)),
        lambda: Mul.create(scope, grad, Xdivy.create(scope, x, y)),
    )


def xlog1py(scope: Scope, op: Xlog1py[N], grad: Output[N]) -> Gradients:
    """d(x log(1 + y)) = log(1 + y) dx + x / (1 + y) dy, both 0 where x is 0."""
    x, y = conj(scope, op.inputs.x), conj(scope, op.inputs.y)
    return (
        lambda: Mul.create(scope, grad, Xlog1py.create(scope, _is_not_zero(scope, x), y)),
        lambda: Mul.create(scope, grad, Xdivy.create(scope, x, Add.create(scope, y, scalar_like(scope, 1, y)))),
    )


def xdivy(scope: Scope, op: Xdivy[N], grad: Output[N]) -> Gradients:
    """d(x / y) = dx / y - x / y^2 dy, both 0 where x is 0. No square is taken, because it overflows."""
    x, y = conj(scope, op.inputs.x), conj(scope, op.inputs.y)

    def over_y(x: Operand[N]) -> Operand[N]:
        return Mul.create(scope, x, Xdivy.create(scope, _is_not_zero(scope, op.inputs.x), y))

    return (
        lambda: over_y(grad),
        lambda: Mul.create(scope, grad, over_y(Xdivy.create(scope, Neg.create(scope, x), y))),
    )


def _is_not_zero(scope: Scope, x: Operand[N]) -> Operand[N]:
    """1 where x is not 0, 0 where it is."""
    return Cast.create(scope, NotEqual.create(scope, x, scalar_like(scope, 0, x)), x.dtype)


def truncate_mod(scope: Scope, op: TruncateMod[F] | Mod[F], grad: Output[F]) -> Gradients:
    """With z = x - q y, where q is a whole number: dz = dx - q dy, and q = (x - z) / y."""
    x, y = op.inputs.x, op.inputs.y

    def grad_y() -> Operand[F]:
        quotient = RealDiv.create(scope, Sub.create(scope, op.as_output(), x), y)
        return Mul.create(scope, grad, quotient)

    return lambda: Mul.create(scope, grad, OnesLike.create(scope, op.as_output())), grad_y
