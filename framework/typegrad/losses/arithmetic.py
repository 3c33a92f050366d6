"""Small pieces that several losses and metrics are made of."""

from __future__ import annotations

from typing import Final

import numpy as np
from typing_extensions import TypeVar

from typegrad.op import core
from typegrad.op._ops import Ops
from typegrad.operand import Operand
from typegrad.scope import Scope
from typegrad.types import TFloating

__all__ = ["EPSILON", "clip", "clip_probability", "normalized", "number"]

F = TypeVar("F", bound=TFloating)

EPSILON: Final = 1e-7
"""Keras' small number, which keeps quotients and logarithms finite."""


def number(scope: Scope, value: float, like: Operand[F]) -> Operand[F, tuple[()]]:
    """A scalar constant of the type of `like`."""
    return core.Constant.create(scope, value, like.dtype)


def clip(scope: Scope, x: Operand[F], low: float, high: float) -> Operand[F]:
    """`x`, kept between `low` and `high`; flat outside, with slope 1 up to the bounds."""
    tf = Ops.create(scope)
    return tf.math.maximum(tf.math.minimum(x, number(scope, high, x)), number(scope, low, x))


def clip_probability(scope: Scope, p: Operand[F]) -> Operand[F]:
    """`p`, kept so far from 0 and 1 that the logarithms of p and 1 - p are finite.

    That is 1e-7 away; in half precision and bfloat16, where 1 - 1e-7 is 1, the upper bound is the largest number below 1.
    """
    return clip(scope, p, EPSILON, min(1 - EPSILON, _neighbor(p, 1, 0)))


def normalized(scope: Scope, x: Operand[F], axis: int) -> Operand[F]:
    """`x`, divided by its Euclidean norm along `axis`, or by 1e-7 if that is more: zeros stay zeros, with a finite gradient."""
    tf = Ops.create(scope)
    squares = tf.sum(tf.math.square(x), axis, keep_dims=True)
    least = max(EPSILON**2, _neighbor(x, 0, 1))
    return tf.math.mul(x, tf.math.rsqrt(tf.math.maximum(squares, number(scope, least, x))))


def _neighbor(x: Operand[F], value: int, direction: int) -> float:
    """The number next to `value`, on the way to `direction`, in the type of `x`."""
    kind = x.dtype.numpy.type
    return float(np.nextafter(kind(value), kind(direction)))
