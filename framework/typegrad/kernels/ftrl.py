"""Kernels of `ops/ftrl.yaml`: FTRL-proximal."""

from __future__ import annotations

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.updating import Whole, check_penalties, some_rows


def _ftrl(
    xp: Namespace,
    var: Array,
    accum: Array,
    linear: Array,
    grad: Array,
    *numbers: Array,
    multiply_linear_by_lr: bool,
) -> tuple[Array, ...]:
    """Follow the regularized leader: the variable minimizes a model of all losses so far."""
    lr, l1, l2, l2_shrinkage, lr_power = _with_shrinkage(xp, *numbers)
    before, accum = accum, grad * grad + accum
    slope, root, growth = 2 * l2_shrinkage * var + grad, accum**-lr_power, accum**-lr_power - before**-lr_power
    if multiply_linear_by_lr:
        linear, l1, curvature = slope * lr + linear - growth * var, l1 * lr, root + 2 * l2 * lr
    else:
        linear, curvature = linear + slope - growth / lr * var, root / lr + 2 * l2
    leader = (xp.sign(linear) * l1 - linear) / curvature
    return xp.where(xp.abs(linear) <= l1, 0, leader), accum, linear


def _checked(
    xp: Namespace,
    var: Array,
    accum: Array,
    linear: Array,
    grad: Array,
    *numbers: Array,
    multiply_linear_by_lr: bool,
) -> tuple[Array, ...]:
    """The same for rows, where TensorFlow refuses what it accepts for whole variables."""
    lr, l1, l2, l2_shrinkage, lr_power = _with_shrinkage(xp, *numbers)
    check_penalties(lr=lr, l1=l1, l2=l2, l2_shrinkage=l2_shrinkage, zero_rate=multiply_linear_by_lr)
    if not lr_power <= 0:
        raise InvalidArgumentError(f"`lr_power` is {lr_power!s}, but must not be positive")
    return _ftrl(xp, var, accum, linear, grad, *numbers, multiply_linear_by_lr=multiply_linear_by_lr)


def _with_shrinkage(xp: Namespace, lr: Array, l1: Array, l2: Array, *rest: Array) -> tuple[Array, ...]:
    """`lr`, `l1`, `l2`, `l2_shrinkage`, which is 0 in the operations that do not have it, and `lr_power`."""
    return (lr, l1, l2, *rest) if len(rest) == 2 else (lr, l1, l2, l2.dtype.type(0), *rest)


resource_apply_ftrl = resource_apply_ftrl_v2 = Whole(_ftrl)
resource_sparse_apply_ftrl = resource_sparse_apply_ftrl_v2 = some_rows(_checked)
