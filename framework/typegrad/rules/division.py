"""Gradients of `ops/division.yaml`."""

from __future__ import annotations

from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import OnesLike
from typegrad.op.math import (
    Div,
    DivNoNan,
    ElementwiseInv,
    FloorMod,
    Mod,
    RealDiv,
    Reciprocal,
    ReciprocalGrad,
    TruncateMod,
    Xdivy,
)
from typegrad.op.nn import InvGrad
from typegrad.rules.broadcasting import negative_sum_to_known_shape
from typegrad.rules.common import F, Gradients, N, conj
from typegrad.rules.exponential import is_not_zero


def div(scope: Scope, op: Div[N] | RealDiv[N], grad: Output[N]) -> Gradients:
    """The quotient is divided once more, not the gradient: where x is 0, so is the gradient, however small y is."""
    y = conj(op.inputs.y)
    return lambda: grad / y, lambda: negative_sum_to_known_shape(scope, grad * (conj(op) / y), op.inputs.y)


def div_no_nan(scope: Scope, op: DivNoNan[N], grad: Output[N]) -> Gradients:
    """The quotient is negated, not the product, which has the sign of the gradient where `y` is 0."""
    y = conj(op.inputs.y)
    return lambda: DivNoNan.create(scope, grad, y), lambda: grad * DivNoNan.create(scope, -conj(op), y)


def xdivy(scope: Scope, op: Xdivy[N], grad: Output[N]) -> Gradients:
    """Both gradients are 0 where `x` is 0. There is no square of `y`, which could overflow."""
    x, y = conj(op.inputs.x), conj(op.inputs.y)

    def over_y(numerator: Operand[N]) -> Operand[N]:
        return numerator * Xdivy.create(scope, is_not_zero(scope, x), y)

    return lambda: over_y(grad), lambda: grad * over_y(Xdivy.create(scope, -x, y))


def floor_mod(scope: Scope, op: FloorMod[F], grad: Output[F]) -> Gradients:
    return grad, lambda: -(grad * (op.inputs.x // op.inputs.y))


def truncate_mod(scope: Scope, op: TruncateMod[F] | Mod[F], grad: Output[F]) -> Gradients:
    x, y = op.inputs.x, op.inputs.y
    return lambda: grad * OnesLike.create(scope, op), lambda: grad * ((op - x) / y)


def reciprocal(scope: Scope, op: Reciprocal[N] | ElementwiseInv[N], grad: Output[N]) -> Gradients:
    return ReciprocalGrad.create(scope, op, grad)


def reciprocal_grad(scope: Scope, op: ReciprocalGrad[N] | InvGrad[N], grad: Output[N]) -> Gradients:
    y = conj(op.inputs.y)
    return lambda: -2 * (conj(grad) * op.inputs.dy) * y, lambda: ReciprocalGrad.create(scope, y, grad)
