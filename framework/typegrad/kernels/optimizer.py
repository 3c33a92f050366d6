"""Kernels of `ops/optimizer.yaml`: whole variables make one step. The formulas are in `steps`."""

from __future__ import annotations

from typing import Any

from typegrad.kernels import steps
from typegrad.kernels.updating import apply, check_penalties


def resource_apply_gradient_descent(xp: Any, var: Any, alpha: Any, delta: Any) -> tuple[()]:
    """Subtract `alpha * delta` from a variable."""
    var.assign(var.read() - alpha * delta)
    return ()


def resource_apply_momentum(
    xp: Any, var: Any, accum: Any, lr: Any, grad: Any, momentum: Any, *, use_nesterov: bool
) -> tuple[()]:
    """Gradients accumulate."""
    return apply(xp, (var, accum), grad, (lr, momentum), steps.momentum, use_nesterov=use_nesterov)


def resource_apply_keras_momentum(
    xp: Any, var: Any, accum: Any, lr: Any, grad: Any, momentum: Any, *, use_nesterov: bool
) -> tuple[()]:
    """Steps accumulate."""
    return apply(xp, (var, accum), grad, (lr, momentum), steps.keras_momentum, use_nesterov=use_nesterov)


def resource_apply_adagrad(xp: Any, var: Any, accum: Any, lr: Any, grad: Any, *, update_slots: bool) -> tuple[()]:
    """AdaGrad without epsilon."""
    return apply(xp, (var, accum), grad, (lr, grad.dtype.type(0)), steps.adagrad, update_slots=update_slots)


def resource_apply_adagrad_v2(
    xp: Any, var: Any, accum: Any, lr: Any, epsilon: Any, grad: Any, *, update_slots: bool
) -> tuple[()]:
    """AdaGrad."""
    return apply(xp, (var, accum), grad, (lr, epsilon), steps.adagrad, update_slots=update_slots)


def resource_apply_adagrad_da(
    xp: Any, var: Any, total: Any, squares: Any, grad: Any, lr: Any, l1: Any, l2: Any, global_step: Any
) -> tuple[()]:
    """AdaGrad with dual averaging."""
    return apply(xp, (var, total, squares), grad, (lr, l1, l2, global_step), steps.adagrad_da)


def resource_apply_adadelta(
    xp: Any, var: Any, accum: Any, accum_update: Any, lr: Any, rho: Any, epsilon: Any, grad: Any
) -> tuple[()]:
    """AdaDelta."""
    return apply(xp, (var, accum, accum_update), grad, (lr, rho, epsilon), steps.adadelta)


def resource_apply_adam(
    xp: Any,
    var: Any,
    m: Any,
    v: Any,
    beta1_power: Any,
    beta2_power: Any,
    lr: Any,
    beta1: Any,
    beta2: Any,
    epsilon: Any,
    grad: Any,
    *,
    use_nesterov: bool,
) -> tuple[()]:
    """Adam, or Nadam."""
    numbers = (beta1_power, beta2_power, lr, beta1, beta2, epsilon)
    return apply(xp, (var, m, v), grad, numbers, steps.adam, use_nesterov=use_nesterov)


def resource_apply_adam_with_amsgrad(
    xp: Any,
    var: Any,
    m: Any,
    v: Any,
    vhat: Any,
    beta1_power: Any,
    beta2_power: Any,
    lr: Any,
    beta1: Any,
    beta2: Any,
    epsilon: Any,
    grad: Any,
) -> tuple[()]:
    """AMSGrad."""
    return apply(xp, (var, m, v, vhat), grad, (beta1_power, beta2_power, lr, beta1, beta2, epsilon), steps.amsgrad)


def resource_apply_ada_max(
    xp: Any, var: Any, m: Any, v: Any, beta1_power: Any, lr: Any, beta1: Any, beta2: Any, epsilon: Any, grad: Any
) -> tuple[()]:
    """AdaMax."""
    return apply(xp, (var, m, v), grad, (beta1_power, lr, beta1, beta2, epsilon), steps.ada_max)


def resource_apply_ftrl(
    xp: Any,
    var: Any,
    accum: Any,
    linear: Any,
    grad: Any,
    lr: Any,
    l1: Any,
    l2: Any,
    lr_power: Any,
    *,
    multiply_linear_by_lr: bool,
) -> tuple[()]:
    """FTRL-proximal without shrinkage."""
    numbers = (lr, l1, l2, grad.dtype.type(0), lr_power)
    return apply(xp, (var, accum, linear), grad, numbers, steps.ftrl, multiply_linear_by_lr=multiply_linear_by_lr)


def resource_apply_ftrl_v2(
    xp: Any,
    var: Any,
    accum: Any,
    linear: Any,
    grad: Any,
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
    return apply(xp, (var, accum, linear), grad, numbers, steps.ftrl, multiply_linear_by_lr=multiply_linear_by_lr)


def resource_apply_rms_prop(
    xp: Any, var: Any, ms: Any, mom: Any, lr: Any, rho: Any, momentum: Any, epsilon: Any, grad: Any
) -> tuple[()]:
    """RMSProp."""
    return apply(xp, (var, ms, mom), grad, (lr, rho, momentum, epsilon), steps.rms_prop)


def resource_apply_centered_rms_prop(
    xp: Any, var: Any, mg: Any, ms: Any, mom: Any, lr: Any, rho: Any, momentum: Any, epsilon: Any, grad: Any
) -> tuple[()]:
    """RMSProp with the variance of the gradient."""
    return apply(xp, (var, mg, ms, mom), grad, (lr, rho, momentum, epsilon), steps.centered_rms_prop)


def resource_apply_proximal_gradient_descent(xp: Any, var: Any, alpha: Any, l1: Any, l2: Any, delta: Any) -> tuple[()]:
    """Gradient descent with penalties."""
    return apply(xp, (var,), delta, (alpha, l1, l2), steps.proximal_gradient_descent)


def resource_apply_proximal_adagrad(xp: Any, var: Any, accum: Any, lr: Any, l1: Any, l2: Any, grad: Any) -> tuple[()]:
    """AdaGrad with penalties."""
    check_penalties(lr=lr, l1=l1, l2=l2)
    return apply(xp, (var, accum), grad, (lr, l1, l2), steps.proximal_adagrad)
