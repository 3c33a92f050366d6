"""Derivatives of functions of nearly singular matrices are those of their eigenvalues, however small these are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from support.building import constant
from support.recording import Array
from typegrad.op import linalg

SMALL: Final = (1e-10, 1e-40, 1e-150)


def gradient(create: Callable[..., Any], diagonal: list[float], dtype: type[Any]) -> Array:
    """The gradient of all elements of the function at a diagonal matrix."""
    scope = tg.Scope(tg.Graph())
    x = constant(scope, 0, np.diag(diagonal).astype(dtype))
    (result,) = tg.gradients(scope, [create(scope, x)], [x], grad_ys=[constant(scope, 0, np.ones((2, 2), dtype))])
    assert result is not None
    return np.asarray(tg.Session(scope.graph).run(result))


@pytest.mark.parametrize("small", SMALL)
@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
def test_of_roots(small: float, dtype: type[Any]) -> None:
    a, b = 1.0, small**0.5
    expected = [[1 / (2 * a), 1 / (a + b)], [1 / (a + b), 1 / (2 * b)]]
    np.testing.assert_allclose(gradient(linalg.Sqrtm.create, [1, small], dtype), expected, rtol=1e-12)


@pytest.mark.parametrize("small", SMALL)
def test_of_logarithms(small: float) -> None:
    slope = np.log(small) / (small - 1)
    expected = [[1, slope], [slope, 1 / small]]
    np.testing.assert_allclose(gradient(linalg.MatrixLogarithm.create, [1, small], np.complex128), expected, rtol=1e-12)


def test_of_the_root_of_0() -> None:
    result = gradient(linalg.Sqrtm.create, [1, 0], np.float64)
    assert result[0, 0] == 0.5 and result[1, 1] == np.inf


def test_of_the_logarithm_of_0() -> None:
    assert np.isnan(gradient(linalg.MatrixLogarithm.create, [1, 0], np.complex128)).all()
