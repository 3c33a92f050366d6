"""Losses that compare numbers, vectors and distributions. Formulas and constants are Keras'.

Each takes labels and predictions of equal shape [..., n], or of shapes that broadcast
(`typegrad.training.losses.shapes` says how ranks that differ by one are matched). Labels are converted to the type of
the predictions. The result has shape [...], one loss for each sample; means and sums are over the last axis. Each
raises `ShapeError` if the shapes do not fit.
"""

from __future__ import annotations

from math import log
from typing import Final

from typegrad.graph.operand import F, Operand
from typegrad.graph.operand_like import RealLike
from typegrad.graph.scope import Scope
from typegrad.op._ops import Ops
from typegrad.training.losses.naming import named
from typegrad.training.losses.numerics import EPSILON, epsilon, neighbor
from typegrad.training.losses.shapes import Label, prepared

__all__ = [
    "cosine_similarity",
    "huber",
    "kl_divergence",
    "log_cosh",
    "mean_absolute_error",
    "mean_absolute_percentage_error",
    "mean_squared_error",
    "mean_squared_logarithmic_error",
    "poisson",
]

_LOG_2: Final = log(2)


def mean_squared_error(scope: Scope, y_true: Operand[Label] | RealLike, y_pred: Operand[F]) -> Operand[F]:
    """`mean((y_true - y_pred)^2)`.

    Returns:
        The losses, of shape [...] and of the type of `y_pred`, for shapes [..., n] that are equal or broadcast.

    Raises:
        ShapeError: The shapes do not fit, or a rank is unknown or zero.

    Source: Keras' `keras.losses.mean_squared_error`.
    """
    with named(scope, "mean_squared_error") as tf:
        y, p = prepared(tf, y_true, y_pred)
        return tf.math.mean(tf.math.squared_difference(y, p), -1)


def mean_absolute_error(scope: Scope, y_true: Operand[Label] | RealLike, y_pred: Operand[F]) -> Operand[F]:
    """`mean(|y_true - y_pred|)`.

    Returns:
        The losses, of shape [...] and of the type of `y_pred`, for shapes [..., n] that are equal or broadcast.

    Raises:
        ShapeError: The shapes do not fit, or a rank is unknown or zero.

    Source: Keras' `keras.losses.mean_absolute_error`.
    """
    with named(scope, "mean_absolute_error") as tf:
        y, p = prepared(tf, y_true, y_pred)
        return tf.math.mean(abs(y - p), -1)


def mean_absolute_percentage_error(scope: Scope, y_true: Operand[Label] | RealLike, y_pred: Operand[F]) -> Operand[F]:
    """`100 mean(|y_true - y_pred| / max(|y_true|, 1e-7))`.

    Returns:
        The losses, of shape [...] and of the type of `y_pred`, for shapes [..., n] that are equal or broadcast.

    Raises:
        ShapeError: The shapes do not fit, or a rank is unknown or zero.

    Source: Keras' `keras.losses.mean_absolute_percentage_error`.
    """
    with named(scope, "mean_absolute_percentage_error") as tf:
        y, p = prepared(tf, y_true, y_pred)
        return 100.0 * tf.math.mean(abs((y - p) / tf.math.maximum(abs(y), epsilon(y))), -1)


def mean_squared_logarithmic_error(scope: Scope, y_true: Operand[Label] | RealLike, y_pred: Operand[F]) -> Operand[F]:
    """`mean((log(1 + y_true) - log(1 + y_pred))^2)`. Numbers below 1e-7 count as 1e-7.

    Returns:
        The losses, of shape [...] and of the type of `y_pred`, for shapes [..., n] that are equal or broadcast.

    Raises:
        ShapeError: The shapes do not fit, or a rank is unknown or zero.

    Source: Keras' `keras.losses.mean_squared_logarithmic_error`.
    """
    with named(scope, "mean_squared_logarithmic_error") as tf:
        y, p = (tf.math.log1p(tf.math.maximum(x, epsilon(x))) for x in prepared(tf, y_true, y_pred))
        return tf.math.mean(tf.math.squared_difference(p, y), -1)


