"""Activation functions, applied element by element (`softmax`: along an axis), with the defaults of Keras 3.

Each takes a scope and an operand of a floating-point type, and returns an operand of the same type and shape. Errors
are raised by the operations: `DTypeError` for other element types, `GraphError` for an operand of another graph.
"""

from __future__ import annotations

from typing import cast

from typegrad import functions
from typegrad.arguments.guarding import guard as _guard
from typegrad.base.errors import AttributeValueError
from typegrad.graph.operand import F, Operand, S
from typegrad.graph.scope import Scope
from typegrad.op._ops import Ops

__all__ = [
    "elu",
    "exponential",
    "gelu",
    "hard_sigmoid",
    "linear",
    "relu",
    "selu",
    "sigmoid",
    "softmax",
    "softplus",
    "softsign",
    "swish",
    "tanh",
]


def elu(scope: Scope, x: Operand[F, S], *, alpha: float = 1.0) -> Operand[F, S]:
    """x where it is positive, `alpha (exp(x) - 1)` elsewhere. Source: Clevert et al. (2016)."""
    if alpha == 1:
        return Ops.create(scope).nn.elu(x)
    with Ops.create(scope).with_sub_scope("elu") as tf:
        unit = tf.nn.elu(x)
        return _shaped_as(x, tf.select(x > 0.0, unit, alpha * unit))


def exponential(scope: Scope, x: Operand[F, S]) -> Operand[F, S]:
    """`exp(x)`."""
    return Ops.create(scope).math.exp(x)


def gelu(scope: Scope, x: Operand[F, S], *, approximate: bool = False) -> Operand[F, S]:
    """`x P(X <= x)` for a standard normal X: `x erfc(-x / sqrt(2)) / 2`. Source: Hendrycks and Gimpel (2016).

    With `approximate`, `x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2`.
    """
    return functions.gelu(scope, x, approximate=approximate)


def hard_sigmoid(scope: Scope, x: Operand[F, S]) -> Operand[F, S]:
    """A line through (0, 1/2) with slope 1/6, clipped to the range from 0 to 1: `relu6(x + 3) / 6`, as in Keras 3.

    Keras 2 and TensorFlow Java have the slope 1/5.
    """
    with Ops.create(scope).with_sub_scope("hard_sigmoid") as tf:
        return _shaped_as(x, tf.nn.relu6(x + 3.0) / 6.0)


def linear(scope: Scope, x: Operand[F, S]) -> Operand[F, S]:
    """x itself; no operation is added."""
    return x


def relu(
    scope: Scope,
    x: Operand[F, S],
    *,
    negative_slope: float = 0.0,
    max_value: float | None = None,
    threshold: float = 0.0,
) -> Operand[F, S]:
    """The rectifier: `max_value` if x is above it, x above `threshold`, else `negative_slope (x - threshold)`.

    With a `max_value`, numbers between a negative threshold and zero become zero, as in Keras.

    Raises:
        AttributeValueError: `negative_slope` or `max_value` is negative.
    """
    for name, value in (("negative_slope", negative_slope), ("max_value", max_value)):
        if value is not None and not value >= 0:
            raise AttributeValueError(f"{name} must not be negative, but is {value!r}")
    nn = Ops.create(scope).nn
    if threshold == 0 and max_value is None:
        return nn.leaky_relu(x, alpha=negative_slope) if negative_slope else nn.relu(x)
    if threshold == 0 and max_value == 6 and not negative_slope:
        return nn.relu6(x)
    with Ops.create(scope).with_sub_scope("relu") as tf:
        return _shaped_as(x, _rectified(tf, x, negative_slope, max_value, threshold))


def _rectified(tf: Ops, x: Operand[F], slope: float, max_value: float | None, threshold: float) -> Operand[F]:
    positive: Operand[F] = tf.select(x > threshold, x, 0.0) if threshold else tf.nn.relu(x)
    if max_value is not None:
        positive = tf.math.maximum(tf.math.minimum(positive, max_value), 0.0)
    return positive - slope * tf.nn.relu(threshold - x) if slope else positive


def selu(scope: Scope, x: Operand[F, S]) -> Operand[F, S]:
    """`1.0507 elu(x, alpha=1.6733)`, which keeps zero mean and unit variance. Source: Klambauer et al. (2017)."""
    return Ops.create(scope).nn.selu(x)


def sigmoid(scope: Scope, x: Operand[F, S]) -> Operand[F, S]:
    """`1 / (1 + exp(-x))`."""
    return Ops.create(scope).math.sigmoid(x)


def softmax(scope: Scope, x: Operand[F, S], *, axis: int = -1) -> Operand[F, S]:
    """`exp(x)`, divided by its sum along `axis`.

    Raises:
        ShapeError: `x` has no such axis; or its rank is unknown and `axis` is not -1.
    """
    return functions.softmax(scope, x, axis)


def softplus(scope: Scope, x: Operand[F, S]) -> Operand[F, S]:
    """`log(1 + exp(x))`, without overflow."""
    return Ops.create(scope).math.softplus(x)


def softsign(scope: Scope, x: Operand[F, S]) -> Operand[F, S]:
    """`x / (1 + |x|)`."""
    return Ops.create(scope).nn.softsign(x)


def swish(scope: Scope, x: Operand[F, S]) -> Operand[F, S]:
    """`x sigmoid(x)`, which Keras also calls `silu`. Source: Ramachandran et al. (2017)."""
    with Ops.create(scope).with_sub_scope("swish") as tf:
        return _shaped_as(x, x * tf.math.sigmoid(x))


def tanh(scope: Scope, x: Operand[F, S]) -> Operand[F, S]:
    """The hyperbolic tangent."""
    return Ops.create(scope).math.tanh(x)


def _shaped_as(x: Operand[F, S], y: Operand[F]) -> Operand[F, S]:
    """`y`, which has the shape of `x`: the types of broadcasting operations do not say so."""
    return cast("Operand[F, S]", y)


_guard(__name__)
