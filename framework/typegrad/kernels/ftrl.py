"""Kernels of `ops/ftrl.yaml`: FTRL-proximal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.updating import apply, apply_rows, check_penalties

if TYPE_CHECKING:
    from typegrad.base.variable_state import VariableState


def _ftrl(
    xp: Namespace,
    var: Array,
    accum: Array,
    linear: Array,
    grad: Array,
    lr: Array,
    l1: Array,
    l2: Array,
    l2_shrinkage: Array,
    lr_power: Array,
    *,
    multiply_linear_by_lr: bool,
) -> tuple[Array, ...]:
    """Follow the regularized leader: the variable minimizes a model of all losses so far."""
    before, accum = accum, accum + grad * grad
    slope, root, growth = grad + 2 * l2_shrinkage * var, accum**-lr_power, accum**-lr_power - before**-lr_power
    if multiply_linear_by_lr:
        linear, l1, curvature = linear + slope * lr - growth * var, l1 * lr, root + 2 * l2 * lr
    else:
        linear, curvature = linear + slope - growth / lr * var, root / lr + 2 * l2
    leader = (xp.sign(linear) * l1 - linear) / curvature
    return xp.where(xp.abs(linear) <= l1, xp.zeros_like(var), leader), accum, linear


def resource_apply_ftrl(
    xp: Namespace,
    var: VariableState,
    accum: VariableState,
    linear: VariableState,
    grad: Array,
    lr: Array,
    l1: Array,
    l2: Array,
    lr_power: Array,
    *,
    multiply_linear_by_lr: bool,
) -> tuple[()]:
    """FTRL-proximal without shrinkage."""
    numbers = (lr, l1, l2, grad.dtype.type(0), lr_power)
    return apply(xp, (var, accum, linear), grad, numbers, _ftrl, multiply_linear_by_lr=multiply_linear_by_lr)


def resource_sparse_apply_ftrl(
    xp: Namespace,
    var: VariableState,
    accum: VariableState,
    linear: VariableState,
    grad: Array,
    indices: Array,
    lr: Array,
    l1: Array,
    l2: Array,
    lr_power: Array,
    *,
    multiply_linear_by_lr: bool,
) -> tuple[()]:
    """FTRL-proximal without shrinkage."""
    numbers = (lr, l1, l2, grad.dtype.type(0), lr_power)
    return _apply_rows(xp, (var, accum, linear), grad, indices, numbers, multiply_linear_by_lr=multiply_linear_by_lr)


def resource_apply_ftrl_v2(
    xp: Namespace,
    var: VariableState,
    accum: VariableState,
    linear: VariableState,
    grad: Array,
    lr: Array,
    l1: Array,
    l2: Array,
    l2_shrinkage: Array,
    lr_power: Array,
    *,
    multiply_linear_by_lr: bool,
) -> tuple[()]:
    """FTRL-proximal."""
    numbers = (lr, l1, l2, l2_shrinkage, lr_power)
    return apply(xp, (var, accum, linear), grad, numbers, _ftrl, multiply_linear_by_lr=multiply_linear_by_lr)


def resource_sparse_apply_ftrl_v2(
    xp: Namespace,
    var: VariableState,
    accum: VariableState,
    linear: VariableState,
    grad: Array,
    indices: Array,
    lr: Array,
    l1: Array,
    l2: Array,
    l2_shrinkage: Array,
    lr_power: Array,
    *,
    multiply_linear_by_lr: bool,
) -> tuple[()]:
    """FTRL-proximal."""
    numbers = (lr, l1, l2, l2_shrinkage, lr_power)
    return _apply_rows(xp, (var, accum, linear), grad, indices, numbers, multiply_linear_by_lr=multiply_linear_by_lr)


def _apply_rows(
    xp: Namespace,
    states: tuple[VariableState, ...],
    grad: Array,
    indices: Array,
    numbers: tuple[Array, ...],
    *,
    multiply_linear_by_lr: bool,
) -> tuple[()]:
    """For rows, TensorFlow checks the numbers."""
    lr, l1, l2, l2_shrinkage, lr_power = numbers
    check_penalties(lr=lr, l1=l1, l2=l2, l2_shrinkage=l2_shrinkage, zero_rate=multiply_linear_by_lr)
    if not lr_power <= 0:
        raise InvalidArgumentError(f"`lr_power` is {lr_power}, but must not be positive")
    return apply_rows(xp, states, grad, indices, numbers, _ftrl, multiply_linear_by_lr=multiply_linear_by_lr)
