"""Gradients of `ops/random_distributions.yaml`: how samples move where their distribution functions stay the same.

Figurnov et al., Implicit reparameterization gradients, 2018.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

from typing_extensions import TypeVar

from typegrad.base.types import TFloat16, TFloat32, TFloat64
from typegrad.graph.operand import AnyOperand, AnyOutput, Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import Constant, Reshape, Select
from typegrad.op.dtypes import Cast
from typegrad.op.math import Digamma, Erfc, Exp, IsInf, Less, Log, Sign
from typegrad.op.random import (
    ParameterizedTruncatedNormal,
    RandomGamma,
    RandomGammaGrad,
    StatelessParameterizedTruncatedNormal,
    StatelessRandomGamma,
)
from typegrad.rules.broadcasting import sum_to_shape
from typegrad.rules.common import E, F, Gradients
from typegrad.rules.incomplete_gamma import sample_derivative
from typegrad.rules.sizes import shape_of, size_between, vector

G = TypeVar("G", bound=TFloat16 | TFloat32 | TFloat64)
_Bound: TypeAlias = tuple[Operand[F], Callable[[], Operand[F]]]
"""A bound in standard deviations, and what makes the derivative of the sample in it."""


def random_gamma(scope: Scope, op: RandomGamma[G], grad: Output[G]) -> Gradients:
    return _of_alpha(scope, op.inputs.alpha, op.as_output(), grad)


def stateless_random_gamma_v3(scope: Scope, op: StatelessRandomGamma[G], grad: Output[G]) -> Gradients:
    return _of_alpha(scope, op.inputs.alpha, op.as_output(), grad)


def _of_alpha(scope: Scope, alpha: AnyOutput, sample: AnyOutput, grad: AnyOutput) -> AnyOutput:
    """The sum over the samples of each distribution; narrow numbers are widened."""
    wide = TFloat64 if alpha.dtype is TFloat64 else TFloat32
    numbers: list[AnyOperand] = [Cast.create(scope, each, wide) for each in (alpha, sample)]
    slope = RandomGammaGrad.create(scope, *numbers)
    return sum_to_shape(scope, (grad * Cast.create(scope, slope, alpha.dtype)).as_output(), alpha)


def random_gamma_grad(scope: Scope, op: RandomGammaGrad[E], grad: Output[E]) -> Gradients:
    """In the sample, the sum of terms that nearly cancel: in float64."""
    alpha, sample = op.inputs.alpha, op.inputs.sample

    def of_sample() -> AnyOperand:
        shape, at = (Cast.create(scope, each, TFloat64) for each in (alpha, sample))
        slope = RandomGammaGrad.create(scope, shape, at) * ((shape - 1) / at - 1)
        return -grad * Cast.create(scope, Log.create(scope, at) - Digamma.create(scope, shape) + slope, grad.dtype)

    return lambda: grad * sample_derivative(scope, alpha, sample), of_sample


def stateless_parameterized_truncated_normal(
    scope: Scope, op: StatelessParameterizedTruncatedNormal[F], grad: Output[F]
) -> Gradients:
    mean, width, low, high = op.inputs.means, op.inputs.stddevs, op.inputs.minvals, op.inputs.maxvals
    x, (_, of_low), (_, of_high) = _between(scope, op.as_output(), mean, width, low, high)
    return (
        lambda: sum_to_shape(scope, grad, mean),
        lambda: sum_to_shape(scope, (grad * x).as_output(), width),
        lambda: sum_to_shape(scope, (grad * of_low()).as_output(), low),
        lambda: sum_to_shape(scope, (grad * of_high()).as_output(), high),
    )


def parameterized_truncated_normal(scope: Scope, op: ParameterizedTruncatedNormal[F], grad: Output[F]) -> Gradients:
    """The bounds stay where they are when mean and standard deviation change."""
    sample, inputs = op.as_output(), (op.inputs.means, op.inputs.stdevs, op.inputs.minvals, op.inputs.maxvals)
    sizes = vector(scope, [size_between(scope, sample, 0, 1), size_between(scope, sample, 1, None)])
    table, grads = Reshape.create(scope, sample, sizes), Reshape.create(scope, grad, sizes)
    columns = [Reshape.create(scope, each, [-1, 1]).as_output() for each in inputs]
    x, (a, of_low), (b, of_high) = _between(scope, table, *columns)

    def result(place: int, slope: Callable[[], Operand[F]]) -> Callable[[], AnyOperand]:
        def of_input() -> AnyOperand:
            summed = sum_to_shape(scope, (grads * slope()).as_output(), columns[place])
            return Reshape.create(scope, summed, shape_of(scope, inputs[place]))

        return of_input

    return (
        result(0, lambda: 1 - of_low() - of_high()),
        result(1, lambda: x - a * of_low() - b * of_high()),
        result(2, of_low),
        result(3, of_high),
    )


def _between(
    scope: Scope, sample: Operand[F], mean: Operand[F], width: Operand[F], low: Operand[F], high: Operand[F]
) -> tuple[Operand[F], _Bound[F], _Bound[F]]:
    """The sample and its bounds in standard deviations, and with each bound how it moves the sample.

    An infinite bound is one so far that it moves nothing; what is computed of it is finite, and so are its derivatives.
    """
    far = 1e2 if mean.dtype is TFloat16 else 1e18  # the square is finite

    def standard(bound: Operand[F]) -> Operand[F]:
        is_infinite = IsInf.create(scope, bound)
        distance = (Select.create(scope, is_infinite, mean, bound) - mean) / width
        return Select.create(scope, is_infinite, far * Sign.create(scope, bound), distance)

    x, a, b = (sample - mean) / width, standard(low), standard(high)
    wide = TFloat64 if mean.dtype is TFloat64 else TFloat32

    def moved_by(*ends: Operand[F]) -> Operand[F]:
        """By the first bound; probabilities are of the side where the bounds are, where they keep their digits."""
        root = Constant.create(scope, 1 / math.sqrt(2), wide)
        side = Select.create(scope, Less.create(scope, a + b, 0), -root, root)
        at, bound, other = (Cast.create(scope, each, wide) for each in (x, *ends))
        beyond, beyond_bound, beyond_other = (Erfc.create(scope, each * side) for each in (at, bound, other))
        share = (beyond - beyond_other) / (beyond_bound - beyond_other)
        return Cast.create(scope, Exp.create(scope, (at * at - bound * bound) / 2) * share, mean.dtype)

    return x, (a, lambda: moved_by(a, b)), (b, lambda: moved_by(b, a))
