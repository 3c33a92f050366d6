"""Gradients of `ops/bessel.yaml`."""

from __future__ import annotations

from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import Select
from typegrad.op.math import (
    Abs,
    BesselI0,
    BesselI0e,
    BesselI1,
    BesselI1e,
    BesselJ0,
    BesselJ1,
    BesselK0,
    BesselK0e,
    BesselK1,
    BesselK1e,
    BesselY0,
    BesselY1,
    Equal,
    Sign,
)
from typegrad.rules.common import F, Gradients


def bessel_i0(scope: Scope, op: BesselI0[F], grad: Output[F]) -> Gradients:
    return grad * BesselI1.create(scope, op.inputs.x)


def bessel_i0e(scope: Scope, op: BesselI0e[F], grad: Output[F]) -> Gradients:
    x = op.inputs.x
    return grad * (BesselI1e.create(scope, x) - Sign.create(scope, x) * op)


def bessel_i1(scope: Scope, op: BesselI1[F], grad: Output[F]) -> Gradients:
    x = op.inputs.x
    return grad * (BesselI0.create(scope, x) - _quotient(scope, op, x, 0.5))


def bessel_i1e(scope: Scope, op: BesselI1e[F], grad: Output[F]) -> Gradients:
    x = op.inputs.x
    quotient = _quotient(scope, op, x, 0.5 - Abs.create(scope, x) / 2)
    return grad * (BesselI0e.create(scope, x) - Sign.create(scope, x) * op - quotient)


def bessel_j0(scope: Scope, op: BesselJ0[F], grad: Output[F]) -> Gradients:
    return -grad * BesselJ1.create(scope, op.inputs.x)


def bessel_j1(scope: Scope, op: BesselJ1[F], grad: Output[F]) -> Gradients:
    x = op.inputs.x
    return grad * (BesselJ0.create(scope, x) - _quotient(scope, op, x, 0.5))


def bessel_y0(scope: Scope, op: BesselY0[F], grad: Output[F]) -> Gradients:
    return -grad * BesselY1.create(scope, op.inputs.x)


def bessel_y1(scope: Scope, op: BesselY1[F], grad: Output[F]) -> Gradients:
    x = op.inputs.x
    return grad * (BesselY0.create(scope, x) - op / x)


def bessel_k0(scope: Scope, op: BesselK0[F], grad: Output[F]) -> Gradients:
    return -grad * BesselK1.create(scope, op.inputs.x)


def bessel_k0e(scope: Scope, op: BesselK0e[F], grad: Output[F]) -> Gradients:
    return grad * (op - BesselK1e.create(scope, op.inputs.x))


def bessel_k1(scope: Scope, op: BesselK1[F], grad: Output[F]) -> Gradients:
    x = op.inputs.x
    return -grad * (BesselK0.create(scope, x) + op / x)


def bessel_k1e(scope: Scope, op: BesselK1e[F], grad: Output[F]) -> Gradients:
    x = op.inputs.x
    return grad * (op * (1 - 1 / x) - BesselK0e.create(scope, x))


def _quotient(scope: Scope, y: Operand[F], x: Operand[F], near_zero: Operand[F] | float) -> Operand[F]:
    """y / x, and its limit where x is so near to 0 that derivatives of the quotient have no digits."""
    is_near = Equal.create(scope, 1 + x * x, 1)
    return Select.create(scope, is_near, near_zero, y / Select.create(scope, is_near, 1, x))
