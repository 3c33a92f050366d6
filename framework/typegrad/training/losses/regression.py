"""Losses that compare numbers, vectors and distributions. Formulas and constants are those of Keras 3.

Each takes labels and predictions of equal shape [..., n] (or shapes that broadcast; see
`typegrad.training.losses.shapes` for ranks that differ by one), converts the labels to the type of the predictions,
and returns a loss of shape [...] for each sample. Each raises `ShapeError` if the shapes do not fit.
"""

from __future__ import annotations

from math import log
from typing import Final

from typing_extensions import TypeVar

from typegrad.base.types import TFloating
from typegrad.graph.literals import RealLike
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.op._ops import Ops
from typegrad.training.losses.arithmetic import clip, epsilon, normalized, number
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

F = TypeVar("F", bound=TFloating)

_LOG_2: Final = log(2)


def mean_squared_error(scope: Scope, y_true: Operand[Label] | RealLike, y_pred: Operand[F]) -> Operand[F]:
    """`mean((y_true - y_pred)^2)`."""
    inner = scope.with_sub_scope("mean_squared_error")
    tf = Ops.create(inner)
    return tf.math.mean(tf.math.squared_difference(*prepared(inner, y_true, y_pred)), -1)


def mean_absolute_error(scope: Scope, y_true: Operand[Label] | RealLike, y_pred: Operand[F]) -> Operand[F]:
    """`mean(|y_true - y_pred|)`."""
    inner = scope.with_sub_scope("mean_absolute_error")
    tf = Ops.create(inner)
    return tf.math.mean(tf.math.abs(tf.math.sub(*prepared(inner, y_true, y_pred))), -1)


def mean_absolute_percentage_error(scope: Scope, y_true: Operand[Label] | RealLike, y_pred: Operand[F]) -> Operand[F]:
    """`100 mean(|y_true - y_pred| / max(|y_true|, 1e-7))`."""
    inner = scope.with_sub_scope("mean_absolute_percentage_error")
    tf = Ops.create(inner)
    y, p = prepared(inner, y_true, y_pred)
    size = tf.math.maximum(tf.math.abs(y), number(inner, epsilon(y), y))
    relative = tf.math.abs(tf.math.real_div(tf.math.sub(y, p), size))
    return tf.math.mul(number(inner, 100.0, y), tf.math.mean(relative, -1))


def mean_squared_logarithmic_error(scope: Scope, y_true: Operand[Label] | RealLike, y_pred: Operand[F]) -> Operand[F]:
    """`mean((log(1 + y_true) - log(1 + y_pred))^2)`, where numbers below 1e-7 count as 1e-7."""
    inner = scope.with_sub_scope("mean_squared_logarithmic_error")
    tf = Ops.create(inner)
    y, p = prepared(inner, y_true, y_pred)
    least = number(inner, epsilon(y), y)
    logarithms = [tf.math.log1p(tf.math.maximum(x, least)) for x in (p, y)]
    return tf.math.mean(tf.math.squared_difference(*logarithms), -1)


def huber(scope: Scope, y_true: Operand[Label] | RealLike, y_pred: Operand[F], *, delta: float = 1.0) -> Operand[F]:
    """The mean of `e^2 / 2` where |e| <= delta and of `delta |e| - delta^2 / 2` elsewhere, e = y_pred - y_true.

    Source: Huber, "Robust estimation of a location parameter" (1964).
    """
    inner = scope.with_sub_scope("huber")
    tf = Ops.create(inner)
    y, p = prepared(inner, y_true, y_pred)
    error = tf.math.sub(p, y)
    size = tf.math.abs(error)
    bound = number(inner, delta, y)
    quadratic = tf.math.mul(number(inner, 0.5, y), tf.math.square(error))
    linear = tf.math.sub(tf.math.mul(bound, size), number(inner, 0.5 * delta * delta, y))
    return tf.math.mean(tf.select(tf.math.less_equal(size, bound), quadratic, linear), -1)


def log_cosh(scope: Scope, y_true: Operand[Label] | RealLike, y_pred: Operand[F]) -> Operand[F]:
    """`mean(log(cosh(e)))`, e = y_pred - y_true, computed as `e + softplus(-2 e) - log(2)`, which does not overflow."""
    inner = scope.with_sub_scope("log_cosh")
    tf = Ops.create(inner)
    y, p = prepared(inner, y_true, y_pred)
    error = tf.math.sub(p, y)
    bent = tf.math.softplus(tf.math.mul(number(inner, -2.0, y), error))
    return tf.math.mean(tf.math.sub(tf.math.add_v2(error, bent), number(inner, _LOG_2, y)), -1)


def cosine_similarity(
    scope: Scope, y_true: Operand[Label] | RealLike, y_pred: Operand[F], *, axis: int = -1
) -> Operand[F]:
    """Minus the cosine of the angle between the vectors along `axis`: -1 where they point the same way; 0 if one is zero."""
    inner = scope.with_sub_scope("cosine_similarity")
    tf = Ops.create(inner)
    y, p = prepared(inner, y_true, y_pred)
    return tf.math.neg(tf.sum(tf.math.mul(normalized(inner, y, axis), normalized(inner, p, axis)), axis))


def kl_divergence(scope: Scope, y_true: Operand[Label] | RealLike, y_pred: Operand[F]) -> Operand[F]:
    """`sum(y_true log(y_true / y_pred))`, where probabilities are first kept between 1e-7 and 1."""
    inner = scope.with_sub_scope("kl_divergence")
    tf = Ops.create(inner)
    y, p = (clip(inner, x, epsilon(x), 1.0) for x in prepared(inner, y_true, y_pred))
    return tf.sum(tf.math.mul(y, tf.math.log(tf.math.real_div(y, p))), -1)


def poisson(scope: Scope, y_true: Operand[Label] | RealLike, y_pred: Operand[F]) -> Operand[F]:
    """`mean(y_pred - y_true log(y_pred + 1e-7))`: the negative log-likelihood of counts with mean y_pred, but for a constant."""
    inner = scope.with_sub_scope("poisson")
    tf = Ops.create(inner)
    y, p = prepared(inner, y_true, y_pred)
    logarithm = tf.math.log(tf.math.add_v2(p, number(inner, epsilon(y), y)))
    return tf.math.mean(tf.math.sub(p, tf.math.mul(y, logarithm)), -1)
