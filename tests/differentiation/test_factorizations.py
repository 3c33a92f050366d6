"""Gradients of factors that are not unique, or of Hermitian matrices, through functions that depend on neither signs,
phases nor the triangle that is read. Differences confirm first and second gradients.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from support.building import constant, placeholder
from support.samples import sample
from typegrad.op import linalg
from typegrad.rules.matrices import adjoint
from typegrad_checking.probing import inner, random_like

STEP: Final = 1e-5


def hermitian(scope: tg.Scope, x: Any) -> Any:
    """A positive definite matrix of distinct eigenvalues, near the diagonal."""
    size = x.shape.as_ints()[-1]
    base = np.diag(np.arange(6.0, 6 + 2 * size, 2)).astype(x.dtype.numpy)
    return x + adjoint(scope, x) + constant(scope, 0, base)


def lower(scope: tg.Scope, x: Any) -> Any:
    """The Cholesky factor."""
    return linalg.Cholesky.create(scope, hermitian(scope, x))


FUNCTIONS: Final[list[tuple[Callable[[tg.Scope, Any], Any], tuple[int, ...]]]] = [
    (lower, (3, 3)),
    (lower, (2, 2, 2)),
]


@pytest.mark.parametrize("dtype", ["double", "complex128"])
@pytest.mark.parametrize(("function", "shape"), FUNCTIONS)
def test_gradients_are_slopes(function: Callable[[tg.Scope, Any], Any], shape: tuple[int, ...], dtype: str) -> None:
    x, scope = sample(dtype, shape, -1, 1), tg.Scope(tg.Graph())
    operand = placeholder(scope, x, tg.Shape(x.shape))
    with scope, tg.Session(scope.graph) as session:
        y = function(scope, operand)
        for _ in range(2):  # the function, and then its gradient
            weights = random_like(session.run(y, {operand: x}), 1)
            (gradient,) = tg.gradients(scope, [y], [operand], grad_ys=[constant(scope, 0, weights)])
            assert gradient is not None
            direction = random_like(x, 2)
            ahead, behind = (
                session.run(y, {operand: x + STEP * direction}),
                session.run(y, {operand: x - STEP * direction}),
            )
            slope = inner([weights], [ahead - behind]) / (2 * STEP)
            actual = inner([session.run(gradient, {operand: x})], [direction])
            np.testing.assert_allclose(actual, slope, rtol=1e-6, atol=1e-6)
            y = gradient
