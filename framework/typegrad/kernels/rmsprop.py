"""Kernels of `ops/rmsprop.yaml`: RMSProp and AdaDelta."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.updating import apply, apply_rows, moving_average

if TYPE_CHECKING:
    from typegrad.base.variable_state import VariableState


def _rms_prop(
    xp: Namespace,
    var: Array,
    ms: Array,
    mom: Array,
    grad: Array,
    lr: Array,
    rho: Array,
    momentum: Array,
    epsilon: Array,
) -> tuple[Array, ...]:
    """The gradient over the root of a moving average of its square."""
    ms = moving_average(ms, grad * grad, rho)
    mom = mom * momentum + grad * lr / xp.sqrt(ms + epsilon)
    return var - mom, ms, mom


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
    return apply(xp, (var, ms, mom), grad, (lr, rho, momentum, epsilon), _rms_prop)


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
    return apply_rows(xp, (var, ms, mom), grad, indices, (lr, rho, momentum, epsilon), _rms_prop)


def _centered_rms_prop(
    xp: Namespace,
    var: Array,
    mg: Array,
    ms: Array,
    mom: Array,
    grad: Array,
    lr: Array,
    rho: Array,
    momentum: Array,
    epsilon: Array,
) -> tuple[Array, ...]:
    """RMSProp with the variance of the gradient instead of its mean square."""
    mg, ms = moving_average(mg, grad, rho), moving_average(ms, grad * grad, rho)
    mom = mom * momentum + grad * lr / xp.sqrt(ms - mg * mg + epsilon)
    return var - mom, mg, ms, mom


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
    return apply(xp, (var, mg, ms, mom), grad, (lr, rho, momentum, epsilon), _centered_rms_prop)


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
    return apply_rows(xp, (var, mg, ms, mom), grad, indices, (lr, rho, momentum, epsilon), _centered_rms_prop)


def _adadelta(
    xp: Namespace, var: Array, accum: Array, accum_update: Array, grad: Array, lr: Array, rho: Array, epsilon: Array
) -> tuple[Array, ...]:
    """The step has the size of earlier steps in relation to earlier gradients."""
    accum = accum * rho + grad * grad * (1 - rho)
    update = xp.sqrt(accum_update + epsilon) / xp.sqrt(accum + epsilon) * grad
    return var - update * lr, accum, accum_update * rho + update * update * (1 - rho)


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
    return apply(xp, (var, accum, accum_update), grad, (lr, rho, epsilon), _adadelta)


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
    return apply_rows(xp, (var, accum, accum_update), grad, indices, (lr, rho, epsilon), _adadelta)
