"""Gradients of `ops/trigonometry.yaml`."""

from __future__ import annotations

from typing_extensions import TypeVar

from typegrad.base.types import TComplex, TFloating
from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.math import (
    Acos,
    Acosh,
    Add,
    Asin,
    Asinh,
    Atan,
    Atan2,
    Atanh,
    Cos,
    Cosh,
    Mul,
    MulNoNan,
    Neg,
    RealDiv,
    Reciprocal,
    Rsqrt,
    Sin,
    Sinh,
    Square,
    Sub,
    Tan,
    Tanh,
    TanhGrad,
)
from typegrad.rules.common import Gradients, conj, scalar_like, scaled

F = TypeVar("F", bound=TFloating)
N = TypeVar("N", bound=TFloating | TComplex)


def sin(scope: Scope, op: Sin[N], grad: Output[N]) -> Gradients:
    """sin' = cos."""
    return Mul.create(scope, grad, Cos.create(scope, conj(scope, op.inputs.x)))


def cos(scope: Scope, op: Cos[N], grad: Output[N]) -> Gradients:
    """cos' = -sin."""
    return Neg.create(scope, Mul.create(scope, grad, Sin.create(scope, conj(scope, op.inputs.x))))


def tan(scope: Scope, op: Tan[N], grad: Output[N]) -> Gradients:
    """tan' = 1 / cos^2."""
    secant = Reciprocal.create(scope, Cos.create(scope, conj(scope, op.inputs.x)))
    return Mul.create(scope, grad, Square.create(scope, secant))


def asin(scope: Scope, op: Asin[N], grad: Output[N]) -> Gradients:
    """asin'(x) = 1 / sqrt(1 - x^2)."""
    return _arc(scope, op.inputs.x, grad)


def _arc(scope: Scope, x: Output[N], grad: Output[N]) -> Operand[N]:
    square = Square.create(scope, conj(scope, x))
    return Mul.create(scope, grad, Rsqrt.create(scope, Sub.create(scope, scalar_like(scope, 1, x), square)))


def acos(scope: Scope, op: Acos[N], grad: Output[N]) -> Gradients:
    """acos' = -asin'."""
    return Neg.create(scope, _arc(scope, op.inputs.x, grad))


def atan(scope: Scope, op: Atan[N], grad: Output[N]) -> Gradients:
    """atan'(x) = 1 / (1 + x^2)."""
    square = Square.create(scope, conj(scope, op.inputs.x))
    return RealDiv.create(scope, grad, Add.create(scope, scalar_like(scope, 1, square), square))


def atan2(scope: Scope, op: Atan2[F], grad: Output[F]) -> Gradients:
    """d atan2(y, x) = (x dy - y dx) / (x^2 + y^2)."""
    y, x = op.inputs.y, op.inputs.x
    rate = RealDiv.create(scope, grad, Add.create(scope, Square.create(scope, x), Square.create(scope, y)))
    return lambda: Mul.create(scope, x, rate), lambda: Neg.create(scope, Mul.create(scope, y, rate))


def sinh(scope: Scope, op: Sinh[N], grad: Output[N]) -> Gradients:
    """sinh' = cosh, which may overflow where nothing depends on it."""
    return MulNoNan.create(scope, Cosh.create(scope, conj(scope, op.inputs.x)), grad)


def cosh(scope: Scope, op: Cosh[N], grad: Output[N]) -> Gradients:
    """cosh' = sinh, which may overflow where nothing depends on it."""
    return MulNoNan.create(scope, Sinh.create(scope, conj(scope, op.inputs.x)), grad)


def tanh(scope: Scope, op: Tanh[N], grad: Output[N]) -> Gradients:
    """tanh' = 1 - tanh^2."""
    return TanhGrad.create(scope, conj(scope, op.as_output()), grad)


def tanh_grad(scope: Scope, op: TanhGrad[N], grad: Output[N]) -> Gradients:
    """Of z = dy (1 - y^2)."""
    y = conj(scope, op.inputs.y)

    def grad_y() -> Operand[N]:
        product = Mul.create(scope, grad, conj(scope, op.inputs.dy))
        return Mul.create(scope, scaled(scope, -2, product), y)

    return grad_y, lambda: TanhGrad.create(scope, y, grad)


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
