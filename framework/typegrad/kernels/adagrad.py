"""Kernels of `ops/adagrad.yaml`: AdaGrad, also by dual averaging and with penalties."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.updating import apply, apply_rows, check_penalties, shrink

if TYPE_CHECKING:
    from typegrad.base.variable_state import VariableState


def _adagrad(
    xp: Namespace, var: Array, accum: Array, grad: Array, lr: Array, epsilon: Array, *, update_slots: bool
) -> tuple[Array, ...]:
    """Divide by the root of the sum of all squared gradients."""
    if update_slots:
        accum = accum + grad * grad
    return var - grad * lr / (xp.sqrt(accum) + epsilon), accum


def resource_apply_adagrad(
    xp: Namespace, var: VariableState, accum: VariableState, lr: Array, grad: Array, *, update_slots: bool
) -> tuple[()]:
    """AdaGrad without epsilon."""
    return apply(xp, (var, accum), grad, (lr, grad.dtype.type(0)), _adagrad, update_slots=update_slots)


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
    return apply_rows(xp, (var, accum), grad, indices, numbers, _adagrad, update_slots=update_slots)


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
    return apply(xp, (var, accum), grad, (lr, epsilon), _adagrad, update_slots=update_slots)


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
    return apply_rows(xp, (var, accum), grad, indices, (lr, epsilon), _adagrad, update_slots=update_slots)


def _adagrad_da(
    xp: Namespace,
    var: Array,
    total: Array,
    squares: Array,
    grad: Array,
    lr: Array,
    l1: Array,
    l2: Array,
    global_step: Array,
) -> tuple[Array, ...]:
    """Dual averaging: the variable is a function of the sum of all gradients, zero where that is small."""
    total, squares = total + grad, squares + grad * grad
    pull = shrink(xp, total, l1 * global_step)
    return -lr * pull / (l2 * global_step * lr + xp.sqrt(squares)), total, squares


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
    return apply(xp, (var, total, squares), grad, (lr, l1, l2, global_step), _adagrad_da)


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
    return apply_rows(xp, (var, total, squares), grad, indices, (lr, l1, l2, global_step), _adagrad_da)


def _proximal_adagrad(
    xp: Namespace, var: Array, accum: Array, grad: Array, lr: Array, l1: Array, l2: Array
) -> tuple[Array, ...]:
    """Proximal gradient descent with AdaGrad's learning rate for each element."""
    accum = accum + grad * grad
    rate = lr / xp.sqrt(accum)
    return shrink(xp, var - grad * rate, rate * l1) / (1 + l2 * rate), accum


def resource_apply_proximal_adagrad(
    xp: Namespace, var: VariableState, accum: VariableState, lr: Array, l1: Array, l2: Array, grad: Array
) -> tuple[()]:
    """AdaGrad with penalties."""
    check_penalties(lr=lr, l1=l1, l2=l2)
    return apply(xp, (var, accum), grad, (lr, l1, l2), _proximal_adagrad)


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
    return apply_rows(xp, (var, accum), grad, indices, (lr, l1, l2), _proximal_adagrad)
