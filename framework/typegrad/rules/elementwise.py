"""Gradients of `ops/elementwise.yaml`: the gradient times the conjugate of the derivative."""

from __future__ import annotations

import math

from typing_extensions import TypeVar

from typegrad.base.types import TComplex, TFloating
from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.math import (
    Add,
    Conj,
    Cos,
    Erf,
    Exp,
    Expm1,
    Log,
    Log1p,
    Mul,
    Neg,
    RealDiv,
    Reciprocal,
    ReciprocalGrad,
    Rsqrt,
    RsqrtGrad,
    Sigmoid,
    SigmoidGrad,
    Sin,
    Softplus,
    SoftplusGrad,
    Sqrt,
    SqrtGrad,
    Square,
    Sub,
    Tan,
    Tanh,
    TanhGrad,
)
from typegrad.rules.common import Gradients, conj, scalar_like

N = TypeVar("N", bound=TFloating | TComplex)
C = TypeVar("C", bound=TComplex)
F = TypeVar("F", bound=TFloating)


def _times(scope: Scope, factor: float, x: Operand[N]) -> Operand[N]:
    return Mul.create(scope, scalar_like(scope, factor, x), x)


def conj_gradient(scope: Scope, op: Conj[C], grad: Output[C]) -> Gradients:
    """The conjugate of the gradient."""
    return Conj.create(scope, grad)


def exp(scope: Scope, op: Exp[N], grad: Output[N]) -> Gradients:
    """exp' = exp."""
    return Mul.create(scope, grad, conj(scope, op.as_output()))


def expm1(scope: Scope, op: Expm1[N], grad: Output[N]) -> Gradients:
    """(exp(x) - 1)' = exp(x)."""
    return Mul.create(scope, grad, Exp.create(scope, conj(scope, op.inputs.x)))


def log(scope: Scope, op: Log[N], grad: Output[N]) -> Gradients:
    """log'(x) = 1 / x."""
    return Mul.create(scope, grad, Reciprocal.create(scope, conj(scope, op.inputs.x)))


def log1p(scope: Scope, op: Log1p[N], grad: Output[N]) -> Gradients:
    """log(1 + x)' = 1 / (1 + x)."""
    x = conj(scope, op.inputs.x)
    return RealDiv.create(scope, grad, Add.create(scope, scalar_like(scope, 1, x), x))


def sqrt(scope: Scope, op: Sqrt[N], grad: Output[N]) -> Gradients:
    """sqrt'(x) = 1 / (2 sqrt(x))."""
    return SqrtGrad.create(scope, op.as_output(), grad)


def sqrt_grad(scope: Scope, op: SqrtGrad[N], grad: Output[N]) -> Gradients:
    """Of z = dy / (2 conj(y)): with g = grad / y, the gradients are -conj(g) z and g / 2."""
    ratio = RealDiv.create(scope, grad, op.inputs.y)

    def grad_y() -> Operand[N]:
        return Neg.create(scope, Mul.create(scope, conj(scope, ratio), op.as_output()))

    return grad_y, lambda: _times(scope, 0.5, ratio)


def rsqrt(scope: Scope, op: Rsqrt[N], grad: Output[N]) -> Gradients:
    """The derivative of y = x^(-1/2) is -y^3 / 2."""
    return RsqrtGrad.create(scope, op.as_output(), grad)


def rsqrt_grad(scope: Scope, op: RsqrtGrad[N], grad: Output[N]) -> Gradients:
    """Of z = -dy conj(y)^3 / 2."""
    y = conj(scope, op.inputs.y)

    def grad_y() -> Operand[N]:
        product = Mul.create(scope, conj(scope, grad), op.inputs.dy)
        return Mul.create(scope, _times(scope, -1.5, product), Square.create(scope, y))

    return grad_y, lambda: RsqrtGrad.create(scope, y, grad)


def reciprocal_grad(scope: Scope, op: ReciprocalGrad[N], grad: Output[N]) -> Gradients:
    """Of z = -dy conj(y)^2."""
    y = conj(scope, op.inputs.y)

    def grad_y() -> Operand[N]:
        product = Mul.create(scope, conj(scope, grad), op.inputs.dy)
        return Mul.create(scope, _times(scope, -2, product), y)

    return grad_y, lambda: ReciprocalGrad.create(scope, y, grad)


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


def tanh(scope: Scope, op: Tanh[N], grad: Output[N]) -> Gradients:
    """tanh' = 1 - tanh^2."""
    return TanhGrad.create(scope, conj(scope, op.as_output()), grad)


def tanh_grad(scope: Scope, op: TanhGrad[N], grad: Output[N]) -> Gradients:
    """Of z = dy (1 - y^2)."""
    y = conj(scope, op.inputs.y)

    def grad_y() -> Operand[N]:
        product = Mul.create(scope, grad, conj(scope, op.inputs.dy))
        return Mul.create(scope, _times(scope, -2, product), y)

    return grad_y, lambda: TanhGrad.create(scope, y, grad)


def sigmoid(scope: Scope, op: Sigmoid[N], grad: Output[N]) -> Gradients:
    """The derivative of the sigmoid y is y (1 - y)."""
    return SigmoidGrad.create(scope, conj(scope, op.as_output()), grad)


def sigmoid_grad(scope: Scope, op: SigmoidGrad[N], grad: Output[N]) -> Gradients:
    """Of z = dy y (1 - y)."""
    y = conj(scope, op.inputs.y)

    def grad_y() -> Operand[N]:
        product = Mul.create(scope, grad, conj(scope, op.inputs.dy))
        return Sub.create(scope, product, _times(scope, 2, Mul.create(scope, product, y)))

    return grad_y, lambda: SigmoidGrad.create(scope, y, grad)


def softplus(scope: Scope, op: Softplus[F], grad: Output[F]) -> Gradients:
    """The derivative of the softplus is the sigmoid."""
    return SoftplusGrad.create(scope, grad, op.inputs.features)


def softplus_grad(scope: Scope, op: SoftplusGrad[F], grad: Output[F]) -> Gradients:
    """Of z = gradients sigmoid(features)."""
    gradients, features = op.inputs.gradients, op.inputs.features

    def grad_features() -> Operand[F]:
        return SigmoidGrad.create(scope, Sigmoid.create(scope, features), Mul.create(scope, grad, gradients))

    return lambda: SoftplusGrad.create(scope, grad, features), grad_features


def erf(scope: Scope, op: Erf[F], grad: Output[F]) -> Gradients:
    """erf'(x) = 2 / sqrt(pi) exp(-x^2)."""
    bell = Exp.create(scope, Neg.create(scope, Square.create(scope, op.inputs.x)))
    return Mul.create(scope, grad, _times(scope, 2 / math.sqrt(math.pi), bell))
