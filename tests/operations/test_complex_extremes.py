"""Complex numbers so large that plain formulas overflow: quotients, powers and directions are mathematically right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import numpy as np
import pytest

import typegrad as tg
from support.building import constant
from typegrad.op import math

Build: TypeAlias = Callable[..., Any]
L: Final = 1.7e308
BOTH: Final = complex(L, L)
INFINITE: Final = tuple(complex(a, b) for a in (-np.inf, 0, np.inf) for b in (-np.inf, np.inf))

CASES: Final[list[tuple[Build, tuple[complex, ...], complex]]] = [
    *((op.create, (complex(L, 0), BOTH), 0.5 - 0.5j) for op in (math.RealDiv, math.Div, math.DivNoNan, math.Xdivy)),
    *((op.create, (BOTH, BOTH), 1) for op in (math.RealDiv, math.Div, math.DivNoNan, math.Xdivy)),
    *((op.create, (3 - 2j, z), 0) for op in (math.RealDiv, math.DivNoNan, math.Xdivy) for z in INFINITE),
    *((math.Reciprocal.create, (z,), 0) for z in INFINITE),
    *((math.Pow.create, (z, -1 + 0j), 0) for z in (*INFINITE, 1e200 + 0j, complex(-1e308, 1e308))),
    (math.Pow.create, (1e200 + 0j, -1 + 0j), 1e-200),
    (math.Pow.create, (1e154j, -2 + 0j), -1e-308),
    (math.SquaredDifference.create, (1e30 + 3.7j, 1j), 1e60),
    (math.SquaredDifference.create, (1.1 + 3.3j, 0.7j), 1.21 + 2.6**2),
    (math.Sign.create, (complex(-L, L),), complex(-1, 1) / 2**0.5),
    (math.SqrtGrad.create, (BOTH, complex(L, 0)), 0.25 + 0.25j),
]


def test_gradient_of_a_tangent_whose_cosine_overflows() -> None:
    scope = tg.Scope(tg.Graph())
    x = constant(scope, 0, np.array([1000 + 1000j, 3 - 1000j, 1e30 + 1000j]))
    (grad,) = tg.gradients(scope, [math.Tan.create(scope, x)], [x], grad_ys=[constant(scope, 1, np.full(3, 2 - 1j))])
    assert grad is not None
    with tg.Session(scope.graph) as session:
        np.testing.assert_array_equal(session.run(grad), np.zeros(3))


@pytest.mark.parametrize(("build", "at", "expected"), CASES)
def test_value(build: Build, at: tuple[complex, ...], expected: complex) -> None:
    scope = tg.Scope(tg.Graph())
    y: Any = build(scope, *(constant(scope, i, np.array(x, np.complex128)) for i, x in enumerate(at)))
    with tg.Session(scope.graph) as session:
        result = session.run(y)
    np.testing.assert_allclose(result, expected, rtol=1e-14, atol=1e-199 if expected == 0 else 0)
    assert result.imag == 0 or complex(expected).imag != 0
