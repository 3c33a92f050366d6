"""Softmax overflows; shifted by its maximum it does not, and with StopGradient around the maximum its gradient is
exact.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import typegrad as tg
from typegrad.op import core, math


def softmax(
    scope: tg.Scope, x: tg.Operand[tg.TFloat64], *, shifted: bool, stopped: bool = True
) -> tg.Operand[tg.TFloat64]:
    if shifted:
        top: tg.Operand[tg.TFloat64] = core.Max.create(scope, x, -1, keep_dims=True)
        x = math.Sub.create(scope, x, core.StopGradient.create(scope, top) if stopped else top)
    powers = math.Exp.create(scope, x)
    return math.RealDiv.create(scope, powers, core.Sum.create(scope, powers, -1, keep_dims=True))


def run(value: NDArray[np.float64], **options: bool) -> tuple[NDArray[Any], NDArray[Any]]:
    """The softmax, and the gradient of its first element."""
    graph = tg.Graph()
    scope = tg.Scope(graph)
    x = core.Placeholder.create(scope, tg.TFloat64, shape=value.shape)
    y = softmax(scope, x, **options)
    first = core.Slice.create(scope, y, [0], [1])
    gradient = tg.grad(scope, first, x)
    with tg.Session(graph) as session:
        values: list[NDArray[Any]] = session.run([y, gradient], {x: value})
    return values[0], values[1]


def exact_gradient(p: NDArray[np.float64]) -> NDArray[np.float64]:
    """The first row of softmax's Jacobian, diag(p) - p p^T."""
    row: NDArray[np.float64] = p[0] * (np.eye(p.size)[0] - p)
    return row


def test_the_plain_form_overflows() -> None:
    value, gradient = run(np.array([1000.0, 999.0]), shifted=False)
    assert np.isnan(value).any() and np.isnan(gradient).any()


@pytest.mark.parametrize("x", [[1000.0, 999.0], [1e300, -1e300], [-1000.0, -1001.0, -1002.0]])
def test_the_shifted_form_does_not(x: list[float]) -> None:
    value, gradient = run(np.array(x), shifted=True)
    powers = np.exp(np.array(x) - max(x))
    expected = powers / powers.sum()
    np.testing.assert_allclose(value, expected, rtol=1e-14)
    np.testing.assert_allclose(gradient, exact_gradient(expected), rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("x", [[3.0, 3.0], [3.0, 3.0, 1.0], [800.0, 2.0, 800.0, 800.0]])
def test_the_gradient_is_right_where_the_maximum_occurs_more_than_once(x: list[float]) -> None:
    value, gradient = run(np.array(x), shifted=True)
    np.testing.assert_allclose(gradient, exact_gradient(value), rtol=1e-12, atol=1e-300)


def test_without_stop_gradient_the_maximum_is_differentiated_in_vain() -> None:
    """The shift cancels, so its gradient is zero but for rounding: StopGradient saves the operations, not the
    result.
    """
    x = np.array([3.0, 3.0, 1.0])
    stopped, differentiated = (run(x, shifted=True, stopped=stopped)[1] for stopped in (True, False))
    np.testing.assert_allclose(differentiated, stopped, atol=1e-15)
