"""Kernels of `ops/sparse_optimizer.yaml`: some rows of variables make steps. The formulas are in `steps`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels import steps
from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.updating import apply_rows, check_penalties

if TYPE_CHECKING:
    from typegrad.base.variable_state import VariableState


def resource_sparse_apply_momentum(
    xp: Namespace,
    var: VariableState,
    accum: VariableState,
    lr: Array,
    grad: Array,
    indices: Array,
    momentum: Array,
    *,
    use_nesterov: bool,
) -> tuple[()]:
    """Gradients accumulate."""
    return apply_rows(xp, (var, accum), grad, indices, (lr, momentum), steps.momentum, use_nesterov=use_nesterov)


def resource_sparse_apply_keras_momentum(
    xp: Namespace,
    var: VariableState,
    accum: VariableState,
    lr: Array,
    grad: Array,
    indices: Array,
    momentum: Array,
    *,
    use_nesterov: bool,
) -> tuple[()]:
    """Steps accumulate."""
    return apply_rows(xp, (var, accum), grad, indices, (lr, momentum), steps.keras_momentum, use_nesterov=use_nesterov)


def resource_sparse_apply_adagrad(
    xp: Namespace,
    var: VariableState,
    accum: VariableState,
    lr: Array,
    grad: Array,
    indices: Array,
    *,
    update_slots: bool,
) -> tuple[()]:
    """AdaGrad without epsilon."""
    numbers = (lr, grad.dtype.type(0))
    return apply_rows(xp, (var, accum), grad, indices, numbers, steps.adagrad, update_slots=update_slots)


def resource_sparse_apply_adagrad_v2(
    xp: Namespace,
    var: VariableState,
    accum: VariableState,
    lr: Array,
    epsilon: Array,
    grad: Array,
    indices: Array,
    *,
    update_slots: bool,
) -> tuple[()]:
    """AdaGrad."""
    return apply_rows(xp, (var, accum), grad, indices, (lr, epsilon), steps.adagrad, update_slots=update_slots)


def resource_sparse_apply_adagrad_da(
    xp: Namespace,
    var: VariableState,
    total: VariableState,
    squares: VariableState,
    grad: Array,
    indices: Array,
    lr: Array,
    l1: Array,
    l2: Array,
    global_step: Array,
) -> tuple[()]:
    """AdaGrad with dual averaging."""
    return apply_rows(xp, (var, total, squares), grad, indices, (lr, l1, l2, global_step), steps.adagrad_da)


def resource_sparse_apply_adadelta(
    xp: Namespace,
    var: VariableState,
    accum: VariableState,
    accum_update: VariableState,
    lr: Array,
    rho: Array,
    epsilon: Array,
    grad: Array,
    indices: Array,
) -> tuple[()]:
    """AdaDelta."""
    return apply_rows(xp, (var, accum, accum_update), grad, indices, (lr, rho, epsilon), steps.adadelta)


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
    return _ftrl(xp, (var, accum, linear), grad, indices, numbers, multiply_linear_by_lr=multiply_linear_by_lr)


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
    return _ftrl(xp, (var, accum, linear), grad, indices, numbers, multiply_linear_by_lr=multiply_linear_by_lr)


def _ftrl(
    xp: Namespace,
    states: tuple[VariableState, ...],
    grad: Array,
    indices: Array,
    numbers: tuple[Array, ...],
    *,
    multiply_linear_by_lr: bool,
) -> tuple[()]:
    lr, l1, l2, l2_shrinkage, lr_power = numbers
    check_penalties(lr=lr, l1=l1, l2=l2, l2_shrinkage=l2_shrinkage, zero_rate=multiply_linear_by_lr)
    if not lr_power <= 0:
        raise InvalidArgumentError(f"`lr_power` is {lr_power}, but must not be positive")
    return apply_rows(xp, states, grad, indices, numbers, steps.ftrl, multiply_linear_by_lr=multiply_linear_by_lr)


def resource_sparse_apply_rms_prop(
    xp: Namespace,
    var: VariableState,
    ms: VariableState,
    mom: VariableState,
    lr: Array,
    rho: Array,
    momentum: Array,
    epsilon: Array,
    grad: Array,
    indices: Array,
) -> tuple[()]:
    """RMSProp."""
    return apply_rows(xp, (var, ms, mom), grad, indices, (lr, rho, momentum, epsilon), steps.rms_prop)


def resource_sparse_apply_centered_rms_prop(
    xp: Namespace,
    var: VariableState,
    mg: VariableState,
    ms: VariableState,
    mom: VariableState,
    lr: Array,
    rho: Array,
    momentum: Array,
    epsilon: Array,
    grad: Array,
    indices: Array,
) -> tuple[()]:
    """RMSProp with the variance of the gradient."""
    return apply_rows(xp, (var, mg, ms, mom), grad, indices, (lr, rho, momentum, epsilon), steps.centered_rms_prop)


def resource_sparse_apply_proximal_gradient_descent(
    xp: Namespace, var: VariableState, alpha: Array, l1: Array, l2: Array, grad: Array, indices: Array
) -> tuple[()]:
    """Gradient descent with penalties."""
    return apply_rows(xp, (var,), grad, indices, (alpha, l1, l2), steps.proximal_gradient_descent)


def resource_sparse_apply_proximal_adagrad(
    xp: Namespace,
    var: VariableState,
    accum: VariableState,
    lr: Array,
    l1: Array,
    l2: Array,
    grad: Array,
    indices: Array,
) -> tuple[()]:
    """AdaGrad with penalties."""
    check_penalties(lr=lr, l1=l1, l2=l2)
    return apply_rows(xp, (var, accum), grad, indices, (lr, l1, l2), steps.proximal_adagrad)
