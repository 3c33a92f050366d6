"""Kernels of `ops/adam.yaml`: Adam, AMSGrad and AdaMax."""

from __future__ import annotations

from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.updating import Whole, moving_average


def _adam(
    xp: Namespace,
    var: Array,
    m: Array,
    v: Array,
    beta1_power: Array,
    beta2_power: Array,
    lr: Array,
    beta1: Array,
    beta2: Array,
    epsilon: Array,
    grad: Array,
    *,
    use_nesterov: bool,
) -> tuple[Array, ...]:
    """The moving average of the gradient over the root of the moving average of its square."""
    alpha = _rate(xp, lr, beta1_power, beta2_power)
    m, v = _averages(m, v, beta1, beta2, grad)
    direction = grad * (1 - beta1) + beta1 * m if use_nesterov else m
    return var - direction * alpha / (xp.sqrt(v) + epsilon), m, v


resource_apply_adam = Whole(_adam)


def _amsgrad(
    xp: Namespace,
    var: Array,
    m: Array,
    v: Array,
    vhat: Array,
    beta1_power: Array,
    beta2_power: Array,
    lr: Array,
    beta1: Array,
    beta2: Array,
    epsilon: Array,
    grad: Array,
) -> tuple[Array, ...]:
    """Adam that divides by the root of the largest average so far."""
    alpha = _rate(xp, lr, beta1_power, beta2_power)
    m, v = _averages(m, v, beta1, beta2, grad)
    vhat = _largest(xp, vhat, v)
    return var - m * alpha / (xp.sqrt(vhat) + epsilon), m, v, vhat


resource_apply_adam_with_amsgrad = Whole(_amsgrad)


def _ada_max(
    xp: Namespace,
    var: Array,
    m: Array,
    v: Array,
    beta1_power: Array,
    lr: Array,
    beta1: Array,
    beta2: Array,
    epsilon: Array,
    grad: Array,
) -> tuple[Array, ...]:
    """Adam that divides by the largest gradient, where older ones decay."""
    m, v = moving_average(m, grad, beta1), _largest(xp, beta2 * v, xp.abs(grad))
    return var - lr / (1 - beta1_power) * (m / (v + epsilon)), m, v


resource_apply_ada_max = Whole(_ada_max)


def _rate(xp: Namespace, lr: Array, beta1_power: Array, beta2_power: Array) -> Array:
    """The learning rate, corrected for moving averages that start at zero."""
    rate: Array = lr * xp.sqrt(1 - beta2_power) / (1 - beta1_power)
    return rate


def _averages(m: Array, v: Array, beta1: Array, beta2: Array, grad: Array) -> tuple[Array, Array]:
    """The moving averages of the gradient and of its square."""
    return moving_average(m, grad, beta1), moving_average(v, grad * grad, beta2)


def _largest(xp: Namespace, before: Array, value: Array) -> Array:
    """The larger value; `before` if `value` is nan."""
    return xp.where(value > before, value, before)
