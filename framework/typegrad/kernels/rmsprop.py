"""Kernels of `ops/rmsprop.yaml`: RMSProp and AdaDelta."""

from __future__ import annotations

from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.updating import Whole, moving_average, some_rows


def _rms_prop(
    xp: Namespace,
    var: Array,
    ms: Array,
    mom: Array,
    lr: Array,
    rho: Array,
    momentum: Array,
    epsilon: Array,
    grad: Array,
) -> tuple[Array, ...]:
    """The gradient over the root of a moving average of its square."""
    ms = moving_average(ms, grad * grad, rho)
    mom = mom * momentum + grad * lr / xp.sqrt(ms + epsilon)
    return var - mom, ms, mom


resource_apply_rms_prop = Whole(_rms_prop)
resource_sparse_apply_rms_prop = some_rows(_rms_prop)


def _centered_rms_prop(
    xp: Namespace,
    var: Array,
    mg: Array,
    ms: Array,
    mom: Array,
    lr: Array,
    rho: Array,
    momentum: Array,
    epsilon: Array,
    grad: Array,
) -> tuple[Array, ...]:
    """RMSProp with the variance of the gradient instead of its mean square."""
    mg, ms = moving_average(mg, grad, rho), moving_average(ms, grad * grad, rho)
    mom = mom * momentum + grad * lr / xp.sqrt(ms - mg * mg + epsilon)
    return var - mom, mg, ms, mom


resource_apply_centered_rms_prop = Whole(_centered_rms_prop)
resource_sparse_apply_centered_rms_prop = some_rows(_centered_rms_prop)


def _adadelta(
    xp: Namespace, var: Array, accum: Array, accum_update: Array, lr: Array, rho: Array, epsilon: Array, grad: Array
) -> tuple[Array, ...]:
    """The step has the size of earlier steps in relation to earlier gradients."""
    accum = accum * rho + grad * grad * (1 - rho)
    update = xp.sqrt(accum_update + epsilon) / xp.sqrt(accum + epsilon) * grad
    return var - update * lr, accum, accum_update * rho + update * update * (1 - rho)


resource_apply_adadelta = Whole(_adadelta)
resource_sparse_apply_adadelta = some_rows(_adadelta)
