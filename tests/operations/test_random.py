"""Random operations draw from the distributions they name. Seeds are fixed: what passes once always passes."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
import pytest
from scipy import stats

import typegrad as tg
from support.recording import BFLOAT16, Array
from typegrad.op import core, random

COUNT: Final = 20_000
LEVEL: Final = 1e-3
"""The probability below which a sample does not pass for one of its distribution."""
FLOATS: Final[tuple[type[tg.TFloating], ...]] = (tg.TBfloat16, tg.TFloat16, tg.TFloat32, tg.TFloat64)
PRECISE: Final = (tg.TFloat32, tg.TFloat64)
SEEDS: Final = (1, 2, 3)

Drawing: TypeAlias = "type[random.RandomUniform[Any] | random.RandomStandardNormal[Any] | random.TruncatedNormal[Any]]"


def draw(operation: Drawing, dtype: type[tg.TFloating], seed: int, shape: tuple[int, ...] = (COUNT,)) -> Array:
    """One draw."""
    scope = tg.Scope(tg.Graph(seed=seed))
    drawn = operation.create(scope, shape, dtype)
    with tg.Session(scope.graph) as session:
        return np.asarray(session.run(drawn))


def integers(low: int, high: int, seed: int, dtype: Any = np.int32) -> Array:
    """One draw of integers."""
    scope = tg.Scope(tg.Graph(seed=seed))
    ends = [core.Constant.create(scope, np.asarray(end, dtype)) for end in (low, high)]
    with tg.Session(scope.graph) as session:
        return np.asarray(session.run(random.RandomUniformInt.create(scope, (COUNT,), *ends)))


def fits(values: Array, distribution: Any) -> None:
    """Check the whole distribution, then its mean and variance within five standard errors."""
    wide = values.astype(np.float64)
    assert stats.kstest(wide, distribution.cdf).pvalue > LEVEL
    mean, variance, kurtosis = (float(moment) for moment in distribution.stats(moments="mvk"))
    assert abs(wide.mean() - mean) < 5 * np.sqrt(variance / COUNT)
    assert abs(wide.var() - variance) < 5 * variance * np.sqrt((kurtosis + 2) / COUNT)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("dtype", PRECISE)
def test_uniform_numbers_are_uniform(dtype: type[tg.TFloating], seed: int) -> None:
    fits(draw(random.RandomUniform, dtype, seed), stats.uniform())


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("dtype", PRECISE)
def test_normal_numbers_are_normal(dtype: type[tg.TFloating], seed: int) -> None:
    fits(draw(random.RandomStandardNormal, dtype, seed), stats.norm())


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("dtype", PRECISE)
def test_truncated_numbers_are_normal_within_two_deviations(dtype: type[tg.TFloating], seed: int) -> None:
    fits(draw(random.TruncatedNormal, dtype, seed), stats.truncnorm(-2, 2))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_bounds_hold_in_every_type(dtype: type[tg.TFloating], seed: int) -> None:
    uniform = draw(random.RandomUniform, dtype, seed)
    assert uniform.min() >= 0
    assert uniform.max() < 1
    truncated = draw(random.TruncatedNormal, dtype, seed)
    assert abs(truncated).max() <= 2
    assert np.isfinite(draw(random.RandomStandardNormal, dtype, seed).astype(np.float64)).all()


@pytest.mark.parametrize(("dtype", "steps"), [(tg.TBfloat16, 2**8), (tg.TFloat16, 2**11)])
def test_narrow_uniform_numbers_take_every_value_alike(dtype: type[tg.TFloating], steps: int) -> None:
    places = draw(random.RandomUniform, dtype, 1, (steps * 50,)).astype(np.float64) * steps
    counts = np.bincount(places.astype(np.int64), minlength=steps)
    assert np.array_equal(places, np.floor(places))
    assert stats.chisquare(counts).pvalue > LEVEL


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("low", "high"), [(0, 2), (-3, 4), (1, 7), (100, 1100)])
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_integers_are_equally_likely(low: int, high: int, dtype: Any, seed: int) -> None:
    counts = np.bincount(integers(low, high, seed, dtype) - low, minlength=high - low)
    assert len(counts) == high - low
    assert stats.chisquare(counts).pvalue > LEVEL


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_integers_of_the_whole_range(dtype: Any) -> None:
    limits = np.iinfo(dtype)
    values = integers(limits.min, limits.max, 1, dtype).astype(np.float64)
    assert stats.kstest(values / float(limits.max), stats.uniform(-1, 2).cdf).pvalue > LEVEL


@pytest.mark.parametrize("operation", [random.RandomUniform, random.RandomStandardNormal, random.TruncatedNormal])
def test_neighbours_are_independent(operation: Drawing) -> None:
    values = draw(operation, tg.TFloat64, 1)
    assert abs(np.corrcoef(values[:-1], values[1:])[0, 1]) < 5 / np.sqrt(COUNT)


def test_types_differ_only_in_rounding() -> None:
    exact = draw(random.RandomUniform, tg.TFloat64, 1)
    for dtype, error in ((tg.TFloat32, 2.0**-24), (tg.TFloat16, 2.0**-11), (tg.TBfloat16, 2.0**-8)):
        difference = exact - draw(random.RandomUniform, dtype, 1).astype(np.float64)
        assert difference.min() >= 0
        assert difference.max() < error


@pytest.mark.parametrize(
    ("operation", "expected"),
    [
        (random.RandomUniform, [0.19417548, 0.66667265, 0.71938604]),
        (random.RandomStandardNormal, [-0.0072395820, -0.85736841, -0.51623064]),
        (random.TruncatedNormal, [0.055368342, 1.6157507, 0.62100095]),
    ],
)
def test_numbers_never_change(operation: Drawing, expected: list[float]) -> None:
    """A change here changes what every program with a seed computes."""
    assert draw(operation, tg.TFloat32, 1, (3,)).tolist() == pytest.approx(expected, rel=1e-6)


def test_integers_never_change() -> None:
    assert integers(0, 1000, 1)[:3].tolist() == [657, 544, 302]


def test_narrow_types_are_what_was_asked_for() -> None:
    assert draw(random.RandomUniform, tg.TBfloat16, 1).dtype == BFLOAT16
