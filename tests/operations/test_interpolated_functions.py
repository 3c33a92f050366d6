"""Functions that are polynomials in float32: beside the same in float64, which are SciPy's, on enough elements."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from support.building import placeholder
from support.recording import Array
from typegrad.op import math

ULPS: Final = 8
"""So far may results be from the exact ones, in units in the last place. Most are within one."""
FUNCTIONS: Final[tuple[Any, ...]] = (
    math.Erf,
    math.Erfc,
    math.Erfinv,
    math.Ndtri,
    math.BesselI0,
    math.BesselI0e,
    math.BesselI1,
    math.BesselI1e,
    math.BesselK0,
    math.BesselK0e,
    math.BesselK1,
    math.BesselK1e,
)
EDGES: Final = np.array(
    [0, -0.0, 1, -1, 2, -2, 0.5, 4, 8, 1e-45, -1e-45, 1e-38, 1e-30, 88, -88, 91, 95, 103, 3e38, -3e38, np.inf, -np.inf]
    + [np.nan, np.nextafter(1, 0, dtype=np.float32), np.nextafter(1, 2, dtype=np.float32)],
    np.float32,
)


def arguments() -> Array:
    """Numbers of every size, more of them than are left to SciPy."""
    rng = np.random.default_rng(1)
    parts = (rng.uniform(-1, 1, 20_000), rng.uniform(-20, 20, 20_000), 10 ** rng.uniform(-40, 4, 20_000), EDGES)
    return np.concatenate(parts).astype(np.float32)


def results(function: Any, x: Array) -> Array:
    scope = tg.Scope(tg.Graph())
    fed = placeholder(scope, x)
    with tg.Session(scope.graph) as session:
        return np.asarray(session.run(function.create(scope, fed), {fed: x}))


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_float32_is_near_float64(function: Any) -> None:
    x = arguments()
    actual, exact = results(function, x), results(function, x.astype(np.float64))
    with np.errstate(over="ignore", under="ignore"):
        expected = exact.astype(np.float32)
    is_finite = np.isfinite(expected)
    np.testing.assert_array_equal(actual[~is_finite], expected[~is_finite])
    np.testing.assert_array_equal(np.signbit(actual[expected == 0]), np.signbit(expected[expected == 0]))
    far = np.abs(actual[is_finite] - exact[is_finite]) > ULPS * np.spacing(np.abs(expected[is_finite]))
    assert not far.any(), (x[is_finite][far], actual[is_finite][far], exact[is_finite][far])


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_few_elements_are_as_many(function: Any) -> None:
    """SciPy computes them, to the same limits."""
    few, many = results(function, EDGES), results(function, np.tile(EDGES, 100))[: len(EDGES)]
    np.testing.assert_allclose(many, few, rtol=1e-6, atol=1e-44)
    is_number = ~np.isnan(few)
    np.testing.assert_array_equal(np.signbit(many[is_number]), np.signbit(few[is_number]))


def test_erf_is_within_1() -> None:
    assert np.abs(results(math.Erf, np.linspace(3, 5, 100_000, dtype=np.float32))).max() == 1
