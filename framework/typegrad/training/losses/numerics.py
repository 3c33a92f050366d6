"""Small numbers that keep quotients, logarithms and their derivatives finite."""

from __future__ import annotations

from typing import Final

import numpy as np

from typegrad.base.types import TFloat16
from typegrad.graph.operand import F, Operand
from typegrad.op._ops import Ops

__all__ = ["EPSILON", "clip_probability", "epsilon", "neighbor"]

EPSILON: Final = 1e-7
"""The small number of Keras."""

_HALF_EPSILON: Final = 2.0**-15
"""Its replacement in half precision, where 1 / 1e-7 is infinite."""


def epsilon(x: Operand[F]) -> float:
    """The small number for the element type of `x`."""
    return _HALF_EPSILON if x.dtype is TFloat16 else EPSILON


def clip_probability(tf: Ops, p: Operand[F]) -> Operand[F]:
    """Clip `p` away from 0 and 1, so that the logarithms of p and 1 - p are finite.

    The margin is 1e-7. In half precision and bfloat16, where 1 - 1e-7 is 1, the upper bound is the largest number below
    1.
    """
    return tf.clip_by_value(p, epsilon(p), min(1 - epsilon(p), neighbor(p, 1, 0)))


def neighbor(x: Operand[F], value: int, direction: int) -> float:
    """The number of the type of `x` that is next to `value` towards `direction`."""
    kind = x.dtype.numpy.type
    return float(np.nextafter(kind(value), kind(direction)))
