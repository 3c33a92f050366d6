"""Kernels of `ops/optimizer.yaml`: whole variables make one step. The formulas are in `steps`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typegrad.kernels import steps
from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.updating import apply, check_penalties

if TYPE_CHECKING:
    from typegrad.base.variable_state import VariableState


def resource_apply_gradient_descent(xp: Namespace, var: VariableState, alpha: Array, delta: Array) -> tuple[()]:
    """Subtract `alpha * delta` from a variable."""
    var.assign(var.read() - alpha * delta)
    return ()


def resource_apply_momentum(
    xp: Namespace,
    var: VariableState,
    accum: VariableState,
    lr: Array,
    grad: Array,
    momentum: Array,
    *,
    use_nesterov: bool,
) -> tuple[()]:
    """Gradients accumulate."""
    return apply(xp, (var, accum), grad, (lr, momentum), steps.momentum, use_nesterov=use_nesterov)


def resource_apply_keras_momentum(
    xp: Namespace,
    var: VariableState,
    accum: VariableState,
    lr: Array,
    grad: Array,
    momentum: Array,
    *,
    use_nesterov: bool,
) -> tuple[()]:
    """Steps accumulate."""
    return apply(xp, (var, accum), grad, (lr, momentum), steps.keras_momentum, use_nesterov=use_nesterov)


def resource_apply_adagrad(
    xp: Namespace, var: VariableState, accum: VariableState, lr: Array, grad: Array, *, update_slots: bool
) -> tuple[()]:
    """AdaGrad without epsilon."""
    return apply(xp, (var, accum), grad, (lr, grad.dtype.type(0)), steps.adagrad, update_slots=update_slots)


def resource_apply_adagrad_v2(
    xp: Namespace,
    var: VariableState,
    accum: VariableState,
    lr: Array,
    epsilon: Array,
    grad: Array,
    *,
    update_slots: bool,
) -> tuple[()]:
    """AdaGrad."""
    return apply(xp, (var, accum), grad, (lr, epsilon), steps.adagrad, update_slots=update_slots)


def resource_apply_adagrad_da(
    xp: Namespace,
    var: VariableState,
    total: VariableState,
    squares: VariableState,
    grad: Array,
    lr: Array,
    l1: Array,
    l2: Array,
    global_step: Array,
) -> tuple[()]:
    """AdaGrad with dual averaging."""
    return apply(xp, (var, total, squares), grad, (lr, l1, l2, global_step), steps.adagrad_da)


def resource_apply_adadelta(
    xp: Namespace,
    var: VariableState,
    accum: VariableState,
    accum_update: VariableState,
    lr: Array,
    rho: Array,
    epsilon: Array,
    grad: Array,
) -> tuple[()]:
    """AdaDelta."""
    return apply(xp, (var, accum, accum_update), grad, (lr, rho, epsilon), steps.adadelta)


def resource_apply_adam(
    xp: Namespace,
    var: VariableState,
    m: VariableState,
    v: VariableState,
    beta1_power: Array,
    beta2_power: Array,
    lr: Array,
    beta1: Array,
    beta2: Array,
    epsilon: Array,
    grad: Array,
    *,
    use_nesterov: bool,
) -> tuple[()]:
    """Adam, or Nadam."""
    numbers = (beta1_power, beta2_power, lr, beta1, beta2, epsilon)
    return apply(xp, (var, m, v), grad, numbers, steps.adam, use_nesterov=use_nesterov)


def resource_apply_adam_with_amsgrad(
    xp: Namespace,
    var: VariableState,
    m: VariableState,
    v: VariableState,
    vhat: VariableState,
    beta1_power: Array,
    beta2_power: Array,
    lr: Array,
    beta1: Array,
    beta2: Array,
    epsilon: Array,
    grad: Array,
) -> tuple[()]:
    """AMSGrad."""
    return apply(xp, (var, m, v, vhat), grad, (beta1_power, beta2_power, lr, beta1, beta2, epsilon), steps.amsgrad)


def resource_apply_ada_max(
    xp: Namespace,
    var: VariableState,
    m: VariableState,
    v: VariableState,
    beta1_power: Array,
    lr: Array,
    beta1: Array,
    beta2: Array,
    epsilon: Array,
    grad: Array,
) -> tuple[()]:
    """AdaMax."""
    return apply(xp, (var, m, v), grad, (beta1_power, lr, beta1, beta2, epsilon), steps.ada_max)


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
    return apply(xp, (var, accum, linear), grad, numbers, steps.ftrl, multiply_linear_by_lr=multiply_linear_by_lr)


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
    return apply(xp, (var, accum, linear), grad, numbers, steps.ftrl, multiply_linear_by_lr=multiply_linear_by_lr)


def resource_apply_rms_prop(
    xp: Namespace,
    var: VariableState,
    ms: VariableState,
    mom: VariableState,
    lr: Array,
    rho: Array,
    momentum: Array,
    epsilon: Array,
    grad: Array,
) -> tuple[()]:
    """RMSProp."""
    return apply(xp, (var, ms, mom), grad, (lr, rho, momentum, epsilon), steps.rms_prop)


def resource_apply_centered_rms_prop(
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
) -> tuple[()]:
    """RMSProp with the variance of the gradient."""
    return apply(xp, (var, mg, ms, mom), grad, (lr, rho, momentum, epsilon), steps.centered_rms_prop)


def resource_apply_proximal_gradient_descent(
    xp: Namespace, var: VariableState, alpha: Array, l1: Array, l2: Array, delta: Array
) -> tuple[()]:
    """Gradient descent with penalties."""
    return apply(xp, (var,), delta, (alpha, l1, l2), steps.proximal_gradient_descent)


def resource_apply_proximal_adagrad(
    xp: Namespace, var: VariableState, accum: VariableState, lr: Array, l1: Array, l2: Array, grad: Array
) -> tuple[()]:
    """AdaGrad with penalties."""
    check_penalties(lr=lr, l1=l1, l2=l2)
    return apply(xp, (var, accum), grad, (lr, l1, l2), steps.proximal_adagrad)
