"""Kernels of `ops/adam.yaml`: Adam, AMSGrad and AdaMax."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.updating import apply, moving_average

if TYPE_CHECKING:
    from typegrad.base.variable_state import VariableState


def _largest(xp: Namespace, before: Array, value: Array) -> Array:
    """The larger value; `before` if `value` is nan."""
    return xp.where(value > before, value, before)


def _adam(
    xp: Namespace,
    var: Array,
    m: Array,
    v: Array,
    grad: Array,
    beta1_power: Array,
    beta2_power: Array,
    lr: Array,
    beta1: Array,
    beta2: Array,
    epsilon: Array,
    *,
    use_nesterov: bool,
) -> tuple[Array, ...]:
    """Moving averages of the gradient and of its square, corrected for their start at zero."""
    alpha = lr * xp.sqrt(1 - beta2_power) / (1 - beta1_power)
    m, v = moving_average(m, grad, beta1), moving_average(v, grad * grad, beta2)
    direction = grad * (1 - beta1) + beta1 * m if use_nesterov else m
    return var - direction * alpha / (xp.sqrt(v) + epsilon), m, v


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
    return apply(xp, (var, m, v), grad, numbers, _adam, use_nesterov=use_nesterov)


def _amsgrad(
    xp: Namespace,
    var: Array,
    m: Array,
    v: Array,
    vhat: Array,
    grad: Array,
    beta1_power: Array,
    beta2_power: Array,
    lr: Array,
    beta1: Array,
    beta2: Array,
    epsilon: Array,
) -> tuple[Array, ...]:
    """Adam that divides by the root of the largest average so far."""
    alpha = lr * xp.sqrt(1 - beta2_power) / (1 - beta1_power)
    m, v = moving_average(m, grad, beta1), moving_average(v, grad * grad, beta2)
    vhat = _largest(xp, vhat, v)
    return var - m * alpha / (xp.sqrt(vhat) + epsilon), m, v, vhat


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
    return apply(xp, (var, m, v, vhat), grad, (beta1_power, beta2_power, lr, beta1, beta2, epsilon), _amsgrad)


def _ada_max(
    xp: Namespace,
    var: Array,
    m: Array,
    v: Array,
    grad: Array,
    beta1_power: Array,
    lr: Array,
    beta1: Array,
    beta2: Array,
    epsilon: Array,
) -> tuple[Array, ...]:
    """Adam that divides by the largest gradient, where older ones decay."""
    m, v = moving_average(m, grad, beta1), _largest(xp, beta2 * v, xp.abs(grad))
    return var - lr / (1 - beta1_power) * (m / (v + epsilon)), m, v


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
    return apply(xp, (var, m, v), grad, (beta1_power, lr, beta1, beta2, epsilon), _ada_max)
