"""Gradients of samples follow them at a fixed value of their distribution function, as quantile functions of SciPy do.

TensorFlow's answers confirm the first derivatives (`tests/recorded`); second ones and the tails are tested here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np
import pytest
from scipy import special, stats

import typegrad as tg
from support.recording import Array
from typegrad.op import core, random

ALPHAS: Final = np.array([0.2, 1.0, 3.5])
STEP: Final = 1e-4
BOUNDS: Final = [
    pytest.param((-0.5, 1.5), 0, id="the lower one of both sides"),
    pytest.param((-0.5, 1.5), 1, id="the upper one of both sides"),
    pytest.param((4.0, 5.0), 0, id="the lower one of a tail"),
    pytest.param((4.0, 5.0), 1, id="the upper one of a tail"),
    pytest.param((-9.0, -8.5), 0, id="the lower one of the other tail"),
    pytest.param((-9.0, -8.5), 1, id="the upper one of the other tail"),
    pytest.param((1.0, np.inf), 0, id="the only one"),
]


def slope(function: Callable[[float], float], at: float) -> float:
    """The derivative by central differences of order 4."""
    near, far = (function(at + step) - function(at - step) for step in (STEP, 2 * STEP))
    return (8 * near - far) / (12 * STEP)


def run(scope: tg.Scope, fetches: Any) -> Any:
    """The values."""
    with tg.Session(scope.graph) as session:
        return session.run(fetches)


def _gamma_quantiles(levels: Array, alpha: float) -> float:
    """The sum of the samples at values of the distribution function."""
    return float(np.sum(special.gammaincinv(alpha, levels)))


def test_gamma_samples_move_with_their_shape(scope: tg.Scope) -> None:
    alpha = core.Constant.create(scope, ALPHAS)
    drawn = random.RandomGamma.create(scope, (4,), alpha, seed=1)
    samples, gradient = run(scope, (drawn, tg.grad(scope, drawn, alpha)))
    levels = special.gammainc(ALPHAS, samples)
    expected = [slope(partial(_gamma_quantiles, levels[:, column]), ALPHAS[column]) for column in range(len(ALPHAS))]
    assert gradient == pytest.approx(expected, rel=1e-7)


def test_narrow_gamma_samples_have_a_gradient(scope: tg.Scope) -> None:
    alpha = core.Constant.create(scope, ALPHAS.astype(np.float16))
    drawn = random.RandomGamma.create(scope, (4,), alpha, seed=1)
    gradient = run(scope, tg.grad(scope, drawn, alpha))
    assert gradient.dtype == np.float16
    assert np.all(gradient > 0)


def drawn_between(scope: tg.Scope, bounds: tuple[Any, Any]) -> tg.Operand[tg.TFloat64]:
    """Five samples of mean 1 and standard deviation 2, times 2, between bounds."""
    low, high = (2 * bound + 1 for bound in bounds)
    return random.StatelessParameterizedTruncatedNormal.create(
        scope, (5,), (1, 2), np.float64(1), np.float64(2), low, high
    )


def quantile(levels: Array, low: float, high: float) -> Array:
    """Standard normal numbers between bounds; on the side of a tail, so that they keep their digits."""
    if low > 0:
        return -quantile(1 - levels, -high, -low)
    result: Array = stats.truncnorm.ppf(levels, low, high)
    return result


@pytest.mark.parametrize(("bounds", "which"), BOUNDS)
def test_samples_move_with_a_bound(scope: tg.Scope, bounds: tuple[float, float], which: int) -> None:
    """And so do their gradients."""
    ends = [core.Constant.create(scope, end) for end in bounds]
    drawn = drawn_between(scope, (ends[0], ends[1]))
    first = tg.grad(scope, drawn, ends[which])
    samples, gradient, second = run(scope, (drawn, first, tg.grad(scope, first, ends[which])))
    x = (samples - 1) / 2
    levels = 1 - stats.truncnorm.cdf(-x, -bounds[1], -bounds[0]) if bounds[0] > 0 else stats.truncnorm.cdf(x, *bounds)

    def moved(end: float) -> float:
        numbers = quantile(levels, *(end if place == which else other for place, other in enumerate(bounds)))
        return float(np.sum(2 * numbers + 1))

    assert gradient == pytest.approx(slope(moved, bounds[which]), rel=1e-6)
    curvature = slope(lambda end: slope(moved, end), bounds[which])
    assert second == pytest.approx(curvature, rel=1e-3, abs=1e-3)
