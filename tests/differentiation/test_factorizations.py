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
from typegrad.op import core, linalg, math
from typegrad.rules.matrices import adjoint, right, row, times
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


def spread(scope: tg.Scope, x: Any) -> Any:
    """A matrix of distinct eigenvalues and singular values, near a diagonal one."""
    sizes = x.shape.as_ints()[-2:]
    return x + constant(scope, 0, np.eye(*sizes, dtype=x.dtype.numpy) * np.arange(3.0, 3 + 3 * sizes[1], 3))


def square_by_eigh(scope: tg.Scope, x: Any) -> Any:
    """The product of a Hermitian matrix with itself, by its eigenvectors."""
    operation = linalg.SelfAdjointEig.create(scope, hermitian(scope, x))
    return times(scope, operation.v * row(scope, operation.e * operation.e), operation.v, adj_y=True)


def square_by_eig(scope: tg.Scope, x: Any) -> Any:
    """The product of a matrix with itself, by its eigenvectors."""
    operation = linalg.Eig.create(scope, spread(scope, x), tg.TComplex128)
    return operation.v * row(scope, operation.e * operation.e) @ linalg.Inv.create(scope, operation.v)


def sizes_of_eigenvectors(scope: tg.Scope, x: Any) -> Any:
    """The absolute values of eigenvectors' elements, which depend on their norms."""
    return math.ComplexAbs.create(scope, linalg.Eig.create(scope, spread(scope, x), tg.TComplex128).v, tg.TFloat64)


def rotation(scope: tg.Scope, x: Any) -> Any:
    """U V†, the nearest matrix of orthonormal columns."""
    operation = linalg.Svd.create(scope, spread(scope, x))
    return times(scope, operation.u, operation.v, adj_y=True)


def scaled(scope: tg.Scope, x: Any) -> Any:
    """U s² V†."""
    operation = linalg.Svd.create(scope, spread(scope, x))
    return times(scope, operation.u * row(scope, operation.s * operation.s), operation.v, adj_y=True)


def complement(scope: tg.Scope, x: Any) -> Any:
    """The projections onto what is at right angles to all columns, and to all rows."""
    operation = linalg.Svd.create(scope, spread(scope, x), full_matrices=True)
    size = operation.s.shape.as_ints()[-1]
    u, v = right(scope, operation.u, size), right(scope, operation.v, size)
    parts = times(scope, u, u, adj_y=True), times(scope, v, v, adj_y=True)
    return core.Concat.create(scope, [core.Reshape.create(scope, part, [-1]) for part in parts], 0)


FUNCTIONS: Final[list[tuple[Callable[[tg.Scope, Any], Any], tuple[int, ...]]]] = [
    (lower, (3, 3)),
    (lower, (2, 2, 2)),
    (square_by_eigh, (3, 3)),
    (square_by_eigh, (2, 2, 2)),
    (square_by_eig, (3, 3)),
    (sizes_of_eigenvectors, (2, 2, 2)),
    (rotation, (4, 2)),
    (rotation, (2, 2, 3)),
    (scaled, (3, 3)),
    (complement, (4, 2)),
    (complement, (2, 4)),
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
