"""Second derivatives where a density is a power of 0, and near a point where a formula of the first one is 0 / 0."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from support.building import constant
from typegrad.op import math

INF: Final = np.inf
DENSITIES: Final[list[tuple[Callable[..., Any], tuple[float, ...], list[list[float]]]]] = [
    (math.Igamma.create, (4, 0), [[0, 0], [0, 0]]),
    (math.Igamma.create, (2, 0), [[0, 0], [0, 1]]),
    (math.Igamma.create, (1.5, 0), [[0, 0], [0, INF]]),
    (math.Igammac.create, (3, 0), [[0, 0], [0, 0]]),
    (math.Igammac.create, (2, 0), [[0, 0], [0, -1]]),
    (math.Betainc.create, (3, 4, 0), [[0, 0, 0], [0, 0, 0], [0, 0, 0]]),
    (math.Betainc.create, (3, 4, 1), [[0, 0, 0], [0, 0, 0], [0, 0, 0]]),
    (math.Betainc.create, (2, 2, 0), [[0, 0, 0], [0, 0, 0], [0, 0, 6]]),
    (math.Betainc.create, (2, 2, 1), [[0, 0, 0], [0, 0, 0], [0, 0, -6]]),
]
NEAR_ONE: Final = [0.5, 0.98, 0.985, 1 - 1e-14, 1, 1 + 1e-9, 1.001, 1.0156, 1.016, 2]


@pytest.mark.parametrize(("build", "at", "expected"), DENSITIES)
def test_second_derivatives_at_the_ends(
    build: Callable[..., Any], at: tuple[float, ...], expected: list[list[float]]
) -> None:
    scope = tg.Scope(tg.Graph())
    xs = [constant(scope, i, np.asarray(x, np.float64)) for i, x in enumerate(at)]
    firsts: Any = tg.gradients(scope, [build(scope, *xs)], xs)
    seconds: Any = [tg.gradients(scope, [first], xs) for first in firsts]
    with tg.Session(scope.graph) as session:
        np.testing.assert_allclose(np.array(session.run(seconds)), expected, atol=0, rtol=1e-12)


@pytest.mark.parametrize(("dtype", "rtol"), [(np.float64, 1e-10), (np.float32, 2e-3)])
def test_derivatives_of_spences_function_near_one(dtype: Any, rtol: float) -> None:
    """Compared with the integrals of t^k / (1 + t (x - 1))^(k + 1), which have no pole at 1, by Gauss and Legendre."""
    scope = tg.Scope(tg.Graph())
    numbers = np.asarray(NEAR_ONE, dtype)
    x = constant(scope, 0, numbers)
    derivatives: list[Any] = [math.Spence.create(scope, x)]
    for _ in range(3):
        derivatives.append(tg.grad(scope, derivatives[-1], x))
    nodes, weights = np.polynomial.legendre.leggauss(40)
    t = (nodes + 1) / 2
    steps = numbers.astype(np.float64)[:, None] - 1
    expected = [
        factor * (t**k / (1 + t * steps) ** (k + 1)) @ (weights / 2) for k, factor in enumerate((-1.0, 1.0, -2.0))
    ]
    with tg.Session(scope.graph) as session:
        for result, each in zip(session.run(derivatives)[1:], expected, strict=True):
            np.testing.assert_allclose(result, each, rtol=rtol)
