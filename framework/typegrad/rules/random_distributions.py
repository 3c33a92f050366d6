"""Gradients of `ops/random_distributions.yaml`: how samples move where their distribution functions stay the same.

Figurnov et al., Implicit reparameterization gradients, 2018.
"""

from __future__ import annotations

import math

from typing_extensions import TypeVar

from typegrad.base.types import TFloat16, TFloat32, TFloat64
from typegrad.graph.operand import AnyOperand, AnyOutput, Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import Constant, Select
from typegrad.op.dtypes import Cast
from typegrad.op.math import Digamma, Erfc, Exp, Less, Log
from typegrad.op.random import (
    RandomGamma,
    RandomGammaGrad,
    StatelessParameterizedTruncatedNormal,
    StatelessRandomGamma,
)
from typegrad.rules.broadcasting import sum_to_shape
from typegrad.rules.common import E, Gradients
from typegrad.rules.incomplete_gamma import sample_derivative

G = TypeVar("G", bound=TFloat16 | TFloat32 | TFloat64)


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
    alpha, sample = op.inputs.alpha, op.inputs.sample
    score = (alpha - 1) / sample - 1
    return (
        lambda: grad * sample_derivative(scope, alpha, sample),
        lambda: -grad * (Log.create(scope, sample) - Digamma.create(scope, alpha) + op * score),
    )


def stateless_parameterized_truncated_normal(
    scope: Scope, op: StatelessParameterizedTruncatedNormal[G], grad: Output[G]
) -> Gradients:
    mean, width, low, high = op.inputs.means, op.inputs.stddevs, op.inputs.minvals, op.inputs.maxvals
    x, a, b = ((each - mean) / width for each in (op.as_output(), low, high))
    root = Constant.create(scope, 1 / math.sqrt(2), mean.dtype)
    side = Select.create(scope, Less.create(scope, a + b, 0), -root, root)

    def tail(z: Operand[G]) -> Operand[G]:
        """Twice the probability beyond, on the side where the bounds are, which keeps its digits."""
        return Erfc.create(scope, z * side)

    def of_bound(bound: Operand[G], other: Operand[G]) -> Operand[G]:
        share = (tail(x) - tail(other)) / (tail(bound) - tail(other))
        return grad * Exp.create(scope, (x * x - bound * bound) / 2) * share

    return (
        lambda: sum_to_shape(scope, grad, mean),
        lambda: sum_to_shape(scope, (grad * x).as_output(), width),
        lambda: sum_to_shape(scope, of_bound(a, b).as_output(), low),
        lambda: sum_to_shape(scope, of_bound(b, a).as_output(), high),
    )
