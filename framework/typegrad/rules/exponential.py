"""Gradients of `ops/exponential.yaml`."""

from __future__ import annotations

from typing_extensions import TypeVar

from typegrad.base.types import TComplex, TFloating
from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.dtypes import Cast
from typegrad.op.math import Add, Exp, Expm1, Log, Log1p, Mul, NotEqual, RealDiv, Reciprocal, Xdivy, Xlog1py, Xlogy
from typegrad.rules.common import Gradients, conj, scalar_like

N = TypeVar("N", bound=TFloating | TComplex)


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


def xlogy(scope: Scope, op: Xlogy[N], grad: Output[N]) -> Gradients:
    """d(x log y) = log(y) dx + x / y dy, both 0 where x is 0."""
    x, y = conj(scope, op.inputs.x), conj(scope, op.inputs.y)
    return (
        lambda: Mul.create(scope, grad, Xlogy.create(scope, is_not_zero(scope, x), y)),
        lambda: Mul.create(scope, grad, Xdivy.create(scope, x, y)),
    )


def is_not_zero(scope: Scope, x: Operand[N]) -> Operand[N]:
    """1 where x is not 0, 0 where it is."""
    return Cast.create(scope, NotEqual.create(scope, x, scalar_like(scope, 0, x)), x.dtype)


def xlog1py(scope: Scope, op: Xlog1py[N], grad: Output[N]) -> Gradients:
    """d(x log(1 + y)) = log(1 + y) dx + x / (1 + y) dy, both 0 where x is 0."""
    x, y = conj(scope, op.inputs.x), conj(scope, op.inputs.y)
    return (
        lambda: Mul.create(scope, grad, Xlog1py.create(scope, is_not_zero(scope, x), y)),
        lambda: Mul.create(scope, grad, Xdivy.create(scope, x, Add.create(scope, y, scalar_like(scope, 1, y)))),
    )
