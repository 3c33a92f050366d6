"""Kernels of `ops/activation.yaml`. NumPy rounds attributes."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import widened

# The fixed point of Klambauer et al., 2017, at which activations keep mean 0 and variance 1.
SELU_SCALE: Final = 1.0507009873554804934193349852946
SELU_SCALED_ALPHA: Final = 1.7580993408473768599402175208123
_BELOW_0: Final = -(2.0**-60)
"""So near to 0 that exp(x) - 1 is x."""


def relu(xp: Namespace, features: Array) -> Array:
    """max(x, 0)."""
    return xp.maximum(features, features.dtype.type(0))


def relu6(xp: Namespace, features: Array) -> Array:
    """min(max(x, 0), 6)."""
    number = features.dtype.type
    return xp.minimum(xp.maximum(features, number(0)), number(6))


def leaky_relu(xp: Namespace, features: Array, *, alpha: float) -> Array:
    """x above 0, alpha x elsewhere."""
    scaled = features * _slope(features, alpha)
    if 0 < alpha <= 1:  # the larger one, without branches; 0 times infinity would be nan
        return xp.maximum(features, scaled)
    return xp.where(features > 0, features, scaled)


def _slope(x: Array, alpha: float) -> Any:
    # Float attributes are float32, whatever the type of the operation.
    return x.dtype.type(np.float32(alpha))


def elu(xp: Namespace, features: Array) -> Array:
    """x from 0 up, exp(x) - 1 below."""
    return widened(xp, lambda x: _elu(xp, x), features)


def _elu(xp: Namespace, x: Array) -> Array:
    """The larger one, without branches. Of 0 and -0 that could be either, so exp(x) - 1 stays below 0."""
    return xp.maximum(x, xp.expm1(xp.minimum(x, _BELOW_0)))


def selu(xp: Namespace, features: Array) -> Array:
    """Scaled x from 0 up, scaled alpha (exp(x) - 1) below."""

    def function(x: Array) -> Array:
        number, y = x.dtype.type, _elu(xp, x)
        return xp.minimum(y * number(SELU_SCALE), y * number(SELU_SCALED_ALPHA))

    return widened(xp, function, features)


def relu_grad(xp: Namespace, gradients: Array, features: Array) -> Array:
    """The gradient where the feature is above 0."""
    return xp.multiply(gradients, features > 0)


def relu6_grad(xp: Namespace, gradients: Array, features: Array) -> Array:
    """The gradient where the feature is strictly between 0 and 6."""
    return xp.multiply(gradients, (features > 0) & (features < 6))


def leaky_relu_grad(xp: Namespace, gradients: Array, features: Array, *, alpha: float) -> Array:
    """The gradient where the feature is above 0, alpha times the gradient elsewhere."""
    return xp.where(features > 0, gradients, gradients * _slope(gradients, alpha))


def elu_grad(xp: Namespace, gradients: Array, outputs: Array) -> Array:
    """exp(x) is y + 1 where y is below 0."""
    return widened(xp, lambda grad, y: xp.where(y < 0, (y + 1) * grad, grad), gradients, outputs)


def selu_grad(xp: Namespace, gradients: Array, outputs: Array) -> Array:
    """scale alpha exp(x) is y + scale alpha where y is below 0."""
    lowest = outputs.dtype.type(SELU_SCALED_ALPHA)  # rounded as y is, so that the slope is 0 where y is constant

    def function(grad: Array, y: Array) -> Array:
        number = grad.dtype.type
        return xp.where(y < 0, (y + number(lowest)) * grad, grad * number(SELU_SCALE))

    return widened(xp, function, gradients, outputs)


def sigmoid(xp: Namespace, x: Array) -> Array:
    """1 / (1 + exp(-x)), which is accurate for every x: where exp overflows, the result underflows to 0."""
    if x.dtype.kind != "c":
        return widened(xp, lambda v: 1 / (1 + xp.exp(-v)), x)
    # 1 over a complex number that overflowed is nan, so exp must not overflow.
    small = xp.exp(xp.where(xp.real(x) < 0, x, -x))
    return xp.divide(xp.where(xp.real(x) < 0, small, xp.ones_like(x)), 1 + small)


def sigmoid_grad(xp: Namespace, y: Array, dy: Array) -> Array:
    """dy y (1 - y)."""
    return widened(xp, lambda y, dy: dy * y * (1 - y), y, dy)


def softplus(xp: Namespace, features: Array) -> Array:
    """log(exp(x) + exp(0)), without overflow."""
    return widened(xp, lambda x: xp.maximum(x, 0) + xp.log1p(xp.exp(-xp.abs(x))), features)


def softplus_grad(xp: Namespace, gradients: Array, features: Array) -> Array:
    """gradients / (1 + exp(-features))."""
    return widened(xp, lambda dy, x: dy / (1 + xp.exp(-x)), gradients, features)


def softsign(xp: Namespace, features: Array) -> Array:
    """x / (1 + |x|)."""
    return widened(xp, lambda x: x / (1 + xp.abs(x)), features)


def softsign_grad(xp: Namespace, gradients: Array, features: Array) -> Array:
    """gradients / (1 + |features|)^2."""
    return widened(xp, lambda dy, x: dy / xp.square(1 + xp.abs(x)), gradients, features)
