"""Gradients of `ops/trigonometry.yaml`."""

from __future__ import annotations

from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.math import (
    Acos,
    Acosh,
    Asin,
    Asinh,
    Atan,
    Atan2,
    Atanh,
    Cos,
    Cosh,
    MulNoNan,
    Reciprocal,
    Rsqrt,
    Sin,
    Sinh,
    Tan,
    Tanh,
    TanhGrad,
)
from typegrad.rules.common import F, Gradients, N, conj


def sin(scope: Scope, op: Sin[N], grad: Output[N]) -> Gradients:
    return grad * Cos.create(scope, conj(op.inputs.x))


def cos(scope: Scope, op: Cos[N], grad: Output[N]) -> Gradients:
    return -(grad * Sin.create(scope, conj(op.inputs.x)))


def tan(scope: Scope, op: Tan[N], grad: Output[N]) -> Gradients:
    secant = Reciprocal.create(scope, Cos.create(scope, conj(op.inputs.x)))
    return grad * (secant * secant)


def asin(scope: Scope, op: Asin[N], grad: Output[N]) -> Gradients:
    return grad * _slope_of_asin(scope, conj(op.inputs.x))


def acos(scope: Scope, op: Acos[N], grad: Output[N]) -> Gradients:
    return -(grad * _slope_of_asin(scope, conj(op.inputs.x)))


def _slope_of_asin(scope: Scope, x: Operand[N]) -> Operand[N]:
    return Rsqrt.create(scope, 1 - x * x)


def atan(scope: Scope, op: Atan[N], grad: Output[N]) -> Gradients:
    x = conj(op.inputs.x)
    return grad / (1 + x * x)


def atan2(scope: Scope, op: Atan2[F], grad: Output[F]) -> Gradients:
    y, x = op.inputs.y, op.inputs.x
    rate = grad / (x * x + y * y)
    return lambda: x * rate, lambda: -(y * rate)


def sinh(scope: Scope, op: Sinh[N], grad: Output[N]) -> Gradients:
    """cosh may overflow where nothing depends on it."""
    return MulNoNan.create(scope, Cosh.create(scope, conj(op.inputs.x)), grad)


def cosh(scope: Scope, op: Cosh[N], grad: Output[N]) -> Gradients:
    """sinh may overflow where nothing depends on it."""
    return MulNoNan.create(scope, Sinh.create(scope, conj(op.inputs.x)), grad)


def tanh(scope: Scope, op: Tanh[N], grad: Output[N]) -> Gradients:
    return TanhGrad.create(scope, conj(op), grad)


def tanh_grad(scope: Scope, op: TanhGrad[N], grad: Output[N]) -> Gradients:
    y = conj(op.inputs.y)
    return lambda: -2 * (grad * conj(op.inputs.dy)) * y, lambda: TanhGrad.create(scope, y, grad)


def asinh(scope: Scope, op: Asinh[N], grad: Output[N]) -> Gradients:
    return grad / Cosh.create(scope, conj(op))


def acosh(scope: Scope, op: Acosh[N], grad: Output[N]) -> Gradients:
    return grad / Sinh.create(scope, conj(op))


def atanh(scope: Scope, op: Atanh[N], grad: Output[N]) -> Gradients:
    x = conj(op.inputs.x)
    return grad / (1 - x * x)
