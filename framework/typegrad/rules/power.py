"""Gradients of `ops/power.yaml`."""

from __future__ import annotations

from typegrad.base.types import TBool, TComplex
from typegrad.graph.operand import AnyOperand, Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import Select
from typegrad.op.math import (
    Log,
    MulNoNan,
    NotEqual,
    Pow,
    Rsqrt,
    RsqrtGrad,
    Sqrt,
    SqrtGrad,
    Square,
    SquaredDifference,
)
from typegrad.rules.common import Gradients, N, conj


def pow(scope: Scope, op: Pow[N], grad: Output[N]) -> Gradients:
    """The gradient of `x` is 0 where `y` is 0; the gradient of `y` is 0 where `x` has no logarithm."""
    x, y = conj(op.inputs.x), conj(op.inputs.y)

    def log_x() -> Operand[N]:
        return Log.create(scope, Select.create(scope, _has_log(scope, x), x, 1))

    return lambda: grad * MulNoNan.create(scope, x ** (y - 1), y), lambda: grad * conj(op) * log_x()


def _has_log(scope: Scope, x: AnyOperand) -> Operand[TBool]:
    return NotEqual.create(scope, x, 0) if issubclass(x.dtype, TComplex) else x > 0


def square(scope: Scope, op: Square[N], grad: Output[N]) -> Gradients:
    return grad * (2 * conj(op.inputs.x))


def squared_difference(scope: Scope, op: SquaredDifference[N], grad: Output[N]) -> Gradients:
    """The squared length of a difference is real: only the real part of the gradient counts."""
    x, y = op.inputs.x, op.inputs.y
    return lambda: (grad + conj(grad)) * (x - y), lambda: -((grad + conj(grad)) * (x - y))


def sqrt(scope: Scope, op: Sqrt[N], grad: Output[N]) -> Gradients:
    return SqrtGrad.create(scope, op, grad)


def sqrt_grad(scope: Scope, op: SqrtGrad[N], grad: Output[N]) -> Gradients:
    ratio = grad / op.inputs.y
    return lambda: -(conj(ratio) * op), lambda: 0.5 * ratio


def rsqrt(scope: Scope, op: Rsqrt[N], grad: Output[N]) -> Gradients:
    return RsqrtGrad.create(scope, op, grad)


def rsqrt_grad(scope: Scope, op: RsqrtGrad[N], grad: Output[N]) -> Gradients:
    y = conj(op.inputs.y)
    return lambda: -1.5 * (conj(grad) * op.inputs.dy) * (y * y), lambda: RsqrtGrad.create(scope, y, grad)
