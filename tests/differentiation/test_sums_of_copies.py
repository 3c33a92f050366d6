"""Inputs that were broadcast: what can be done after the sum over the copies is done there, on fewer elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, math

OPERATIONS: Final[dict[str, Callable[..., Any]]] = {
    "Sub": math.Sub.create,
    "RealDiv": math.RealDiv.create,
}


@pytest.mark.parametrize("is_known", [True, False])
@pytest.mark.parametrize("name", OPERATIONS)
def test_a_sum_is_negated(name: str, *, is_known: bool) -> None:
    scope = tg.Scope(tg.Graph(seed=1))
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(3, 4))
    y = core.Placeholder.create(scope, tg.TFloat32, shape=(3, 1) if is_known else (3, None))
    gradient = tg.grad(scope, OPERATIONS[name](scope, x, y), y)
    *_, negation = (op for op in scope.graph.operations if op.type in ("Neg", "Sub"))
    assert negation.type == ("Sub" if is_known else "Neg")
    assert negation.outputs[0].shape == tg.Shape((3, 1) if is_known else (3, 4))
    value = np.arange(1, 13, dtype=np.float32).reshape(3, 4)
    by = np.array([[1.0], [2.0], [4.0]], np.float32)
    expected = np.full((3, 1), -4) if name == "Sub" else -(value / by**2).sum(1, keepdims=True)
    np.testing.assert_allclose(tg.Session(scope.graph).run(gradient, {x: value, y: by}), expected, rtol=1e-6)


@pytest.mark.parametrize("is_known", [True, False])
@pytest.mark.parametrize("name", OPERATIONS)
def test_a_sum_of_0_is_positive(name: str, *, is_known: bool) -> None:
    """As in TensorFlow, which negates before it sums."""
    scope = tg.Scope(tg.Graph(seed=1))
    y = core.Placeholder.create(scope, tg.TFloat32, shape=(1,) if is_known else (None,))
    result = OPERATIONS[name](scope, np.ones(2, np.float32), y)
    (gradient,) = tg.gradients(scope, [result], [y], grad_ys=[np.array([1, -1], np.float32)])
    assert gradient is not None
    value = tg.Session(scope.graph).run(gradient, {y: np.ones(1, np.float32)})
    assert (value.tolist(), np.signbit(value).tolist()) == ([0], [False])


def test_the_zero_of_a_quotient_by_0_has_the_sign_of_the_gradient() -> None:
    """As in TensorFlow: the quotient -x / 0 / 0 is a positive 0."""
    scope = tg.Scope(tg.Graph(seed=1))
    y = core.Placeholder.create(scope, tg.TFloat32, shape=(2,))
    quotient = math.DivNoNan.create(scope, np.array([3, -3], np.float32), y)
    (gradient,) = tg.gradients(scope, [quotient], [y], grad_ys=[np.array([1, -1], np.float32)])
    assert gradient is not None
    value = tg.Session(scope.graph).run(gradient, {y: np.zeros(2, np.float32)})
    assert (value.tolist(), np.signbit(value).tolist()) == ([0, 0], [False, True])


@pytest.mark.parametrize("quotient_of", [math.RealDiv.create, math.DivNoNan.create])
def test_a_quotient_of_0_has_a_gradient_of_0(quotient_of: Callable[..., Any]) -> None:
    """As in TensorFlow, also where the gradient over y overflows."""
    scope = tg.Scope(tg.Graph(seed=1))
    y = core.Placeholder.create(scope, tg.TFloat32, shape=(2,))
    quotient = quotient_of(scope, np.zeros(2, np.float32), y)
    (gradient,) = tg.gradients(scope, [quotient], [y], grad_ys=[np.full(2, 1e30, np.float32)])
    assert gradient is not None
    result = tg.Session(scope.graph).run(gradient, {y: np.array([1e-20, -1e-20], np.float32)})
    np.testing.assert_array_equal(result, [0, 0])
