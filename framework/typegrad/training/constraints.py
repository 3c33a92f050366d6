"""Constraints: what weights are replaced by after a training step. Defaults are those of Keras.

`variable.assign(scope, MaxNorm()(scope, variable))` applies one. Norms are Euclidean and taken along `axis`: 0, the default,
for weights of shape [inputs, outputs] bounds the weights into each output unit; several axes for convolutions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from operator import index
from typing import Any, Final, final

from attrs import Attribute, field, frozen
from typing_extensions import TypeVar

from typegrad.arguments.guarding import guard as _guard
from typegrad.base.errors import AttributeValueError
from typegrad.base.types import TFloating
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.op import core
from typegrad.op._ops import Ops

__all__ = ["Constraint", "MaxNorm", "MinMaxNorm", "NonNeg", "UnitNorm"]

F = TypeVar("F", bound=TFloating)

_EPSILON: Final = 1e-7
"""Keras' small number, added to norms before division."""


def _axes(value: int | Sequence[int]) -> int | tuple[int, ...]:
    given: Any = value
    try:
        return index(given)
    except TypeError:
        return tuple(given)


def _check(constraint: Any, attribute: Attribute[Any], value: float) -> None:
    if not value >= 0:
        raise AttributeValueError(f"{attribute.name} must not be negative, but is {value!r}")


class Constraint(ABC):
    """A projection of weights on the weights that are allowed, or near it."""

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
        inner = scope.with_sub_scope("NonNeg")
        return Ops.create(inner).math.maximum(w, core.Constant.create(inner, 0.0, w.dtype))


@final
@frozen
class MaxNorm(Constraint):
    """Scales weights whose norm is above `max_value` down to it."""

    max_value: float = field(default=2.0, validator=_check)
    axis: int | tuple[int, ...] = field(default=0, converter=_axes)

    def __call__(self, scope: Scope, w: Operand[F]) -> Operand[F]:
        """`w min(n, max_value) / (n + 1e-7)`, n the norm of `w`."""
        return _scaled(scope.with_sub_scope("MaxNorm"), w, self.axis, None, self.max_value)


@final
@frozen
class MinMaxNorm(Constraint):
    """Moves norms that are not between `min_value` and `max_value` to the nearer of these, or by the share `rate` of the way."""

    min_value: float = field(default=0.0, validator=_check)
    max_value: float = field(default=1.0, validator=_check)
    rate: float = field(default=1.0, validator=_check)
    axis: int | tuple[int, ...] = field(default=0, converter=_axes)

    def __call__(self, scope: Scope, w: Operand[F]) -> Operand[F]:
        """`w (rate min(max(n, min_value), max_value) + (1 - rate) n) / (n + 1e-7)`, n the norm of `w`."""
        return _scaled(scope.with_sub_scope("MinMaxNorm"), w, self.axis, self.min_value, self.max_value, self.rate)


@final
@frozen
class UnitNorm(Constraint):
    """Scales weights to norm 1; zeros stay zeros."""

    axis: int | tuple[int, ...] = field(default=0, converter=_axes)

    def __call__(self, scope: Scope, w: Operand[F]) -> Operand[F]:
        """`w / (n + 1e-7)`, n the norm of `w`."""
        inner = scope.with_sub_scope("UnitNorm")
        tf = Ops.create(inner)
        return tf.math.real_div(w, _positive(inner, _norm(inner, w, self.axis)))


def _norm(scope: Scope, w: Operand[F], axis: int | tuple[int, ...]) -> Operand[F]:
    tf = Ops.create(scope)
    return tf.math.sqrt(tf.sum(tf.math.square(w), axis, keep_dims=True))


def _positive(scope: Scope, norm: Operand[F]) -> Operand[F]:
    return Ops.create(scope).math.add_v2(core.Constant.create(scope, _EPSILON, norm.dtype), norm)


def _scaled(
    scope: Scope, w: Operand[F], axis: int | tuple[int, ...], low: float | None, high: float, rate: float = 1.0
) -> Operand[F]:
    """`w` with its norm moved into the range from `low` (None: zero) to `high`."""
    tf = Ops.create(scope)
    norm = _norm(scope, w, axis)
    wanted = norm if low is None else tf.math.maximum(norm, core.Constant.create(scope, low, w.dtype))
    wanted = tf.math.minimum(wanted, core.Constant.create(scope, high, w.dtype))
    if rate != 1:
        moved = tf.math.mul(core.Constant.create(scope, rate, w.dtype), wanted)
        kept = tf.math.mul(core.Constant.create(scope, 1 - rate, w.dtype), norm)
        wanted = tf.math.add_v2(moved, kept)
    return tf.math.mul(w, tf.math.real_div(wanted, _positive(scope, norm)))


_guard(__name__)
