"""Derivatives at large numbers, where a plain formula has no digits, and functions of the least number."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import typegrad as tg
from support.building import constant
from typegrad.op import math


def slopes(build: Callable[..., Any], x: Any) -> Any:
    """The first and the second derivative."""
    scope = tg.Scope(tg.Graph())
    at = constant(scope, 0, x)
    first = tg.grad(scope, build(scope, at), at)
    with tg.Session(scope.graph) as session:
        return session.run([first, tg.grad(scope, first, at)])


@pytest.mark.parametrize(("build", "function"), [(math.FresnelSin, np.sin), (math.FresnelCos, np.cos)])
@pytest.mark.parametrize(("dtype", "atol"), [(np.float16, 5e-4), (np.float32, 5e-8), (np.float64, 1e-8)])
def test_the_slope_of_a_fresnel_integral(build: Any, function: Callable[[float], Any], dtype: Any, atol: float) -> None:
    """The angle is reduced before it is rounded."""
    x = np.asarray([0.3, -10.3, 100.3, 1000.7, 10000.3, 60000 if dtype is np.float16 else 2e19], dtype)
    angles = [float(Fraction(float(each)) ** 2 % 4) * np.pi / 2 for each in x]
    np.testing.assert_allclose(slopes(build.create, x)[0], [function(angle) for angle in angles], rtol=0, atol=atol)


@pytest.mark.parametrize(("dtype", "rtol"), [(np.float32, 1e-6), (np.float64, 1e-12)])
def test_the_slopes_of_dawsons_integral(dtype: Any, rtol: float) -> None:
    x = np.asarray([20.125, -100, 1e7], dtype)
    first = [-1.2391208625622627e-3, -5.0007501875656545e-5, -5.000000000000075e-15]
    second = [1.2360250135779524e-4, -1.0003001125525296e-6, 1.00000000000003e-21]
    np.testing.assert_allclose(slopes(math.Dawsn.create, x), [first, second], rtol=rtol)


def test_modified_functions_of_the_least_number() -> None:
    """K0 is its logarithm, all but log 2 - 0.577; K1, the reciprocal, is infinite."""
    scope = tg.Scope(tg.Graph())
    x = constant(scope, 0, np.asarray([5e-324, 1e-323, 0, -1]))
    operations = (math.BesselK0, math.BesselK0e, math.BesselK1, math.BesselK1e)
    zero = [float(-np.log(least) + np.log(2) - np.euler_gamma) for least in (5e-324, 1e-323)]
    with tg.Session(scope.graph) as session:
        results = session.run([operation.create(scope, x) for operation in operations])
    for result, expected in zip(results, (zero, zero, [np.inf] * 2, [np.inf] * 2), strict=True):
        assert result.tolist() == pytest.approx([*expected, np.inf, np.inf], rel=1e-14)
