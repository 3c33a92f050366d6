"""Kernels of `ops/gradient_descent.yaml`: gradient descent, with momentum, and with penalties."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.updating import shrink, some_rows, whole

if TYPE_CHECKING:
    from typegrad.base.variable_state import VariableState


def resource_apply_gradient_descent(xp: Namespace, var: VariableState, alpha: Array, delta: Array) -> tuple[()]:
    """Subtract `alpha * delta` from a variable."""
    step = xp.asarray(alpha * delta)
    var.assign(xp.subtract(var.read(), step, out=step))
    return ()


def _momentum(
    xp: Namespace, var: Array, accum: Array, lr: Array, grad: Array, momentum: Array, *, use_nesterov: bool
) -> tuple[Array, ...]:
    """Gradients accumulate; older ones decay."""
    accum = accum * momentum + grad
    step = grad + accum * momentum if use_nesterov else accum
    return var - step * lr, accum


resource_apply_momentum = whole(_momentum)
resource_sparse_apply_momentum = some_rows(_momentum)


def _keras_momentum(
    xp: Namespace, var: Array, accum: Array, lr: Array, grad: Array, momentum: Array, *, use_nesterov: bool
) -> tuple[Array, ...]:
    """Steps accumulate instead of gradients."""
    accum = accum * momentum - grad * lr
    step = accum * momentum - grad * lr if use_nesterov else accum
    return var + step, accum


resource_apply_keras_momentum = whole(_keras_momentum)
resource_sparse_apply_keras_momentum = some_rows(_keras_momentum)


def _proximal_gradient_descent(
    xp: Namespace, var: Array, alpha: Array, l1: Array, l2: Array, grad: Array
) -> tuple[Array, ...]:
    """A step of gradient descent, then one toward zero."""
    return (shrink(xp, var - grad * alpha, alpha * l1) / (1 + l2 * alpha),)


resource_apply_proximal_gradient_descent = whole(_proximal_gradient_descent)
resource_sparse_apply_proximal_gradient_descent = some_rows(_proximal_gradient_descent)
