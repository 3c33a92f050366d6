"""The activation functions, beside Keras' and by themselves."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import typegrad as tg
from record_keras import Answer, Case, load
from training.activations.cases import CASES
from typegrad import activations
from typegrad.base.types import from_numpy
from typegrad.op import core


@cache
def recorded() -> dict[str, Answer]:
    return load("training/activations")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_value_and_gradient_are_those_of_keras(case: Case) -> None:
    function = getattr(activations, {"silu": "swish"}.get(case.name, case.name))
    for index, (value,) in enumerate(case.calls):
        scope = tg.Scope(tg.Graph())
        dtype: Any = from_numpy(value.dtype)
        x = core.Placeholder.create(scope, dtype, shape=value.shape)
        y = function(scope, x, **case.options)
        assert y.dtype is x.dtype and y.shape == x.shape
        with tg.Session(scope.graph) as session:
            result = session.run([y, tg.grad(scope, y, x)], {x: value})
        for name, actual in zip(("value", "gradient"), result, strict=True):
            rtol = 1e-5 if dtype is tg.TFloat32 else 1e-6 if case.name == "gelu" else 1e-12
            expected = recorded()[case.id][f"{name}{index}"]
            np.testing.assert_allclose(actual, expected, rtol, rtol / 10, strict=True, err_msg=f"{name} {index}")


def test_every_recorded_answer_is_looked_at() -> None:
    assert recorded().keys() == {case.id for case in CASES}
    assert {case.name for case in CASES} == {*activations.__all__, "silu"} - {"swish"}


@pytest.mark.parametrize("name", activations.__all__)
@pytest.mark.parametrize("dtype", [tg.TFloat16, tg.TBfloat16])
def test_narrow_types_and_unknown_shapes_pass(name: str, dtype: type[tg.TFloating]) -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, dtype)
    y = getattr(activations, name)(scope, x)
    with tg.Session(scope.graph) as session:
        value = session.run(y, {x: np.array([[-1.0, 0.0, 2.0]], dtype.numpy)})
    assert value.dtype == dtype.numpy and value.shape == (1, 3)


@pytest.mark.parametrize("options", [{"negative_slope": -1.0}, {"max_value": -1.0}, {"max_value": float("nan")}])
def test_relu_refuses_negative_parameters(options: Any) -> None:
    scope = tg.Scope(tg.Graph())
    with pytest.raises(tg.AttributeValueError, match="must not be negative"):
        activations.relu(scope, core.Constant.create(scope, [1.0]), **options)


@pytest.mark.parametrize("axis", [2, -3])
def test_softmax_needs_an_axis_that_exists(axis: int) -> None:
    scope = tg.Scope(tg.Graph())
    with pytest.raises(tg.ShapeError, match=f"no axis {axis}"):
        activations.softmax(scope, core.Placeholder.create(scope, tg.TFloat32, shape=(2, 3)), axis=axis)
    with pytest.raises(tg.ShapeError, match="the rank of 'Placeholder_1:0' must be known"):
        activations.softmax(scope, core.Placeholder.create(scope, tg.TFloat32), axis=axis)


def test_linear_adds_nothing() -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Constant.create(scope, [1.0])
    assert activations.linear(scope, x) is x


def test_names_follow_the_scope() -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Constant.create(scope, [1.0])
    assert activations.gelu(scope.with_name("act"), x).name.startswith("act/")
    assert activations.tanh(scope.with_name("squash"), x).name == "squash:0"
