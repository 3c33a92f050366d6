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
    math.Dawsn,
    math.FresnelCos,
    math.FresnelSin,
    math.BesselI0,
    math.BesselI0e,
    math.BesselI1,
    math.BesselI1e,
    math.BesselJ0,
    math.BesselJ1,
    math.BesselY0,
    math.BesselY1,
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
EXPINT: Final = (
    (0.001, -6.3295393640250382),
    (0.5, 0.45421990486317358),
    (3.9, 18.315714346443033),
    (4.1, 21.048466568323176),
    (11.9, 13663.534616776056),
    (12.1, 16379.946403918354),
    (25, 3005950906.5255487),
    (39.9, 5479032048901893.5),
    (40.1, 6657825191607100.0),
    (100, 2.7155527448538798e41),
    (715, 4.6436256703705711e307),
)
LGAMMA: Final = (
    (0.25, 1.2880225246980775),
    (0.6, 0.39823385806923493),
    (1.01, -0.0056903079460696505),
    (1.6, -0.11259176569675577),
    (2.001, 0.00042310673480011699),
    (2.4, 0.21685932244884157),
    (2.6, 0.35741186354897984),
    (7.9, 8.3242658680088096),
    (8.1, 8.7273882634320398),
    (1000.0, 5905.2204232091812),
    (1e10, 220258509288.81058),
)
ZETA: Final = (
    ((1.001, 0.5), 1001.9648639703559),
    ((1.5, 0.001), 31625.386966911913),
    ((2, 1), 1.6449340668482264),
    ((3.5, 20), 0.00023798942002684447),
    ((30, 2), 9.3132743241966818e-10),
    ((250, 1.5), 9.4882307076577513e-45),
    ((2, 1e7), 1.0000000500000017e-7),
    ((1.5, 1e12), 2.0000000000005e-6),
)
"""Arguments, and what mpmath computed with 30 digits."""


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


@pytest.mark.parametrize(
    ("function", "known"), [(math.Expint, EXPINT), (math.Lgamma, LGAMMA)], ids=["Expint", "Lgamma"]
)
def test_known_values(function: Any, known: tuple[tuple[float, float], ...]) -> None:
    x, exact = np.array(known, np.float64).T
    np.testing.assert_allclose(results(function, x), exact, rtol=4e-15)


@pytest.mark.parametrize(("arguments", "exact"), ZETA)
@pytest.mark.parametrize("count", [1, 1000])
def test_zeta(arguments: tuple[float, float], exact: float, count: int) -> None:
    scope = tg.Scope(tg.Graph())
    x, q = (np.full(count, argument, np.float64) for argument in arguments)
    with tg.Session(scope.graph) as session:
        result = session.run(math.Zeta.create(scope, placed := placeholder(scope, x), q), {placed: x})
    assert result[-1] == pytest.approx(exact, rel=1e-14)
