"""Gradients of `ops/division.yaml`."""

from __future__ import annotations

from typing_extensions import TypeVar

from typegrad.base.types import TComplex, TFloating
from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import OnesLike
from typegrad.op.math import (
    Div,
    DivNoNan,
    FloorDiv,
    FloorMod,
    Mod,
    Mul,
    Neg,
    RealDiv,
    Reciprocal,
    ReciprocalGrad,
    Sub,
    TruncateMod,
    Xdivy,
)
from typegrad.rules.common import Gradients, conj, scaled
from typegrad.rules.exponential import is_not_zero

F = TypeVar("F", bound=TFloating)
N = TypeVar("N", bound=TFloating | TComplex)


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


def xdivy(scope: Scope, op: Xdivy[N], grad: Output[N]) -> Gradients:
    """d(x / y) = dx / y - x / y^2 dy, both 0 where x is 0. No square is taken, because it overflows."""
    x, y = conj(scope, op.inputs.x), conj(scope, op.inputs.y)

    def over_y(x: Operand[N]) -> Operand[N]:
        return Mul.create(scope, x, Xdivy.create(scope, is_not_zero(scope, op.inputs.x), y))

    return (
        lambda: over_y(grad),
        lambda: Mul.create(scope, grad, over_y(Xdivy.create(scope, Neg.create(scope, x), y))),
    )


def floor_mod(scope: Scope, op: FloorMod[F], grad: Output[F]) -> Gradients:
    """With x mod y = x - floor(x / y) y, where the floor is piecewise constant: dx - floor(x / y) dy."""
    x, y = op.inputs.x, op.inputs.y
    return grad, lambda: Neg.create(scope, Mul.create(scope, grad, FloorDiv.create(scope, x, y)))


def truncate_mod(scope: Scope, op: TruncateMod[F] | Mod[F], grad: Output[F]) -> Gradients:
    """With z = x - q y, where q is a whole number: dz = dx - q dy, and q = (x - z) / y."""
    x, y = op.inputs.x, op.inputs.y

    def grad_y() -> Operand[F]:
        quotient = RealDiv.create(scope, Sub.create(scope, op.as_output(), x), y)
        return Mul.create(scope, grad, quotient)

    return lambda: Mul.create(scope, grad, OnesLike.create(scope, op.as_output())), grad_y


def reciprocal(scope: Scope, op: Reciprocal[N], grad: Output[N]) -> Gradients:
    """d(1 / x) = -y^2 dx, where y = 1 / x."""
    return ReciprocalGrad.create(scope, op.as_output(), grad)


def reciprocal_grad(scope: Scope, op: ReciprocalGrad[N], grad: Output[N]) -> Gradients:
    """Of z = -dy conj(y)^2."""
    y = conj(scope, op.inputs.y)

    def grad_y() -> Operand[N]:
        product = Mul.create(scope, conj(scope, grad), op.inputs.dy)
        return Mul.create(scope, scaled(scope, -2, product), y)

    return grad_y, lambda: ReciprocalGrad.create(scope, y, grad)
