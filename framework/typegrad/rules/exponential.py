"""Gradients of `ops/exponential.yaml`."""

from __future__ import annotations

from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.dtypes import Cast
from typegrad.op.math import Exp, Expm1, Log, Log1p, NotEqual, Reciprocal, Xdivy, Xlog1py, Xlogy
from typegrad.rules.common import Gradients, N, conj


def exp(scope: Scope, op: Exp[N], grad: Output[N]) -> Gradients:
    return grad * conj(op)


def expm1(scope: Scope, op: Expm1[N], grad: Output[N]) -> Gradients:
    return grad * Exp.create(scope, conj(op.inputs.x))


def log(scope: Scope, op: Log[N], grad: Output[N]) -> Gradients:
    return grad * Reciprocal.create(scope, conj(op.inputs.x))


def log1p(scope: Scope, op: Log1p[N], grad: Output[N]) -> Gradients:
    return grad / (1 + conj(op.inputs.x))


def xlogy(scope: Scope, op: Xlogy[N], grad: Output[N]) -> Gradients:
    x, y = conj(op.inputs.x), conj(op.inputs.y)
    return (
        lambda: grad * Xlogy.create(scope, is_not_zero(scope, x), y),
        lambda: grad * Xdivy.create(scope, x, y),
    )


def xlog1py(scope: Scope, op: Xlog1py[N], grad: Output[N]) -> Gradients:
    x, y = conj(op.inputs.x), conj(op.inputs.y)
    return (
        lambda: grad * Xlog1py.create(scope, is_not_zero(scope, x), y),
        lambda: grad * Xdivy.create(scope, x, 1 + y),
    )


def is_not_zero(scope: Scope, x: Operand[N]) -> Operand[N]:
    """1 where `x` is not 0, 0 where it is."""
    return Cast.create(scope, NotEqual.create(scope, x, 0), x.dtype)
