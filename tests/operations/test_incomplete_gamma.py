"""The derivative of the incomplete gamma function in its shape, where the tests beside TensorFlow don't reach."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, math

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
)
"""Shapes, limits, and derivatives that mpmath computed with 50 digits."""


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
    np.testing.assert_allclose(slopes, values * ((a - 1) / x - 1), rtol=1e-12)


def test_the_second_derivative_in_the_shape_does_not_exist(scope: tg.Scope) -> None:
    a = core.Constant.create(scope, 2.0)
    slope = tg.grad(scope, math.Igamma.create(scope, a, 1.0), a)
    with pytest.raises(tg.GradientError, match="in a has no closed form"):
        tg.grad(scope, slope, a)
