"""The incomplete beta function in float32, beside the exact sum that it is where its parameters are integers."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Final

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import math

POINTS: Final = (
    (2, 3, 0.4),
    (83, 18, 0.293),
    (36, 29, 0.0522),
    (233, 35, 0.6347),
    (2000, 34, 0.95),
    (3, 400, 0.9),
    (400, 3, 0.9999),
)


def _exact(a: int, b: int, x: Fraction) -> Fraction:
    """The probability of `a` successes or more in a + b - 1 trials."""
    n = a + b - 1
    return sum((comb(n, k) * x**k * (1 - x) ** (n - k) for k in range(a, n + 1)), Fraction(0))


@pytest.mark.parametrize(("a", "b", "x"), POINTS)
def test_float32_is_the_rounded_result(scope: tg.Scope, a: int, b: int, x: float) -> None:
    limit = np.float32(x)
    with tg.Session(scope.graph) as session:
        result = session.run(math.Betainc.create(scope, np.float32(a), np.float32(b), limit))
    assert result.dtype == np.float32
    np.testing.assert_allclose(float(result), float(_exact(a, b, Fraction(float(limit)))), 1e-7)
