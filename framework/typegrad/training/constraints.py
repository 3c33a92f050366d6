"""Constraints: projections of weights after a training step. Defaults are Keras'.

`variable.assign(scope, MaxNorm()(scope, variable))` applies one. Norms are Euclidean and computed along `axis`. For
weights of shape [inputs, outputs], the default 0 bounds the weights into each output unit; convolutions need several
axes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from operator import index
from typing import cast, final

from attrs import Attribute, field, frozen

from typegrad.arguments.guarding import guard as _guard
from typegrad.base.errors import AttributeValueError
from typegrad.graph.operand import F, Operand
from typegrad.graph.scope import Scope
from typegrad.op._ops import Ops
from typegrad.training.losses.numerics import EPSILON

__all__ = ["Constraint", "MaxNorm", "MinMaxNorm", "NonNeg", "UnitNorm"]


def _axes(axis: int | Sequence[int]) -> int | tuple[int, ...]:
    try:
        return index(cast("int", axis))
    except TypeError:
        return tuple(cast("Sequence[int]", axis))


def _check(_: object, attribute: Attribute[float], value: float) -> None:
    if not value >= 0:
        raise AttributeValueError(f"{attribute.name} must not be negative, but is {value!r}")


class Constraint(ABC):
    """A projection of weights onto the allowed weights, or close to them."""

    @abstractmethod
    def __call__(self, scope: Scope, w: Operand[F]) -> Operand[F]:
        """The allowed weights for weights `w`, of the same shape.

        Raises:
            ShapeError: `w` has no such axis.
        """


@final
@frozen
class NonNeg(Constraint):
    """Replaces negative weights by zero."""

    def __call__(self, scope: Scope, w: Operand[F]) -> Operand[F]:
        """`max(w, 0)`."""
        return Ops.create(scope).with_sub_scope("NonNeg").math.maximum(w, 0.0)


@final
@frozen
class MaxNorm(Constraint):
    """Scales weights whose norm exceeds `max_value` down to it."""

    max_value: float = field(default=2.0, validator=_check)
    axis: int | tuple[int, ...] = field(default=0, converter=_axes)

    def __call__(self, scope: Scope, w: Operand[F]) -> Operand[F]:
        """`w min(n, max_value) / (n + 1e-7)`, n the norm of `w`."""
        with Ops.create(scope).with_sub_scope("MaxNorm") as tf:
            norm = _norm(tf, w, self.axis)
            return w * (tf.math.minimum(norm, self.max_value) / (EPSILON + norm))


@final
@frozen
class MinMaxNorm(Constraint):
    """Scale weights so that their norm is between `min_value` and `max_value`, or closer by the fraction `rate`."""

    min_value: float = field(default=0.0, validator=_check)
    max_value: float = field(default=1.0, validator=_check)
    rate: float = field(default=1.0, validator=_check)
    axis: int | tuple[int, ...] = field(default=0, converter=_axes)

    def __call__(self, scope: Scope, w: Operand[F]) -> Operand[F]:
        """`w (rate min(max(n, min_value), max_value) + (1 - rate) n) / (n + 1e-7)`, n the norm of `w`."""
        with Ops.create(scope).with_sub_scope("MinMaxNorm") as tf:
            norm = _norm(tf, w, self.axis)
            target: Operand[F] = tf.math.minimum(tf.math.maximum(norm, self.min_value), self.max_value)
            if self.rate != 1:
                target = self.rate * target + (1 - self.rate) * norm
            return w * (target / (EPSILON + norm))


@final
@frozen
class UnitNorm(Constraint):
    """Scales weights to norm 1; zeros stay zeros."""

    axis: int | tuple[int, ...] = field(default=0, converter=_axes)

    def __call__(self, scope: Scope, w: Operand[F]) -> Operand[F]:
        """`w / (n + 1e-7)`, n the norm of `w`."""
        with Ops.create(scope).with_sub_scope("UnitNorm") as tf:
            return w / (EPSILON + _norm(tf, w, self.axis))


def _norm(tf: Ops, w: Operand[F], axis: int | tuple[int, ...]) -> Operand[F]:
    return tf.math.sqrt(tf.sum(tf.math.square(w), axis, keep_dims=True))


_guard(__name__)
