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


ROWS: Final = [(0.0, 1.0, -1.0, 2.0), (1.0, 2.0, -np.inf, 3.0), (-1.0, 0.5, 0.5, np.inf), (2.0, 1.5, -9.0, -8.0)]
"""Means, standard deviations and bounds."""


def drawn_in_rows(scope: tg.Scope, dtype: str = "float64") -> tuple[list[Any], Any]:
    """The parameters of all rows, and three samples of each."""
    xs = [core.Constant.create(scope, np.array(each, dtype)) for each in zip(*ROWS, strict=True)]
    return xs, random.ParameterizedTruncatedNormal.create(scope, (len(ROWS), 3), *xs, seed=3)


def sample_at(level: float, mean: float, width: float, low: float, high: float) -> float:
    """The number at a value of the distribution function."""
    return mean + width * float(quantile(np.array(level), (low - mean) / width, (high - mean) / width))


def _slope_at(function: Callable[..., float], other: int, by: float) -> float:
    """The derivative of a function of two numbers in the second one, at 0."""
    return slope(partial(function, by, other=other), 0)


@pytest.mark.parametrize("place", range(4))
def test_truncated_samples_move_with_each_parameter(scope: tg.Scope, place: int) -> None:
    """And so do their gradients, also where a bound is infinite."""
    xs, drawn = drawn_in_rows(scope)
    first = tg.grad(scope, drawn, xs[place])
    samples, gradients, seconds = run(scope, (drawn, first, tg.gradients(scope, [first], xs)))
    for row, parameters in enumerate(ROWS):
        mean, width, low, high = parameters
        ends = (low - mean) / width, (high - mean) / width
        levels = [stats.truncnorm.cdf((sample - mean) / width, *ends) for sample in samples[row]]

        def moved(by: float, also: float, *, other: int, row: int = row, levels: list[float] = levels) -> float:
            moving = list(ROWS[row])
            moving[place] += by
            moving[other] += also
            return sum(sample_at(level, *moving) for level in levels)

        if np.isinf(parameters[place]):
            assert gradients[row] == 0
            continue
        assert gradients[row] == pytest.approx(slope(lambda by: moved(by, 0, other=0), 0), rel=1e-5, abs=1e-7)
        for other, second in enumerate(seconds):
            if np.isinf(parameters[other]):
                assert second[row] == 0
                continue
            curvature = slope(partial(_slope_at, moved, other), 0)
            assert second[row] == pytest.approx(curvature, rel=2e-3, abs=2e-3)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
def test_narrow_truncated_samples_have_gradients(scope: tg.Scope, dtype: str) -> None:
    xs, drawn = drawn_in_rows(scope, dtype)
    for gradient, x in zip(run(scope, tg.gradients(scope, [drawn], xs)), xs, strict=True):
        assert gradient.dtype == x.dtype.numpy
        assert np.isfinite(gradient.astype(np.float64)).all()


def test_gradients_of_a_scalar_and_of_a_single_element_are_sums_over_rows(scope: tg.Scope) -> None:
    shape = core.Placeholder.create(scope, tg.TInt32)
    xs = [core.Constant.create(scope, np.array(each)) for each in (0.5, [1.0], -1.0, [2.0, 3.0])]
    drawn = random.ParameterizedTruncatedNormal.create(scope, shape, *xs, seed=3)
    with tg.Session(scope.graph) as session:
        of_mean, of_width, of_low, of_high = session.run(tg.gradients(scope, [drawn], xs), {shape: [2, 3, 2]})
    assert [each.shape for each in (of_mean, of_width, of_low, of_high)] == [(), (1,), (), (2,)]
    assert of_mean + of_low + of_high.sum() == pytest.approx(12)
