"""The derivative of the incomplete gamma function in its shape, where the tests beside TensorFlow don't reach."""

from __future__ import annotations

from typing import Any, Final

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

TAILS: Final = (
    (1000.0, 367.5444679663242, 0.5817620514600224, -1.9149057745394048e-162),
    (1000.0, 747.0177871865296, 0.8613890769340521, -2.303903208625299e-19),
    (1000.0, 841.886116991581, 0.916564620096389, -1.1458253420100268e-08),
    (1000.0, 1000.0, 1.000166683323806, -0.012616713994069625),
    (1000.0, 1252.9822128134704, 1.1171840394056227, -1.3402335698156177e-14),
    (1000.0, 1948.6832980505137, 1.3706209769429414, -4.801660497215464e-125),
    (10000.0, 8000.0, 0.8925890569776511, -1.3718345731102477e-103),
    (10000.0, 9200.0, 0.9589044807243634, -8.565504458762193e-18),
    (10000.0, 9500.0, 0.974588834973852, -9.892319012214694e-09),
    (10000.0, 10000.0, 1.000016666833324, -0.003989456049453668),
    (10000.0, 10800.0, 1.0389913683335998, -2.432562333277748e-16),
    (10000.0, 13000.0, 1.1369307180645913, -1.2381533972048453e-166),
    (100000.0, 93675.44467966324, 0.9676902521362991, -2.575337568888878e-94),
    (100000.0, 97470.1778718653, 0.9872444979927923, -9.334980139040095e-18),
    (100000.0, 98418.8611699158, 0.9920539600288244, -4.147391507761686e-09),
    (100000.0, 100000.0, 1.0000016666683333, -0.001261567312316086),
    (100000.0, 102529.8221281347, 1.0125454606113078, -2.6796514667799383e-17),
    (100000.0, 109486.83298050513, 1.04600324894795, -1.5531740864207264e-187),
    (100000000.0, 99800000.0, 0.9989993343308643, -4.231189578290566e-92),
    (100000000.0, 99920000.0, 0.9995998949566459, -4.968714142109382e-19),
    (100000000.0, 99950000.0, 0.9997499599891635, -1.4809056819852582e-10),
    (100000000.0, 100000000.0, 1.0000000016666668, -3.989422807338846e-05),
    (100000000.0, 100080000.0, 1.0003998950433126, -5.13712933864854e-19),
    (100000000.0, 100300000.0, 1.0014985039151216, -3.611854722574991e-200),
    (1000000000000.0, 999980000000.0, 0.9999899999334992, -5.506300288728882e-94),
    (1000000000000.0, 999992000000.0, 0.9999959999895, -5.051429103417914e-21),
    (1000000000000.0, 999995000000.0, 0.999997499996, -1.486661285802532e-12),
    (1000000000000.0, 1000000000000.0, 1.0000000000001665, -3.9894228040146594e-07),
    (1000000000000.0, 1000008000000.0, 1.0000039999895, -5.053113193785253e-21),
    (1000000000000.0, 1000030000000.0, 1.0000149998501688, -1.486946207027117e-202),
)
"""Large shapes, limits up to 30 standard deviations from the mean, and what mpmath computed with 60 digits: the
derivatives of a sample and of the incomplete gamma function, in the shape.
"""

SAMPLES: Final = (
    (1000, 850, 0.0005564914887728912),
    (1000, 1150, 0.00045509914186112966),
    (1024, 1024, 0.0004883607383806576),
    (3000, 2700, 0.00017869391606258604),
    (10000, 9500, 5.1732643485396375e-05),
    (10000, 10500, 4.839423444308876e-05),
    (65536, 66560, 7.550860665060763e-06),
)
"""Large shapes, samples, and the derivatives of `RandomGammaGrad` in the sample, of which mpmath computed 60 digits."""

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
    """Also for large shapes, where TensorFlow's result has no digits left."""
    slope = math.IgammaGradA.create(scope, np.array([a]), np.array([x]))
    with tg.Session(scope.graph) as session:
        assert session.run(slope) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("dtype", "rtol"), [(np.float32, 2e-7), (np.float64, 5e-15)])
def test_samples_of_large_shapes(scope: tg.Scope, dtype: type[np.floating[Any]], rtol: float) -> None:
    a, x, expected, _ = np.array(TAILS).T
    slope = random.RandomGammaGrad.create(scope, a.astype(dtype), x.astype(dtype))
    with tg.Session(scope.graph) as session:
        np.testing.assert_allclose(session.run(slope), expected, rtol)


def test_the_derivative_in_large_shapes(scope: tg.Scope) -> None:
    """To 12 digits: the exponent of the density has 16."""
    a, x, _, expected = np.array(TAILS).T
    slope = math.IgammaGradA.create(scope, a, x)
    with tg.Session(scope.graph) as session:
        np.testing.assert_allclose(session.run(slope), expected, 1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_second_derivative_of_large_samples(scope: tg.Scope, dtype: type[np.floating[Any]]) -> None:
    """In the sample: the sum of terms that nearly cancel. mpmath computed the results."""
    a, x, expected = np.array(SAMPLES, dtype).T
    sample = core.Constant.create(scope, x)
    slope = random.RandomGammaGrad.create(scope, a, sample)
    with tg.Session(scope.graph) as session:
        np.testing.assert_allclose(
            session.run(tg.grad(scope, slope, sample)), expected, 1e-9 if x.itemsize == 8 else 2e-7
        )


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
