"""Gradients of `ops/arithmetic.yaml`. The caller sums over broadcast dimensions."""

from __future__ import annotations

from collections.abc import Sequence

from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import ClipByValue, Constant, Select
from typegrad.op.math import Abs, AccumulateN, AddN, Maximum, Minimum, Mul, MulNoNan, Neg, Sign, Sub
from typegrad.rules.broadcasting import negative_sum_to_known_shape, sum_to_shape
from typegrad.rules.common import F, Gradient, Gradients, N, conj


def add_n(scope: Scope, op: AddN[N] | AccumulateN[N], grad: Output[N]) -> Sequence[Gradient]:
    return [grad] * len(op.inputs.inputs)


def sub(scope: Scope, op: Sub[N], grad: Output[N]) -> Gradients:
    return negative_sum_to_known_shape(scope, grad, op.inputs.y)


def mul(scope: Scope, op: Mul[N], grad: Output[N]) -> Gradients:
    return lambda: grad * conj(op.inputs.y), lambda: grad * conj(op.inputs.x)


def mul_no_nan(scope: Scope, op: MulNoNan[N], grad: Output[N]) -> Gradients:
    """Each product is zero where its second factor is: `y` for the gradient of `x`, `grad` for the gradient of `y`."""
    x, y = op.inputs.x, op.inputs.y
    return lambda: MulNoNan.create(scope, grad, conj(y)), lambda: MulNoNan.create(scope, conj(x), grad)


def neg(scope: Scope, op: Neg[N], grad: Output[N]) -> Gradients:
    return -grad


def abs(scope: Scope, op: Abs[F], grad: Output[F]) -> Gradients:
    return grad * Sign.create(scope, op.inputs.x)


def maximum(scope: Scope, op: Maximum[F], grad: Output[F]) -> Gradients:
    is_x, zero = op.inputs.x >= op.inputs.y, Constant.create(scope, 0, grad.dtype)
    return lambda: Select.create(scope, is_x, grad, zero), lambda: Select.create(scope, is_x, zero, grad)


def minimum(scope: Scope, op: Minimum[F], grad: Output[F]) -> Gradients:
    is_x, zero = op.inputs.x <= op.inputs.y, Constant.create(scope, 0, grad.dtype)
    return lambda: Select.create(scope, is_x, grad, zero), lambda: Select.create(scope, is_x, zero, grad)


def clip_by_value(scope: Scope, op: ClipByValue[F], grad: Output[F]) -> Gradients:
    t, low, high = op.inputs.t, op.inputs.clip_value_min, op.inputs.clip_value_max
    is_low, is_high, zero = t < low, t > high, Constant.create(scope, 0, grad.dtype)

    def total(part: Operand[F], bound: Output[F]) -> Operand[F]:
        return sum_to_shape(scope, part.as_output(), bound)

    return (
        lambda: Select.create(scope, is_low | is_high, zero, grad),
        lambda: total(Select.create(scope, is_low, grad, zero), low),
        lambda: total(Select.create(scope, is_high, grad, zero), high),
    )
