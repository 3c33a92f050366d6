"""Gradients of `ops/arithmetic.yaml`. Sums over broadcast dimensions are the caller's business."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typing_extensions import TypeVar

from typegrad.base.types import TBool, TComplex, TFloating
from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import ClipByValue, Select
from typegrad.op.math import (
    Abs,
    Add,
    AddN,
    AddV2,
    Greater,
    GreaterEqual,
    Less,
    LessEqual,
    LogicalOr,
    Maximum,
    Minimum,
    Mul,
    MulNoNan,
    Neg,
    Sign,
    Sub,
)
from typegrad.rules.broadcasting import sum_to_shape
from typegrad.rules.common import Gradient, Gradients, conj, scalar_like

F = TypeVar("F", bound=TFloating)
N = TypeVar("N", bound=TFloating | TComplex)


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


def neg(scope: Scope, op: Neg[N], grad: Output[N]) -> Gradients:
    """d(-x) = -dx."""
    return Neg.create(scope, grad)


def abs(scope: Scope, op: Abs[F], grad: Output[F]) -> Gradients:
    """d|x| = sign(x) dx, 0 at 0."""
    return Mul.create(scope, grad, Sign.create(scope, op.inputs.x))


def maximum(scope: Scope, op: Maximum[F], grad: Output[F]) -> Gradients:
    """All goes to the larger input, to x if they are equal."""
    return _chosen(scope, GreaterEqual.create(scope, op.inputs.x, op.inputs.y), grad)


def _chosen(scope: Scope, is_x: Operand[TBool], grad: Output[F]) -> Gradients:
    zero = scalar_like(scope, 0, grad)
    return lambda: Select.create(scope, is_x, grad, zero), lambda: Select.create(scope, is_x, zero, grad)


def minimum(scope: Scope, op: Minimum[F], grad: Output[F]) -> Gradients:
    """All goes to the smaller input, to x if they are equal."""
    return _chosen(scope, LessEqual.create(scope, op.inputs.x, op.inputs.y), grad)


def clip_by_value(scope: Scope, op: ClipByValue[F], grad: Output[F]) -> Gradients:
    """A value within the bounds, or at them, has the gradient; outside, the bound has it."""
    t, low, high = op.inputs.t, op.inputs.clip_value_min, op.inputs.clip_value_max
    zero = scalar_like(scope, 0, grad)
    is_low, is_high = Less.create(scope, t, low), Greater.create(scope, t, high)

    def bound(where: Operand[Any, Any], target: Output[F]) -> Operand[F]:
        return sum_to_shape(scope, Select.create(scope, where, grad, zero).as_output(), target)

    return (
        lambda: Select.create(scope, LogicalOr.create(scope, is_low, is_high), zero, grad),
        lambda: bound(is_low, low),
        lambda: bound(is_high, high),
    )
