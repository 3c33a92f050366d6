"""Kernels of `ops/activation.yaml`."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from typegrad.kernels.precision import widened

# The fixed point of Klambauer et al., 2017, at which activations keep mean 0 and variance 1.
SELU_SCALE: Final = 1.0507009873554804934193349852946
SELU_SCALED_ALPHA: Final = 1.7580993408473768599402175208123


def relu(xp: Any, features: Any) -> Any:
    """max(x, 0)."""
    return xp.maximum(features, features.dtype.type(0))


def relu6(xp: Any, features: Any) -> Any:
    """min(max(x, 0), 6)."""
    number = features.dtype.type
    return xp.minimum(xp.maximum(features, number(0)), number(6))


def leaky_relu(xp: Any, features: Any, *, alpha: float) -> Any:
    """x above 0, alpha x elsewhere."""
    return xp.where(features > 0, features, features * _slope(features, alpha))


def _slope(x: Any, alpha: float) -> Any:
    # Float attributes are float32, whatever the type of the operation.
    return x.dtype.type(np.float32(alpha))


def elu(xp: Any, features: Any) -> Any:
    """x from 0 up, exp(x) - 1 below."""
    return widened(xp, lambda x: xp.where(x < 0, xp.expm1(x), x), features)


def selu(xp: Any, features: Any) -> Any:
    """Scaled x from 0 up, scaled alpha (exp(x) - 1) below."""

    def function(x: Any) -> Any:
        number = x.dtype.type
        return xp.where(x < 0, xp.expm1(x) * number(SELU_SCALED_ALPHA), x * number(SELU_SCALE))

    return widened(xp, function, features)


def relu_grad(xp: Any, gradients: Any, features: Any) -> Any:
    """The gradient where the feature is above 0."""
    return gradients * (features > 0).astype(gradients.dtype)


def relu6_grad(xp: Any, gradients: Any, features: Any) -> Any:
    """The gradient where the feature is strictly between 0 and 6."""
    return gradients * ((features > 0) & (features < 6)).astype(gradients.dtype)


def leaky_relu_grad(xp: Any, gradients: Any, features: Any, *, alpha: float) -> Any:
    """The gradient where the feature is above 0, alpha times the gradient elsewhere."""
    return xp.where(features > 0, gradients, gradients * _slope(gradients, alpha))


def elu_grad(xp: Any, gradients: Any, outputs: Any) -> Any:
    """exp(x) is y + 1 where y is below 0."""
    return widened(xp, lambda grad, y: xp.where(y < 0, (y + 1) * grad, grad), gradients, outputs)


def selu_grad(xp: Any, gradients: Any, outputs: Any) -> Any:
    """scale alpha exp(x) is y + scale alpha where y is below 0."""

    def function(grad: Any, y: Any) -> Any:
        number = grad.dtype.type
        return xp.where(y < 0, (y + number(SELU_SCALED_ALPHA)) * grad, grad * number(SELU_SCALE))

    return widened(xp, function, gradients, outputs)


def sigmoid(xp: Any, x: Any) -> Any:
    """1 / (1 + exp(-x)), which is accurate for every x: where exp overflows, the result underflows to 0."""
    if x.dtype.kind != "c":
        return widened(xp, lambda v: 1 / (1 + xp.exp(-v)), x)
    # 1 over a complex number that overflowed is nan, so exp must not overflow.
    small = xp.exp(xp.where(x.real < 0, x, -x))
    return xp.where(x.real < 0, small, xp.ones_like(x)) / (1 + small)


def sigmoid_grad(xp: Any, y: Any, dy: Any) -> Any:
    """dy y (1 - y)."""
    return widened(xp, lambda y, dy: dy * y * (1 - y), y, dy)


def softplus(xp: Any, features: Any) -> Any:
    """log(exp(x) + exp(0)), without overflow."""
    return widened(xp, lambda x: xp.logaddexp(x, xp.zeros_like(x)), features)


def softplus_grad(xp: Any, gradients: Any, features: Any) -> Any:
    """gradients / (1 + exp(-features))."""
    return widened(xp, lambda dy, x: dy / (1 + xp.exp(-x)), gradients, features)


def softsign(xp: Any, features: Any) -> Any:
    """x / (1 + |x|)."""
    return widened(xp, lambda x: x / (1 + xp.abs(x)), features)


def softsign_grad(xp: Any, gradients: Any, features: Any) -> Any:
    """gradients / (1 + |features|)^2."""
    return widened(xp, lambda dy, x: dy / xp.square(1 + xp.abs(x)), gradients, features)
