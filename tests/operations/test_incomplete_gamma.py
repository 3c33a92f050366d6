"""The derivative of the incomplete gamma function in its shape, where the tests beside TensorFlow don't reach."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

import typegrad as tg
from typegrad.graph.operand import Operand
from typegrad.op import core, math, random

SLOPES: Final = (
    (0.001, 1e-06, -13.065809708321314),
    (0.001, 2.0, -0.04905334583936488),
    (0.5, 0.1, -0.8229360969795988),
    (0.5, 3.0, -0.04724032644797375),
    (1.0, 1.0, -0.4317297106348987),
    (5.0, 5.0, -0.18141910926729707),
    (5.0, 30.0, -7.001415427081246e-09),
    (30.0, 10.0, -2.835613268086458e-07),
    (100.0, 90.0, -0.02461191684397991),
    (100.0, 130.0, -0.00081013002856229),
    (900.0, 850.0, -0.003233556339783736),
    (900.0, 1000.0, -7.129231329957271e-05),
    (2000.0, 1990.0, -0.008721827225783081),
    (2000.0, 2100.0, -0.0007743287522442793),
    (100000.0, 100000.0, -0.001261567312316086),
    (100000000.0, 100010000.0, -2.4196669180817916e-05),
    (10000.0, 1.0, 0.0),
    (50000.0, 90000.0, 0.0),
)
"""Shapes, limits, and derivatives that mpmath computed with 50 digits."""

CURVATURES: Final = (
    (0.1, 1e-06, 46.973129855489525, -0.0013248439829970456),
    (0.1, 0.1, 2.1111561390614755, -20.22993094976308),
    (0.1, 5.0, -0.006774930444979961, -86.12954523767702),
    (0.5, 0.1, 1.6586313062993034, -0.8545859384239817),
    (1.0, 1.0, 0.033618035299959194, -0.7687822575277503),
    (5.0, 5.0, 0.0006181964770242311, -0.11034794183567274),
    (5.0, 30.0, -1.2727698774201939e-08, -0.17115507261009036),
    (30.0, 10.0, 3.124000806511832e-07, -0.010961459550969607),
    (100.0, 90.0, 0.002595492911274581, -0.004848456536419147),
    (100.0, 130.0, -0.00021271959135303796, -0.005463948582253084),
    (1000.0, 900.0, 6.581064795890883e-06, -0.00048268592448094227),
    (1000.0, 1000.0, 1.051567790325393e-09, -0.0005002500499702203),
    (1000.0, 1300.0, -1.308211471134244e-19, -0.000543903502613486),
)
"""Shapes, limits, and what mpmath computed with 70 digits: the second derivatives of the incomplete gamma function, and
the derivatives of `RandomGammaGrad`, in the shape.
"""


@pytest.mark.parametrize(("a", "x", "expected"), SLOPES)
def test_the_derivative_in_the_shape(scope: tg.Scope, a: float, x: float, expected: float) -> None:
    """To 12 digits up to shapes of 1000, to 8 from there on, where TensorFlow's result has none left."""
    slope = math.IgammaGradA.create(scope, np.array([a]), np.array([x]))
    with tg.Session(scope.graph) as session:
        assert session.run(slope) == pytest.approx(expected, rel=1e-12 if a < 1000 else 1e-8)


def test_the_second_derivative_in_the_limit(scope: tg.Scope) -> None:
    """The derivative of the density of the gamma distribution."""
    a, x = 2.5, np.array([0.5, 1.5, 4.0])
    limit = core.Constant.create(scope, x)
    density = tg.grad(scope, math.Igamma.create(scope, a, limit), limit)
    with tg.Session(scope.graph) as session:
        values, slopes = session.run((density, tg.grad(scope, density, limit)))
    np.testing.assert_allclose(slopes, values * ((a - 1) / x - 1), rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize(("a", "x", "of_slope", "of_sample"), CURVATURES)
def test_the_second_derivative_in_the_shape(
    scope: tg.Scope, a: float, x: float, of_slope: float, of_sample: float
) -> None:
    shape, limit = (core.Constant.create(scope, number, tg.TFloat64) for number in (a, x))
    slopes = [each.create(scope, shape, limit) for each in (math.IgammaGradA, random.RandomGammaGrad)]
    with tg.Session(scope.graph) as session:
        values = session.run([tg.grad(scope, slope, shape) for slope in slopes])
    assert values == pytest.approx([of_slope, of_sample], rel=1e-8)


def test_the_second_derivative_in_the_shape_at_the_limits(scope: tg.Scope) -> None:
    shape = core.Constant.create(scope, [2.0, 0.5, 3.0, np.inf])
    slope = math.IgammaGradA.create(scope, shape, [0.0, 0.0, np.inf, 1.0])
    with tg.Session(scope.graph) as session:
        assert session.run(tg.grad(scope, slope, shape)).tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("x", [0.7, 4.0])
def test_the_third_derivative_in_the_shape(scope: tg.Scope, x: float) -> None:
    """The slope of the second one."""

    def second(a: float) -> tuple[Operand[tg.TFloat64], Operand[tg.TFloat64]]:
        shape = core.Constant.create(scope, a, tg.TFloat64)
        slope = math.IgammaGradA.create(scope, shape, x)
        return shape, tg.grad(scope, slope, shape)

    shape, value = second(2.0)
    third = tg.grad(scope, value, shape)
    with tg.Session(scope.graph) as session:
        exact, above, below = session.run([third, second(2 + 1e-4)[1], second(2 - 1e-4)[1]])
    assert exact == pytest.approx((above - below) / 2e-4, rel=1e-6)