def huber(scope: Scope, y_true: Operand[Label] | RealLike, y_pred: Operand[F], *, delta: float = 1.0) -> Operand[F]:
    """The mean of `e^2 / 2` where |e| <= delta, and of `delta |e| - delta^2 / 2` elsewhere, with e = y_pred - y_true.

    Source: Huber, "Robust estimation of a location parameter" (1964).

    Returns:
        The losses, of shape [...] and of the type of `y_pred`, for shapes [..., n] that are equal or broadcast.

    Raises:
        ShapeError: The shapes do not fit, or a rank is unknown or zero.
    """
    with named(scope, "huber") as tf:
        y, p = prepared(tf, y_true, y_pred)
        error = p - y
        size = abs(error)
        quadratic, linear = 0.5 * tf.math.square(error), delta * size - 0.5 * delta * delta
        return tf.math.mean(tf.select(size <= delta, quadratic, linear), -1)


def log_cosh(scope: Scope, y_true: Operand[Label] | RealLike, y_pred: Operand[F]) -> Operand[F]:
    """`mean(log(cosh(e)))`, with e = y_pred - y_true.

    Computed as `e + softplus(-2 e) - log(2)`, which does not overflow.

    Returns:
        The losses, of shape [...] and of the type of `y_pred`, for shapes [..., n] that are equal or broadcast.

    Raises:
        ShapeError: The shapes do not fit, or a rank is unknown or zero.

    Source: Keras' `keras.losses.log_cosh`.
    """
    with named(scope, "log_cosh") as tf:
        y, p = prepared(tf, y_true, y_pred)
        error = p - y
        return tf.math.mean(error + tf.math.softplus(-2.0 * error) - _LOG_2, -1)


def cosine_similarity(
    scope: Scope, y_true: Operand[Label] | RealLike, y_pred: Operand[F], *, axis: int = -1
) -> Operand[F]:
    """Minus the cosine of the angle between vectors along `axis`: -1 for equal directions, 0 if a vector is zero.

    Returns:
        The losses, of the type of `y_pred`, of the broadcast shape of labels and predictions without `axis`.

    Raises:
        ShapeError: The shapes do not fit, or a rank is unknown or zero.

    Source: Keras' `keras.losses.cosine_similarity`.
    """
    with named(scope, "cosine_similarity") as tf:
        y, p = prepared(tf, y_true, y_pred)
        return -tf.sum(_normalized(tf, y, axis) * _normalized(tf, p, axis), axis)


def kl_divergence(scope: Scope, y_true: Operand[Label] | RealLike, y_pred: Operand[F]) -> Operand[F]:
    """`sum(y_true log(y_true / y_pred))`. Probabilities are first clipped to the range from 1e-7 to 1.

    Returns:
        The losses, of shape [...] and of the type of `y_pred`, for shapes [..., n] that are equal or broadcast.

    Raises:
        ShapeError: The shapes do not fit, or a rank is unknown or zero.

    Source: Keras' `keras.losses.kl_divergence`.
    """
    with named(scope, "kl_divergence") as tf:
        y, p = (tf.clip_by_value(x, epsilon(x), 1.0) for x in prepared(tf, y_true, y_pred))
        return tf.sum(y * tf.math.log(y / p), -1)


def poisson(scope: Scope, y_true: Operand[Label] | RealLike, y_pred: Operand[F]) -> Operand[F]:
    """`mean(y_pred - y_true log(y_pred + 1e-7))`: the negative log-likelihood of counts, up to a constant.

    Returns:
        The losses, of shape [...] and of the type of `y_pred`, for shapes [..., n] that are equal or broadcast.

    Raises:
        ShapeError: The shapes do not fit, or a rank is unknown or zero.

    Source: Keras' `keras.losses.poisson`.
    """
    with named(scope, "poisson") as tf:
        y, p = prepared(tf, y_true, y_pred)
        return tf.math.mean(p - y * tf.math.log(p + epsilon(p)), -1)


def _normalized(tf: Ops, x: Operand[F], axis: int) -> Operand[F]:
    """Divide `x` by its Euclidean norm along `axis`, but at least 1e-7: zeros stay zeros, with a finite gradient."""
    squares = tf.sum(tf.math.square(x), axis, keep_dims=True)
    return x * tf.math.rsqrt(tf.math.maximum(squares, max(EPSILON**2, neighbor(x, 0, 1))))
