"""Samples by rejection: how many are drawn side by side changes none of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest

from typegrad.base.quiet import quietly
from typegrad.kernels import philox, rejection

FLOAT: Final = np.dtype(np.float64)

DRAWS: Final[dict[str, Callable[..., Any]]] = {
    "binomial, counted": lambda s, x: rejection.binomial(s, x, np.full(x.shape, 7.0), np.full(x.shape, 0.3), FLOAT),
    "binomial": lambda s, x: rejection.binomial(s, x, np.full(x.shape, 90.0), np.full(x.shape, 0.7), FLOAT),
    "poisson, counted": lambda s, x: rejection.poisson(s, x, np.full(x.shape, 3.5), FLOAT),
    "poisson": lambda s, x: rejection.poisson(s, x, np.full(x.shape, 35.0), FLOAT),
    "gamma": lambda s, x: rejection.gamma(s, x, np.full(x.shape, 2.5), FLOAT),
    "gamma, below 1": lambda s, x: rejection.gamma(s, x, np.full(x.shape, 0.5), FLOAT),
}


@pytest.mark.parametrize("what", DRAWS)
def test_a_sample_does_not_depend_on_others(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    source = philox.Philox(12, 34)
    together = quietly(DRAWS[what], source, np.arange(200))
    alone = [quietly(DRAWS[what], source, np.array([number]))[0] for number in range(0, 200, 7)]
    np.testing.assert_array_equal(together[::7], alone)
    monkeypatch.setattr(rejection, "AT_ONCE", 9)
    np.testing.assert_array_equal(quietly(DRAWS[what], source, np.arange(200)), together)


def test_samples_of_several_distributions_come_in_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all sizes of groups, the results have the same places."""
    rates, source = np.array([1.0, 20.0, 300.0]), philox.Philox(12, 34)

    def drawn() -> Any:
        return rejection.for_each((50, 3), FLOAT, (rates,), lambda x, rate: rejection.poisson(source, x, rate, FLOAT))

    expected = quietly(drawn)
    np.testing.assert_allclose(expected.mean(0), rates, rtol=0.5)
    monkeypatch.setattr(rejection, "_SAMPLES", 11)
    np.testing.assert_array_equal(quietly(drawn), expected)
