"""Gradients of `ops/power.yaml`."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypeVar

from typegrad.base.types import TBool, TComplex, TFloating
from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import Select
from typegrad.op.math import (
    Add,
    Greater,
    Log,
    Mul,
    MulNoNan,
    Neg,
    NotEqual,
    Pow,
    RealDiv,
    Rsqrt,
    RsqrtGrad,
    Sqrt,
    SqrtGrad,
    Square,
    SquaredDifference,
    Sub,
)
from typegrad.rules.common import Gradients, conj, scalar_like, scaled

N = TypeVar("N", bound=TFloating | TComplex)


def pow(scope: Scope, op: Pow[N], grad: Output[N]) -> Gradients:
    """d(x^y) = y x^(y - 1) dx + x^y log(x) dy.

    Both terms are kept from being nan at x = 0: the first is 0 if y is 0, and the logarithm where it has no value.
    """
    x, y = conj(scope, op.inputs.x), conj(scope, op.inputs.y)

    def grad_x() -> Operand[N]:
        power = Pow.create(scope, x, Sub.create(scope, y, scalar_like(scope, 1, y)))
        return Mul.create(scope, grad, MulNoNan.create(scope, power, y))

    def grad_y() -> Operand[N]:
        one = scalar_like(scope, 1, x)
        log = Log.create(scope, Select.create(scope, _has_log(scope, x), x, one))
        return Mul.create(scope, Mul.create(scope, grad, conj(scope, op.as_output())), log)

    return grad_x, grad_y


def _has_log(scope: Scope, x: Operand[Any]) -> Operand[TBool]:
    zero = scalar_like(scope, 0, x)
    return NotEqual.create(scope, x, zero) if issubclass(x.dtype, TComplex) else Greater.create(scope, x, zero)


def square(scope: Scope, op: Square[N], grad: Output[N]) -> Gradients:
    """d(x^2) = 2 x dx."""
    x = conj(scope, op.inputs.x)
    return Mul.create(scope, grad, Mul.create(scope, scalar_like(scope, 2, x), x))


def squared_difference(scope: Scope, op: SquaredDifference[N], grad: Output[N]) -> Gradients:
    """d|x - y|^2 = 2 (x - y) (dx - dy); of the gradient g only the real part counts, (g + conj(g)) / 2."""
    x, y = op.inputs.x, op.inputs.y

    def grad_x() -> Operand[N]:
        return Mul.create(scope, Add.create(scope, grad, conj(scope, grad)), Sub.create(scope, x, y))

    return grad_x, lambda: Neg.create(scope, grad_x())


def sqrt(scope: Scope, op: Sqrt[N], grad: Output[N]) -> Gradients:
    """sqrt'(x) = 1 / (2 sqrt(x))."""
    return SqrtGrad.create(scope, op.as_output(), grad)


def sqrt_grad(scope: Scope, op: SqrtGrad[N], grad: Output[N]) -> Gradients:
    """Of z = dy / (2 conj(y)): with g = grad / y, the gradients are -conj(g) z and g / 2."""
    ratio = RealDiv.create(scope, grad, op.inputs.y)

    def grad_y() -> Operand[N]:
        return Neg.create(scope, Mul.create(scope, conj(scope, ratio), op.as_output()))

    return grad_y, lambda: scaled(scope, 0.5, ratio)


def rsqrt(scope: Scope, op: Rsqrt[N], grad: Output[N]) -> Gradients:
    """The derivative of y = x^(-1/2) is -y^3 / 2."""
    return RsqrtGrad.create(scope, op.as_output(), grad)


def rsqrt_grad(scope: Scope, op: RsqrtGrad[N], grad: Output[N]) -> Gradients:
    """Of z = -dy conj(y)^3 / 2."""
    y = conj(scope, op.inputs.y)

    def grad_y() -> Operand[N]:
        product = Mul.create(scope, conj(scope, grad), op.inputs.dy)
        return Mul.create(scope, scaled(scope, -1.5, product), Square.create(scope, y))

    return grad_y, lambda: RsqrtGrad.create(scope, y, grad)
