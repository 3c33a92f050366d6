"""Kernels of `ops/sign_descent.yaml`: steps that depend on whether gradient and momentum agree in sign."""

from __future__ import annotations

from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.updating import Whole


def _agreement(xp: Namespace, m: Array, sign_decay: Array, beta: Array, grad: Array) -> tuple[Array, Array]:
    """The new moving average, and the weight of the agreement between its sign and the gradient's."""
    m = m * beta + grad * (1 - beta)
    return m, sign_decay * (xp.sign(grad) * xp.sign(m))


def _add_sign(
    xp: Namespace, var: Array, m: Array, lr: Array, alpha: Array, sign_decay: Array, beta: Array, grad: Array
) -> tuple[Array, ...]:
    """Steps whose factor is a sum."""
    m, agreement = _agreement(xp, m, sign_decay, beta, grad)
    return var - lr * (alpha + agreement) * grad, m


resource_apply_add_sign = Whole(_add_sign)


def _power_sign(
    xp: Namespace, var: Array, m: Array, lr: Array, logbase: Array, sign_decay: Array, beta: Array, grad: Array
) -> tuple[Array, ...]:
    """Steps whose factor is a power."""
    m, agreement = _agreement(xp, m, sign_decay, beta, grad)
    return var - lr * xp.exp(logbase * agreement) * grad, m


resource_apply_power_sign = Whole(_power_sign)
