"""Learning rates that change with the step: functions of a scope and a step that return a rate.

Each is a pure function of the step, made of ordinary operations and computed in double precision. Names, parameters and
formulas follow Keras' `learning_rate_schedule`. Any function with the signature `Schedule` is a schedule.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final, TypeAlias, final

from attrs import Attribute, field, frozen

from typegrad.base.errors import AttributeValueError
from typegrad.base.types import TFloat64
from typegrad.functions.casting import as_type
from typegrad.graph.operand import AnyOperand, Operand
from typegrad.graph.scope import Scope
from typegrad.op._ops import Ops
from typegrad.training.optimizers.checks import at_least_zero, finite, positive, validator

__all__ = [
    "NO_OPERAND",
    "NO_SCHEDULE",
    "Constant",
    "CosineDecay",
    "ExponentialDecay",
    "InverseTimeDecay",
    "PiecewiseConstant",
    "PolynomialDecay",
    "Schedule",
    "WarmUp",
]

Schedule: TypeAlias = Callable[[Scope, AnyOperand], AnyOperand]
"""From the number of steps taken so far, a scalar of any numeric type, to the learning rate, a floating-point scalar.

An optimizer calls it with the scope as the current one: operators add their operations there.
"""

NO_SCHEDULE: Final = "a schedule takes a scope and the step: lambda scope, step: ..."
NO_OPERAND: Final = "a schedule returns an operand; core.Constant.create(scope, ...) makes one of a number"

_FINITE: Final = validator(finite)
_POSITIVE: Final = validator(positive)
_AT_LEAST_ZERO: Final = validator(at_least_zero)


@final
@frozen
class Constant:
    """The same rate at every step."""

    learning_rate: float = field(validator=_FINITE)

    def __call__(self, scope: Scope, step: AnyOperand) -> Operand[TFloat64]:  # noqa: ARG002
        """The rate at `step`."""
        return Ops.create(scope).with_sub_scope("Constant").constant(self.learning_rate, TFloat64)


@final
@frozen
class ExponentialDecay:
    """`initial_learning_rate * decay_rate ** (step / decay_steps)`; with `staircase`, the quotient is rounded down."""

    initial_learning_rate: float = field(validator=_FINITE)
    decay_steps: float = field(validator=_POSITIVE)
    decay_rate: float = field(validator=_AT_LEAST_ZERO)
    staircase: bool = False

    def __call__(self, scope: Scope, step: AnyOperand) -> Operand[TFloat64]:
        """The rate at `step`."""
        with Ops.create(scope).with_sub_scope("ExponentialDecay") as tf:
            periods = _periods(tf, step, self.decay_steps, staircase=self.staircase)
            return self.initial_learning_rate * self.decay_rate**periods


@final
@frozen
class InverseTimeDecay:
    """`initial_learning_rate / (1 + decay_rate * step / decay_steps)`; `staircase` rounds the last quotient down."""

    initial_learning_rate: float = field(validator=_FINITE)
    decay_steps: float = field(validator=_POSITIVE)
    decay_rate: float = field(validator=_AT_LEAST_ZERO)
    staircase: bool = False

    def __call__(self, scope: Scope, step: AnyOperand) -> Operand[TFloat64]:
        """The rate at `step`."""
        with Ops.create(scope).with_sub_scope("InverseTimeDecay") as tf:
            periods = _periods(tf, step, self.decay_steps, staircase=self.staircase)
            return self.initial_learning_rate / (1.0 + self.decay_rate * periods)


def _periods(tf: Ops, step: AnyOperand, decay_steps: float, *, staircase: bool) -> Operand[TFloat64]:
    """`step / decay_steps`, with `staircase` rounded down."""
    periods: Operand[TFloat64] = as_type(tf.scope, step, TFloat64) / decay_steps
    return tf.math.floor(periods) if staircase else periods


@final
@frozen
class PolynomialDecay:
    """From `initial_learning_rate` to `end_learning_rate` in `decay_steps` steps, along `(1 - progress) ** power`.

    With `cycle`, the decay starts again each time it has ended, over twice, three times, ... as many steps.
    """

    initial_learning_rate: float = field(validator=_FINITE)
    decay_steps: float = field(validator=_POSITIVE)
    end_learning_rate: float = field(default=0.0001, validator=_FINITE)
    power: float = field(default=1.0, validator=_AT_LEAST_ZERO)
    cycle: bool = False

    def __call__(self, scope: Scope, step: AnyOperand) -> Operand[TFloat64]:
        """The rate at `step`."""
        with Ops.create(scope).with_sub_scope("PolynomialDecay") as tf:
            time = as_type(tf.scope, step, TFloat64)
            if self.cycle:
                rounds = tf.math.maximum(1.0, tf.math.ceil(time / self.decay_steps))
                progress = time / (self.decay_steps * rounds)
            else:
                progress = tf.math.minimum(time, self.decay_steps) / self.decay_steps
            span = self.initial_learning_rate - self.end_learning_rate
            return span * (1.0 - progress) ** self.power + self.end_learning_rate


@final
@frozen
class CosineDecay:
    """From `initial_learning_rate` to `alpha` times that in `decay_steps` steps, along half a cosine wave.

    With `warmup_target`, the rate first rises linearly from `initial_learning_rate` to `warmup_target` in
    `warmup_steps` steps, and decays from there.

    Source: Loshchilov and Hutter, SGDR: Stochastic Gradient Descent with Warm Restarts (2016), without the restarts.
    """

    initial_learning_rate: float = field(validator=_FINITE)
    decay_steps: float = field(validator=_POSITIVE)
    alpha: float = field(default=0.0, validator=_FINITE)
    warmup_target: float | None = None
    warmup_steps: float = field(default=0.0, validator=_AT_LEAST_ZERO)

    def __call__(self, scope: Scope, step: AnyOperand) -> Operand[TFloat64]:
        """The rate at `step`."""
        if self.warmup_target is not None:
            decay = CosineDecay(self.warmup_target, self.decay_steps, self.alpha)
            return WarmUp(decay, self.warmup_steps, self.initial_learning_rate)(scope, step)
        with Ops.create(scope).with_sub_scope("CosineDecay") as tf:
            progress = tf.math.minimum(as_type(tf.scope, step, TFloat64), self.decay_steps) / self.decay_steps
            wave = 0.5 * (1.0 + tf.math.cos(math.pi * progress))
            return self.initial_learning_rate * ((1.0 - self.alpha) * wave + self.alpha)


def _numbers(values: Sequence[float]) -> tuple[float, ...]:
    return tuple(finite("a number of a schedule", value) for value in values)


def _increasing(_: object, __: Attribute[Sequence[float]], value: Sequence[float]) -> None:
    if not value or any(low >= high for low, high in pairwise(value)):
        raise AttributeValueError(f"boundaries must be a list of increasing numbers, but are {list(value)}")


@final
@frozen
class PiecewiseConstant:
    """`values[0]` up to and including step `boundaries[0]`, then `values[1]` up to `boundaries[1]`, and so on.

    Called `PiecewiseConstantDecay` in Keras. `values` has one number more than `boundaries`.
    """

    boundaries: Sequence[float] = field(converter=_numbers, validator=_increasing)
    values: Sequence[float] = field(converter=_numbers)

    def __attrs_post_init__(self) -> None:
        """Check the lengths."""
        if len(self.values) != len(self.boundaries) + 1:
            raise AttributeValueError(
                "`values` must have one number more than `boundaries`, but they have "
                f"{len(self.values)} and {len(self.boundaries)}"
            )

    def __call__(self, scope: Scope, step: AnyOperand) -> Operand[TFloat64]:
        """The rate at `step`."""
        with Ops.create(scope).with_sub_scope("PiecewiseConstant") as tf:
            time = as_type(tf.scope, step, TFloat64)
            rate: Operand[TFloat64] = tf.constant(self.values[-1], TFloat64)
            for boundary, value in reversed(list(zip(self.boundaries, self.values, strict=False))):
                rate = tf.select(time <= boundary, value, rate)
            return rate


@final
@frozen
class WarmUp:
    """Linear from `start` to the first rate of `inner` over `steps` steps, then `inner` from its step 0."""

    inner: Schedule | float
    steps: float = field(validator=_AT_LEAST_ZERO)
    start: float = field(default=0.0, validator=_FINITE)

    def __call__(self, scope: Scope, step: AnyOperand) -> Operand[TFloat64]:
        """The rate at `step`."""
        inner = self.inner if callable(self.inner) else Constant(self.inner)
        with Ops.create(scope).with_sub_scope("WarmUp") as tf:
            later = as_type(tf.scope, step, TFloat64) - self.steps
            rate: Operand[TFloat64] = as_type(tf.scope, inner(tf.scope, tf.math.maximum(later, 0.0)), TFloat64)
            if not self.steps:
                return rate
            missing = tf.math.maximum(0.0 - later, 0.0) / self.steps
            return rate + missing * (self.start - rate)
