"""Learning rates that change with the step: callables from a scope and a step to a rate.

Each is a pure function of the step, made of ordinary operations and computed in double precision. Names, parameters and formulas
are those of Keras' `learning_rate_schedule`. A schedule of your own is any function of the form of `Schedule`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Final, TypeAlias, final

from attrs import field, frozen

from typegrad.base.errors import AttributeValueError
from typegrad.base.types import TFloat64
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.training.optimizers.checks import at_least_zero, finite, positive
from typegrad.training.optimizers.formula import Formula

__all__ = [
    "Constant",
    "CosineDecay",
    "ExponentialDecay",
    "InverseTimeDecay",
    "PiecewiseConstant",
    "PolynomialDecay",
    "Schedule",
    "WarmUp",
]

Rate: TypeAlias = Operand[Any, Any]

Schedule: TypeAlias = Callable[[Scope, Operand[Any, Any]], Rate]
"""From the number of steps taken so far, a scalar of any numeric type, to the learning rate, a floating-point scalar.

An optimizer calls it with the scope as the current one: operators add their operations there.
"""


def _checked(check: Callable[[str, float], float]) -> Any:
    def validate(_: object, attribute: Any, value: float) -> None:
        check(attribute.name, value)

    return validate


_FINITE: Final = _checked(finite)
_POSITIVE: Final = _checked(positive)
_AT_LEAST_ZERO: Final = _checked(at_least_zero)


def _double(scope: Scope, name: str) -> Formula:
    return Formula(scope.with_sub_scope(name), TFloat64)


@final
@frozen
class Constant:
    """The same rate at every step."""

    learning_rate: float = field(validator=_FINITE)

    def __call__(self, scope: Scope, step: Operand[Any, Any]) -> Rate:  # noqa: ARG002
        """The rate at `step`."""
        return _double(scope, "Constant").term(self.learning_rate)


@final
@frozen
class ExponentialDecay:
    """`initial_learning_rate * decay_rate ** (step / decay_steps)`; with `staircase`, the quotient is rounded down."""

    initial_learning_rate: float = field(validator=_FINITE)
    decay_steps: float = field(validator=_POSITIVE)
    decay_rate: float = field(validator=_AT_LEAST_ZERO)
    staircase: bool = False

    def __call__(self, scope: Scope, step: Operand[Any, Any]) -> Rate:
        """The rate at `step`."""
        f = _double(scope, "ExponentialDecay")
        periods = f.div(step, self.decay_steps)
        return f.mul(
            self.initial_learning_rate, f.pow(self.decay_rate, f.floor(periods) if self.staircase else periods)
        )


@final
@frozen
class InverseTimeDecay:
    """`initial_learning_rate / (1 + decay_rate * step / decay_steps)`; with `staircase`, the last quotient is rounded down."""

    initial_learning_rate: float = field(validator=_FINITE)
    decay_steps: float = field(validator=_POSITIVE)
    decay_rate: float = field(validator=_AT_LEAST_ZERO)
    staircase: bool = False

    def __call__(self, scope: Scope, step: Operand[Any, Any]) -> Rate:
        """The rate at `step`."""
        f = _double(scope, "InverseTimeDecay")
        periods = f.div(step, self.decay_steps)
        growth = f.mul(self.decay_rate, f.floor(periods) if self.staircase else periods)
        return f.div(self.initial_learning_rate, f.add(1.0, growth))


@final
@frozen
class PolynomialDecay:
    """From `initial_learning_rate` to `end_learning_rate` in `decay_steps` steps, along `(1 - progress) ** power`.

    With `cycle`, the decay begins anew whenever it has ended, over twice, three times, ... as many steps.
    """

    initial_learning_rate: float = field(validator=_FINITE)
    decay_steps: float = field(validator=_POSITIVE)
    end_learning_rate: float = field(default=0.0001, validator=_FINITE)
    power: float = field(default=1.0, validator=_AT_LEAST_ZERO)
    cycle: bool = False

    def __call__(self, scope: Scope, step: Operand[Any, Any]) -> Rate:
        """The rate at `step`."""
        f = _double(scope, "PolynomialDecay")
        if self.cycle:
            rounds = f.maximum(1.0, f.ceil(f.div(step, self.decay_steps)))
            progress = f.div(step, f.mul(self.decay_steps, rounds))
        else:
            progress = f.div(f.minimum(step, self.decay_steps), self.decay_steps)
        span = self.initial_learning_rate - self.end_learning_rate
        return f.add(f.mul(span, f.pow(f.sub(1.0, progress), self.power)), self.end_learning_rate)


@final
@frozen
class CosineDecay:
    """From `initial_learning_rate` to `alpha` times that in `decay_steps` steps, along half a cosine wave.

    With `warmup_target`, the rate first rises in a straight line from `initial_learning_rate` to `warmup_target`, in `warmup_steps`
    steps, and decays from there.

    Source: Loshchilov and Hutter, SGDR: Stochastic Gradient Descent with Warm Restarts (2016), without the restarts.
    """

    initial_learning_rate: float = field(validator=_FINITE)
    decay_steps: float = field(validator=_POSITIVE)
    alpha: float = field(default=0.0, validator=_FINITE)
    warmup_target: float | None = None
    warmup_steps: float = field(default=0, validator=_AT_LEAST_ZERO)

    def __call__(self, scope: Scope, step: Operand[Any, Any]) -> Rate:
        """The rate at `step`."""
        if self.warmup_target is not None:
            decay = CosineDecay(self.warmup_target, self.decay_steps, self.alpha)
            return WarmUp(decay, self.warmup_steps, self.initial_learning_rate)(scope, step)
        f = _double(scope, "CosineDecay")
        progress = f.div(f.minimum(step, self.decay_steps), self.decay_steps)
        wave = f.mul(0.5, f.add(1.0, f.cos(f.mul(math.pi, progress))))
        return f.mul(self.initial_learning_rate, f.add(f.mul(1.0 - self.alpha, wave), self.alpha))


def _numbers(values: Sequence[float]) -> tuple[float, ...]:
    return tuple(finite("a number of a schedule", value) for value in values)


def _increasing(_: object, __: Any, value: Sequence[float]) -> None:
    if not value or any(low >= high for low, high in pairwise(value)):
        raise AttributeValueError(f"boundaries must be a list of increasing numbers, but are {list(value)}")


@final
@frozen
class PiecewiseConstant:
    """`values[0]` up to and including step `boundaries[0]`, then `values[1]` up to `boundaries[1]`, and so on.

    Called `PiecewiseConstantDecay` in Keras. There is one value more than boundaries.
    """

    boundaries: Sequence[float] = field(converter=_numbers, validator=_increasing)
    values: Sequence[float] = field(converter=_numbers)

    def __attrs_post_init__(self) -> None:
        """Check the lengths."""
        if len(self.values) != len(self.boundaries) + 1:
            raise AttributeValueError(
                f"values must be one more than boundaries, but {len(self.values)} are given for {len(self.boundaries)}"
            )

    def __call__(self, scope: Scope, step: Operand[Any, Any]) -> Rate:
        """The rate at `step`."""
        f = _double(scope, "PiecewiseConstant")
        time = f.term(step)
        rate = f.term(self.values[-1])
        for boundary, value in reversed(list(zip(self.boundaries, self.values, strict=False))):
            rate = f.at_most(time, boundary, value, rate)
        return rate


@final
@frozen
class WarmUp:
    """For `steps` steps in a straight line from `start` to the first rate of `inner`, then `inner` from its beginning."""

    inner: Schedule | float
    steps: float = field(validator=_AT_LEAST_ZERO)
    start: float = field(default=0.0, validator=_FINITE)

    def __call__(self, scope: Scope, step: Operand[Any, Any]) -> Rate:
        """The rate at `step`."""
        f = _double(scope, "WarmUp")
        inner = self.inner if callable(self.inner) else Constant(self.inner)
        later = f.sub(step, self.steps)
        with f.scope:
            rate = f.term(inner(f.scope, f.maximum(later, 0.0)))
        if not self.steps:
            return rate
        missing = f.div(f.maximum(f.sub(0.0, later), 0.0), self.steps)
        return f.add(rate, f.mul(missing, f.sub(self.start, rate)))
