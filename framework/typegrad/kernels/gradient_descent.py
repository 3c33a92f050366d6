"""Kernels of `ops/gradient_descent.yaml`: gradient descent, with momentum, and with penalties."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.updating import apply, apply_rows, shrink

if TYPE_CHECKING:
    from typegrad.base.variable_state import VariableState


def resource_apply_gradient_descent(xp: Namespace, var: VariableState, alpha: Array, delta: Array) -> tuple[()]:
    """Subtract `alpha * delta` from a variable."""
    var.assign(var.read() - alpha * delta)
    return ()


def _momentum(
    xp: Namespace, var: Array, accum: Array, grad: Array, lr: Array, momentum: Array, *, use_nesterov: bool
) -> tuple[Array, ...]:
    """Gradients accumulate; older ones decay."""
    accum = accum * momentum + grad
    step = grad + accum * momentum if use_nesterov else accum
    return var - step * lr, accum


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
    return apply(xp, (var, accum), grad, (lr, momentum), _momentum, use_nesterov=use_nesterov)


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
    return apply_rows(xp, (var, accum), grad, indices, (lr, momentum), _momentum, use_nesterov=use_nesterov)


def _keras_momentum(
    xp: Namespace, var: Array, accum: Array, grad: Array, lr: Array, momentum: Array, *, use_nesterov: bool
) -> tuple[Array, ...]:
    """Steps accumulate instead of gradients."""
    accum = accum * momentum - grad * lr
    step = accum * momentum - grad * lr if use_nesterov else accum
    return var + step, accum


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
    return apply(xp, (var, accum), grad, (lr, momentum), _keras_momentum, use_nesterov=use_nesterov)


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
    return apply_rows(xp, (var, accum), grad, indices, (lr, momentum), _keras_momentum, use_nesterov=use_nesterov)


def _proximal_gradient_descent(
    xp: Namespace, var: Array, grad: Array, lr: Array, l1: Array, l2: Array
) -> tuple[Array, ...]:
    """A step of gradient descent, then one toward zero."""
    return (shrink(xp, var - grad * lr, lr * l1) / (1 + l2 * lr),)


def resource_apply_proximal_gradient_descent(
    xp: Namespace, var: VariableState, alpha: Array, l1: Array, l2: Array, delta: Array
) -> tuple[()]:
    """Gradient descent with penalties."""
    return apply(xp, (var,), delta, (alpha, l1, l2), _proximal_gradient_descent)


def resource_sparse_apply_proximal_gradient_descent(
    xp: Namespace, var: VariableState, alpha: Array, l1: Array, l2: Array, grad: Array, indices: Array
) -> tuple[()]:
    """Gradient descent with penalties."""
    return apply_rows(xp, (var,), grad, indices, (alpha, l1, l2), _proximal_gradient_descent)
