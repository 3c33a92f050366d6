"""Gradients of `ops/arithmetic.yaml`. Sums over broadcast dimensions are the caller's business."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typing_extensions import TypeVar

from typegrad.base.types import TBool, TComplex, TFloating
from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import Select
from typegrad.op.math import (
    Abs,
    Add,
    AddN,
    AddV2,
    Div,
    DivNoNan,
    FloorDiv,
    FloorMod,
    Greater,
    GreaterEqual,
    LessEqual,
    Log,
    Maximum,
    Minimum,
    Mul,
    MulNoNan,
    Neg,
    NotEqual,
    Pow,
    RealDiv,
    Reciprocal,
    ReciprocalGrad,
    Sign,
    Square,
    SquaredDifference,
    Sub,
)
from typegrad.rules.common import Gradient, Gradients, conj, scalar_like

N = TypeVar("N", bound=TFloating | TComplex)
F = TypeVar("F", bound=TFloating)


def add(scope: Scope, op: Add[N] | AddV2[N], grad: Output[N]) -> Gradients:
    """d(x + y) = dx + dy."""
    return grad, grad


def add_n(scope: Scope, op: AddN[N], grad: Output[N]) -> Sequence[Gradient]:
    """Every term has the gradient of the sum."""
    return [grad] * len(op.inputs.inputs)


def sub(scope: Scope, op: Sub[N], grad: Output[N]) -> Gradients:
    """d(x - y) = dx - dy."""
    return grad, lambda: Neg.create(scope, grad)


def mul(scope: Scope, op: Mul[N], grad: Output[N]) -> Gradients:
    """d(x y) = y dx + x dy."""
    x, y = op.inputs.x, op.inputs.y
    return lambda: Mul.create(scope, grad, conj(scope, y)), lambda: Mul.create(scope, grad, conj(scope, x))


def mul_no_nan(scope: Scope, op: MulNoNan[N], grad: Output[N]) -> Gradients:
    """As for a product; nothing flows where a factor that decides is 0: y for dx, the gradient for dy."""
    x, y = op.inputs.x, op.inputs.y
    return lambda: MulNoNan.create(scope, grad, conj(scope, y)), lambda: MulNoNan.create(scope, conj(scope, x), grad)


def div(scope: Scope, op: Div[N] | RealDiv[N], grad: Output[N]) -> Gradients:
    """d(x / y) = dx / y - (z / y) dy, where z = x / y."""
    y = op.inputs.y

    def grad_y() -> Operand[N]:
        return Neg.create(
            scope, Mul.create(scope, grad, RealDiv.create(scope, conj(scope, op.as_output()), conj(scope, y)))
        )

    return lambda: RealDiv.create(scope, grad, conj(scope, y)), grad_y


def div_no_nan(scope: Scope, op: DivNoNan[N], grad: Output[N]) -> Gradients:
    """As for a division, and 0 where the divisor is 0."""
    y = op.inputs.y

    def grad_y() -> Operand[N]:
        return Neg.create(
            scope, Mul.create(scope, grad, DivNoNan.create(scope, conj(scope, op.as_output()), conj(scope, y)))
        )

    return lambda: DivNoNan.create(scope, grad, conj(scope, y)), grad_y


def floor_mod(scope: Scope, op: FloorMod[F], grad: Output[F]) -> Gradients:
    """With x mod y = x - floor(x / y) y, where the floor is piecewise constant: dx - floor(x / y) dy."""
    x, y = op.inputs.x, op.inputs.y
    return grad, lambda: Neg.create(scope, Mul.create(scope, grad, FloorDiv.create(scope, x, y)))


def abs(scope: Scope, op: Abs[F], grad: Output[F]) -> Gradients:
    """d|x| = sign(x) dx, 0 at 0."""
    return Mul.create(scope, grad, Sign.create(scope, op.inputs.x))


def neg(scope: Scope, op: Neg[N], grad: Output[N]) -> Gradients:
    """d(-x) = -dx."""
    return Neg.create(scope, grad)


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


def reciprocal(scope: Scope, op: Reciprocal[N], grad: Output[N]) -> Gradients:
    """d(1 / x) = -y^2 dx, where y = 1 / x."""
    return ReciprocalGrad.create(scope, op.as_output(), grad)


def maximum(scope: Scope, op: Maximum[F], grad: Output[F]) -> Gradients:
    """All goes to the larger input, to x if they are equal."""
    return _chosen(scope, GreaterEqual.create(scope, op.inputs.x, op.inputs.y), grad)


def minimum(scope: Scope, op: Minimum[F], grad: Output[F]) -> Gradients:
    """All goes to the smaller input, to x if they are equal."""
    return _chosen(scope, LessEqual.create(scope, op.inputs.x, op.inputs.y), grad)


def _chosen(scope: Scope, is_x: Operand[TBool], grad: Output[F]) -> Gradients:
    zero = scalar_like(scope, 0, grad)
    return lambda: Select.create(scope, is_x, grad, zero), lambda: Select.create(scope, is_x, zero, grad)
