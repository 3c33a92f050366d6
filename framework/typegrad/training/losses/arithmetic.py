"""Small pieces that several losses and metrics are made of."""

from __future__ import annotations

from typing import Final

import numpy as np
from typing_extensions import TypeVar

from typegrad.base.types import TFloat16, TFloating
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.op import core
from typegrad.op._ops import Ops

__all__ = ["clip", "clip_probability", "epsilon", "normalized", "number"]

F = TypeVar("F", bound=TFloating)

_EPSILON: Final = 1e-7
"""Keras' small number."""

_HALF_EPSILON: Final = 2.0**-15
"""Its stand-in for half precision, where 1 / 1e-7 is infinite."""


def epsilon(like: Operand[F]) -> float:
    """A small number for the type of `like`, which keeps quotients, logarithms and their derivatives finite."""
    return _HALF_EPSILON if like.dtype is TFloat16 else _EPSILON


def number(scope: Scope, value: float, like: Operand[F]) -> Operand[F, tuple[()]]:
    """A scalar constant of the type of `like`."""
    return core.Constant.create(scope, value, like.dtype)


def clip(scope: Scope, x: Operand[F], low: float, high: float) -> Operand[F]:
    """`x`, kept between `low` and `high`; flat outside, with slope 1 up to the bounds."""
    return core.ClipByValue.create(scope, x, number(scope, low, x), number(scope, high, x))


def clip_probability(scope: Scope, p: Operand[F]) -> Operand[F]:
    """`p`, kept so far from 0 and 1 that the logarithms of p and 1 - p are finite.

    That is 1e-7 away; in half precision and bfloat16, where 1 - 1e-7 is 1, the upper bound is the largest number below 1.
    """
    return clip(scope, p, epsilon(p), min(1 - epsilon(p), _neighbor(p, 1, 0)))


def normalized(scope: Scope, x: Operand[F], axis: int) -> Operand[F]:
    """`x`, divided by its Euclidean norm along `axis`, or by 1e-7 if that is more: zeros stay zeros, with a finite gradient."""
    tf = Ops.create(scope)
    squares = tf.sum(tf.math.square(x), axis, keep_dims=True)
    least = max(_EPSILON**2, _neighbor(x, 0, 1))
    return tf.math.mul(x, tf.math.rsqrt(tf.math.maximum(squares, number(scope, least, x))))


def _neighbor(x: Operand[F], value: int, direction: int) -> float:
    """The number next to `value`, on the way to `direction`, in the type of `x`."""
    kind = x.dtype.numpy.type
    return float(np.nextafter(kind(value), kind(direction)))
