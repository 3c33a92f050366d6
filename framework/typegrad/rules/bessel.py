"""Gradients of `ops/bessel.yaml`."""

from __future__ import annotations

from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import Select
from typegrad.op.math import BesselI0, BesselI0e, BesselI1, BesselI1e, Equal, Sign
from typegrad.rules.common import F, Gradients


def bessel_i0(scope: Scope, op: BesselI0[F], grad: Output[F]) -> Gradients:
    return grad * BesselI1.create(scope, op.inputs.x)


def bessel_i0e(scope: Scope, op: BesselI0e[F], grad: Output[F]) -> Gradients:
    x = op.inputs.x
    return grad * (BesselI1e.create(scope, x) - Sign.create(scope, x) * op)


def bessel_i1(scope: Scope, op: BesselI1[F], grad: Output[F]) -> Gradients:
    x = op.inputs.x
    return grad * (BesselI0.create(scope, x) - _quotient(scope, op, x))


def bessel_i1e(scope: Scope, op: BesselI1e[F], grad: Output[F]) -> Gradients:
    x = op.inputs.x
    return grad * (BesselI0e.create(scope, x) - Sign.create(scope, x) * op - _quotient(scope, op, x))


def _quotient(scope: Scope, y: Operand[F], x: Operand[F]) -> Operand[F]:
    """y / x, and its limit 1/2 at x = 0; it is differentiable there, too."""
    at_zero = Equal.create(scope, x, 0)
    return Select.create(scope, at_zero, 0.5, y / Select.create(scope, at_zero, 1, x))
