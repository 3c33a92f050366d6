"""Without a regularizer, gradients of `MatrixSolveLs` are limits: differences cannot be central there."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, linalg

SMALL: Final = 1e-5


def derivatives(rows: int, columns: int, dtype: str, weight: float) -> list[Any]:
    """The gradients of all inputs, and second ones."""
    scope, rng = tg.Scope(tg.Graph()), np.random.default_rng(3)

    def numbers(height: int, width: int) -> Any:
        real, imaginary = rng.normal(size=(2, height, width))
        return (real + 1j * imaginary if dtype == "complex128" else real) + 2 * np.eye(height, width)

    matrix, rhs, target = numbers(rows, columns), numbers(rows, 2), numbers(columns, 2)
    xs = [core.Constant.create(scope, each) for each in (matrix, rhs, np.float64(weight))]
    solution = linalg.MatrixSolveLs.create(scope, *xs)
    first = tg.gradients(scope, [solution], xs, grad_ys=[core.Constant.create(scope, target)])
    grads = [each for each in first if each is not None]
    second = [tg.gradients(scope, [each], xs[:2], grad_ys=[each]) for each in grads]
    with tg.Session(scope.graph) as session:
        return session.run([*grads, *(each for gradients in second for each in gradients if each is not None)])


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize(("rows", "columns"), [(4, 2), (2, 4), (3, 3)])
def test_without_a_regularizer(rows: int, columns: int, dtype: str) -> None:
    limits = derivatives(rows, columns, dtype, SMALL)
    for value, limit in zip(derivatives(rows, columns, dtype, 0.0), limits, strict=True):
        np.testing.assert_allclose(value, limit, rtol=1e-3, atol=1e-3)


def test_a_second_gradient_of_no_regularizer_is_no_number() -> None:
    scope = tg.Scope(tg.Graph())
    weight = core.Constant.create(scope, 0.0, tg.TFloat64)
    solution = linalg.MatrixSolveLs.create(scope, np.array([[1.0], [2.0]]), np.array([[1.0], [1.0]]), weight)
    second = tg.grad(scope, tg.grad(scope, solution, weight), weight)
    with tg.Session(scope.graph) as session:
        assert np.isnan(session.run(second))
