"""Activation functions, applied element by element (`softmax`: along an axis), with the defaults of Keras 3.

Each takes a scope and an operand of a floating-point type, and returns one of the same type and shape. They raise what their operations
raise: `DTypeError` for other element types, `GraphError` for an operand of another graph.
"""

from __future__ import annotations

from math import pi, sqrt
from typing import cast

from typing_extensions import TypeVar

from typegrad import functions
from typegrad.arguments.guarding import guard as _guard
from typegrad.base.errors import AttributeValueError
from typegrad.base.types import TFloating
from typegrad.graph.operand import Operand, S
from typegrad.graph.scope import Scope
from typegrad.op import core, math, nn
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

F = TypeVar("F", bound=TFloating)


def elu(scope: Scope, x: Operand[F, S], *, alpha: float = 1.0) -> Operand[F, S]:
    """x where it is positive, `alpha (exp(x) - 1)` elsewhere. Source: Clevert et al. (2016)."""
    if alpha == 1:
        return nn.Elu.create(scope, x)
    inner = scope.with_sub_scope("elu")
    tf = Ops.create(inner)
    unit: Operand[F] = tf.nn.elu(x)
    scaled = tf.math.mul(_number(inner, alpha, x), unit)
    return _shaped(tf.select(tf.math.greater(x, _number(inner, 0.0, x)), unit, scaled), x)


def exponential(scope: Scope, x: Operand[F, S]) -> Operand[F, S]:
    """`exp(x)`."""
    return math.Exp.create(scope, x)


def gelu(scope: Scope, x: Operand[F, S], *, approximate: bool = False) -> Operand[F, S]:
    """`x P(X <= x)` for a standard normal X: `x (1 + erf(x / sqrt(2))) / 2`. Source: Hendrycks and Gimpel (2016).

    With `approximate`, `x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2`.
    """
    inner = scope.with_sub_scope("gelu")
    tf = Ops.create(inner)
    if approximate:
        cube = tf.math.mul(_number(inner, 0.044715, x), tf.math.mul(x, tf.math.square(x)))
        argument = tf.math.mul(_number(inner, sqrt(2 / pi), x), tf.math.add_v2(x, cube))
        inside: Operand[F] = tf.math.tanh(argument)
    else:
        inside = tf.math.erf(tf.math.mul(x, _number(inner, sqrt(0.5), x)))
    twice = tf.math.add_v2(_number(inner, 1.0, x), inside)
    return _shaped(tf.math.mul(tf.math.mul(_number(inner, 0.5, x), x), twice), x)


def hard_sigmoid(scope: Scope, x: Operand[F, S]) -> Operand[F, S]:
    """A line through (0, 1/2) with slope 1/6, kept between 0 and 1: `relu6(x + 3) / 6`, as in Keras 3.

    Keras 2, and with it TensorFlow Java, has the slope 1/5.
    """
    inner = scope.with_sub_scope("hard_sigmoid")
    tf = Ops.create(inner)
    shifted: Operand[F] = tf.math.add_v2(x, _number(inner, 3.0, x))
    return _shaped(tf.math.real_div(tf.nn.relu6(shifted), _number(inner, 6.0, x)), x)


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
    """The rectifier: `max_value` where x is at least that, x above `threshold`, `negative_slope (x - threshold)` elsewhere.

    With a `max_value`, what lies between a negative threshold and zero becomes zero, as in Keras.

    Raises:
        AttributeValueError: `negative_slope` or `max_value` is negative.
    """
    for name, value in (("negative_slope", negative_slope), ("max_value", max_value)):
        if value is not None and not value >= 0:
            raise AttributeValueError(f"{name} must not be negative, but is {value!r}")
    if threshold == 0 and max_value is None:
        return nn.LeakyRelu.create(scope, x, alpha=negative_slope) if negative_slope else nn.Relu.create(scope, x)
    if threshold == 0 and max_value == 6 and not negative_slope:
        return nn.Relu6.create(scope, x)
    return _shaped(_bent(scope.with_sub_scope("relu"), x, negative_slope, max_value, threshold), x)


def _bent(scope: Scope, x: Operand[F], slope: float, max_value: float | None, threshold: float) -> Operand[F]:
    tf = Ops.create(scope)
    limit = _number(scope, threshold, x)
    zero = _number(scope, 0.0, x)
    positive: Operand[F] = tf.select(tf.math.greater(x, limit), x, zero) if threshold else tf.nn.relu(x)
    if max_value is not None:
        positive = tf.math.maximum(tf.math.minimum(positive, _number(scope, max_value, x)), zero)
    if not slope:
        return positive
    below: Operand[F] = tf.nn.relu(tf.math.sub(limit, x))
    return tf.math.sub(positive, tf.math.mul(_number(scope, slope, x), below))


def selu(scope: Scope, x: Operand[F, S]) -> Operand[F, S]:
    """`1.0507 elu(x, alpha=1.6733)`, which keeps zero mean and unit variance. Source: Klambauer et al. (2017)."""
    return nn.Selu.create(scope, x)


def sigmoid(scope: Scope, x: Operand[F, S]) -> Operand[F, S]:
    """`1 / (1 + exp(-x))`."""
    return math.Sigmoid.create(scope, x)


def softmax(scope: Scope, x: Operand[F, S], *, axis: int = -1) -> Operand[F, S]:
    """`exp(x)`, divided by its sum along `axis`.

    Raises:
        ShapeError: `x` has no such axis; or its rank is unknown and `axis` is not -1.
    """
    return functions.softmax(scope, x, axis)


def softplus(scope: Scope, x: Operand[F, S]) -> Operand[F, S]:
    """`log(1 + exp(x))`, without overflow."""
    return math.Softplus.create(scope, x)


def softsign(scope: Scope, x: Operand[F, S]) -> Operand[F, S]:
    """`x / (1 + |x|)`."""
    return nn.Softsign.create(scope, x)


def swish(scope: Scope, x: Operand[F, S]) -> Operand[F, S]:
    """`x sigmoid(x)`, which Keras also calls `silu`. Source: Ramachandran et al. (2017)."""
    inner = scope.with_sub_scope("swish")
    return _shaped(math.Mul.create(inner, x, math.Sigmoid.create(inner, x)), x)


def tanh(scope: Scope, x: Operand[F, S]) -> Operand[F, S]:
    """The hyperbolic tangent."""
    return math.Tanh.create(scope, x)


def _number(scope: Scope, value: float, like: Operand[F]) -> Operand[F]:
    return core.Constant.create(scope, value, like.dtype)


def _shaped(y: Operand[F], x: Operand[F, S]) -> Operand[F, S]:
    """`y`, of which the function knows that it has the shape of `x`: the type of a broadcasting operation does not say so."""
    return cast("Operand[F, S]", y)


_guard(__name__)
