"""Kernels of `ops/sparse_optimizer.yaml`: some rows of variables make steps. The formulas are in `steps`."""

from __future__ import annotations

from typing import Any

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels import steps
from typegrad.kernels.updating import apply_rows, check_penalties


def resource_sparse_apply_momentum(
    xp: Any, var: Any, accum: Any, lr: Any, grad: Any, indices: Any, momentum: Any, *, use_nesterov: bool
) -> tuple[()]:
    """Gradients accumulate."""
    return apply_rows(xp, (var, accum), grad, indices, (lr, momentum), steps.momentum, use_nesterov=use_nesterov)


def resource_sparse_apply_keras_momentum(
    xp: Any, var: Any, accum: Any, lr: Any, grad: Any, indices: Any, momentum: Any, *, use_nesterov: bool
) -> tuple[()]:
    """Steps accumulate."""
    return apply_rows(xp, (var, accum), grad, indices, (lr, momentum), steps.keras_momentum, use_nesterov=use_nesterov)


def resource_sparse_apply_adagrad(
    xp: Any, var: Any, accum: Any, lr: Any, grad: Any, indices: Any, *, update_slots: bool
) -> tuple[()]:
    """AdaGrad without epsilon."""
    numbers = (lr, grad.dtype.type(0))
    return apply_rows(xp, (var, accum), grad, indices, numbers, steps.adagrad, update_slots=update_slots)


def resource_sparse_apply_adagrad_v2(
    xp: Any, var: Any, accum: Any, lr: Any, epsilon: Any, grad: Any, indices: Any, *, update_slots: bool
) -> tuple[()]:
    """AdaGrad."""
    return apply_rows(xp, (var, accum), grad, indices, (lr, epsilon), steps.adagrad, update_slots=update_slots)


def resource_sparse_apply_adagrad_da(
    xp: Any, var: Any, total: Any, squares: Any, grad: Any, indices: Any, lr: Any, l1: Any, l2: Any, global_step: Any
) -> tuple[()]:
    """AdaGrad with dual averaging."""
    return apply_rows(xp, (var, total, squares), grad, indices, (lr, l1, l2, global_step), steps.adagrad_da)


def resource_sparse_apply_adadelta(
    xp: Any, var: Any, accum: Any, accum_update: Any, lr: Any, rho: Any, epsilon: Any, grad: Any, indices: Any
) -> tuple[()]:
    """AdaDelta."""
    return apply_rows(xp, (var, accum, accum_update), grad, indices, (lr, rho, epsilon), steps.adadelta)


def resource_sparse_apply_ftrl(
    xp: Any,
    var: Any,
    accum: Any,
    linear: Any,
    grad: Any,
    indices: Any,
    lr: Any,
    l1: Any,
    l2: Any,
    lr_power: Any,
    *,
    multiply_linear_by_lr: bool,
) -> tuple[()]:
    """FTRL-proximal without shrinkage."""
    numbers = (lr, l1, l2, grad.dtype.type(0), lr_power)
    return _ftrl(xp, (var, accum, linear), grad, indices, numbers, multiply_linear_by_lr=multiply_linear_by_lr)


def resource_sparse_apply_ftrl_v2(
    xp: Any,
    var: Any,
    accum: Any,
    linear: Any,
    grad: Any,
    indices: Any,
    lr: Any,
    l1: Any,
    l2: Any,
    l2_shrinkage: Any,
    lr_power: Any,
    *,
    multiply_linear_by_lr: bool,
) -> tuple[()]:
    """FTRL-proximal."""
    numbers = (lr, l1, l2, l2_shrinkage, lr_power)
    return _ftrl(xp, (var, accum, linear), grad, indices, numbers, multiply_linear_by_lr=multiply_linear_by_lr)


def _ftrl(
    xp: Any, states: tuple[Any, ...], grad: Any, indices: Any, numbers: tuple[Any, ...], *, multiply_linear_by_lr: bool
) -> tuple[()]:
    lr, l1, l2, l2_shrinkage, lr_power = numbers
    check_penalties(lr=lr, l1=l1, l2=l2, l2_shrinkage=l2_shrinkage, zero_rate=multiply_linear_by_lr)
    if not lr_power <= 0:
        raise InvalidArgumentError(f"`lr_power` is {lr_power}, but must not be positive")
    return apply_rows(xp, states, grad, indices, numbers, steps.ftrl, multiply_linear_by_lr=multiply_linear_by_lr)


def resource_sparse_apply_rms_prop(
    xp: Any, var: Any, ms: Any, mom: Any, lr: Any, rho: Any, momentum: Any, epsilon: Any, grad: Any, indices: Any
) -> tuple[()]:
    """RMSProp."""
    return apply_rows(xp, (var, ms, mom), grad, indices, (lr, rho, momentum, epsilon), steps.rms_prop)


def resource_sparse_apply_centered_rms_prop(
    xp: Any,
    var: Any,
    mg: Any,
    ms: Any,
    mom: Any,
    lr: Any,
    rho: Any,
    momentum: Any,
    epsilon: Any,
    grad: Any,
    indices: Any,
) -> tuple[()]:
    """RMSProp with the variance of the gradient."""
    return apply_rows(xp, (var, mg, ms, mom), grad, indices, (lr, rho, momentum, epsilon), steps.centered_rms_prop)


def resource_sparse_apply_proximal_gradient_descent(
    xp: Any, var: Any, alpha: Any, l1: Any, l2: Any, grad: Any, indices: Any
) -> tuple[()]:
    """Gradient descent with penalties."""
    return apply_rows(xp, (var,), grad, indices, (alpha, l1, l2), steps.proximal_gradient_descent)


def resource_sparse_apply_proximal_adagrad(
    xp: Any, var: Any, accum: Any, lr: Any, l1: Any, l2: Any, grad: Any, indices: Any
) -> tuple[()]:
    """AdaGrad with penalties."""
    check_penalties(lr=lr, l1=l1, l2=l2)
    return apply_rows(xp, (var, accum), grad, indices, (lr, l1, l2), steps.proximal_adagrad)
