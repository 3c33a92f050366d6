"""The arithmetic of optimizers, for whole variables and for rows of them alike.

Each function takes the array namespace, the values of the variables, the gradient and the numbers that steer the step,
and returns the new values of the variables, in order.
"""

from __future__ import annotations

from typegrad.kernels.namespace import Array, Namespace

__all__ = [
    "ada_max",
    "adadelta",
    "adagrad",
    "adagrad_da",
    "adam",
    "amsgrad",
    "centered_rms_prop",
    "ftrl",
    "keras_momentum",
    "momentum",
    "proximal_adagrad",
    "proximal_gradient_descent",
    "rms_prop",
]


def _toward(average: Array, value: Array, decay: Array) -> Array:
    """A moving average after one more value."""
    change: Array = (value - average) * (1 - decay)
    return average + change


def _largest(xp: Namespace, before: Array, value: Array) -> Array:
    """The larger of the two; what there was before, if the new value is nan."""
    return xp.where(value > before, value, before)


def momentum(
    xp: Namespace, var: Array, accum: Array, grad: Array, lr: Array, momentum: Array, *, use_nesterov: bool
) -> tuple[Array, ...]:
    """Gradients accumulate, older ones fade."""
    accum = accum * momentum + grad
    step = grad + accum * momentum if use_nesterov else accum
    return var - step * lr, accum


def keras_momentum(
    xp: Namespace, var: Array, accum: Array, grad: Array, lr: Array, momentum: Array, *, use_nesterov: bool
) -> tuple[Array, ...]:
    """The same with steps, rather than gradients, that accumulate."""
    accum = accum * momentum - grad * lr
    step = accum * momentum - grad * lr if use_nesterov else accum
    return var + step, accum


def adagrad(
    xp: Namespace, var: Array, accum: Array, grad: Array, lr: Array, epsilon: Array, *, update_slots: bool
) -> tuple[Array, ...]:
    """The step is divided by the root of the sum of all squares."""
    if update_slots:
        accum = accum + grad * grad
    return var - grad * lr / (xp.sqrt(accum) + epsilon), accum


def adagrad_da(
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
    pull = _shrunk(xp, total, l1 * global_step)
    return -lr * pull / (l2 * global_step * lr + xp.sqrt(squares)), total, squares


def adadelta(
    xp: Namespace, var: Array, accum: Array, accum_update: Array, grad: Array, lr: Array, rho: Array, epsilon: Array
) -> tuple[Array, ...]:
    """The step has the size of earlier steps in relation to earlier gradients."""
    accum = accum * rho + grad * grad * (1 - rho)
    update = xp.sqrt(accum_update + epsilon) / xp.sqrt(accum + epsilon) * grad
    return var - update * lr, accum, accum_update * rho + update * update * (1 - rho)


def adam(
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
    m, v = _toward(m, grad, beta1), _toward(v, grad * grad, beta2)
    direction = grad * (1 - beta1) + beta1 * m if use_nesterov else m
    return var - direction * alpha / (xp.sqrt(v) + epsilon), m, v


def amsgrad(
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
    """Adam that divides by the root of the largest average there ever was."""
    alpha = lr * xp.sqrt(1 - beta2_power) / (1 - beta1_power)
    m, v = _toward(m, grad, beta1), _toward(v, grad * grad, beta2)
    vhat = _largest(xp, vhat, v)
    return var - m * alpha / (xp.sqrt(vhat) + epsilon), m, v, vhat


def ada_max(
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
    """Adam that divides by the largest gradient, where older ones fade."""
    m, v = _toward(m, grad, beta1), _largest(xp, beta2 * v, xp.abs(grad))
    return var - lr / (1 - beta1_power) * (m / (v + epsilon)), m, v


def rms_prop(
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
    ms = _toward(ms, grad * grad, rho)
    mom = mom * momentum + grad * lr / xp.sqrt(ms + epsilon)
    return var - mom, ms, mom


def centered_rms_prop(
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
    """The same with the variance of the gradient instead of its mean square."""
    mg, ms = _toward(mg, grad, rho), _toward(ms, grad * grad, rho)
    mom = mom * momentum + grad * lr / xp.sqrt(ms - mg * mg + epsilon)
    return var - mom, mg, ms, mom


def ftrl(
    xp: Namespace,
    var: Array,
    accum: Array,
    linear: Array,
    grad: Array,
    lr: Array,
    l1: Array,
    l2: Array,
    l2_shrinkage: Array,
    lr_power: Array,
    *,
    multiply_linear_by_lr: bool,
) -> tuple[Array, ...]:
    """Follow the regularized leader: the variable minimizes a model of all losses so far."""
    before, accum = accum, accum + grad * grad
    slope, root, growth = grad + 2 * l2_shrinkage * var, accum**-lr_power, accum**-lr_power - before**-lr_power
    if multiply_linear_by_lr:
        linear, l1, curvature = linear + slope * lr - growth * var, l1 * lr, root + 2 * l2 * lr
    else:
        linear, curvature = linear + slope - growth / lr * var, root / lr + 2 * l2
    leader = (xp.sign(linear) * l1 - linear) / curvature
    return xp.where(xp.abs(linear) <= l1, xp.zeros_like(var), leader), accum, linear


def proximal_gradient_descent(
    xp: Namespace, var: Array, grad: Array, lr: Array, l1: Array, l2: Array
) -> tuple[Array, ...]:
    """A step of gradient descent, then one toward zero."""
    return (_shrunk(xp, var - grad * lr, lr * l1) / (1 + l2 * lr),)


def proximal_adagrad(
    xp: Namespace, var: Array, accum: Array, grad: Array, lr: Array, l1: Array, l2: Array
) -> tuple[Array, ...]:
    """The same with a learning rate for each element, over the root of the sum of its squares."""
    accum = accum + grad * grad
    rate = lr / xp.sqrt(accum)
    return _shrunk(xp, var - grad * rate, rate * l1) / (1 + l2 * rate), accum


def _shrunk(xp: Namespace, x: Array, by: Array) -> Array:
    """x moved toward zero, and zero where it would go past it; x itself if that is a move away from zero."""
    return xp.where(by > 0, xp.sign(x) * xp.maximum(xp.abs(x) - by, 0), x)
