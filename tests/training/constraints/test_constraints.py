"""The constraints, beside Keras' and by themselves."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import typegrad as tg
from record_keras import Answer, Case, load
from training.constraints.cases import CASES
from typegrad import constraints
from typegrad.base.types import from_numpy
from typegrad.op import core


@cache
def recorded() -> dict[str, Answer]:
    return load("training/constraints")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_allowed_weights_are_those_of_keras(case: Case) -> None:
    for index, (value,) in enumerate(case.calls):
        scope = tg.Scope(tg.Graph())
        dtype: Any = from_numpy(value.dtype)
        w = core.Placeholder.create(scope, dtype, shape=value.shape)
        allowed = getattr(constraints, case.name)(**case.options)(scope, w)
        assert allowed.shape == w.shape and allowed.name.startswith(case.name)
        with tg.Session(scope.graph) as session:
            result = session.run(allowed, {w: value})
        expected = recorded()[case.id][f"value{index}"]
        np.testing.assert_allclose(result, expected, 1e-6 if dtype is tg.TFloat32 else 1e-12, strict=True)


def test_every_recorded_answer_is_looked_at() -> None:
    assert recorded().keys() == {case.id for case in CASES}


def test_a_variable_is_constrained_after_a_step() -> None:
    scope = tg.Scope(tg.Graph())
    w = tg.Variable.create(scope, np.array([[3.0, 0.1], [4.0, 0.0]], np.float32))
    project = w.assign(scope, constraints.MaxNorm(1.0)(scope, w.read(scope)))
    with tg.Session(scope.graph) as session:
        session.run(project)
        np.testing.assert_allclose(session.value(w), [[0.6, 0.1], [0.8, 0.0]], rtol=1e-5)


@pytest.mark.parametrize("options", [{"max_value": -1.0}, {"max_value": float("nan")}])
@pytest.mark.parametrize("make", [constraints.MaxNorm, constraints.MinMaxNorm])
def test_norms_are_not_negative(make: Any, options: Any) -> None:
    with pytest.raises(tg.AttributeValueError, match="max_value must not be negative"):
        make(**options)


def test_the_axis_must_exist() -> None:
    scope = tg.Scope(tg.Graph())
    with pytest.raises(tg.ShapeError):
        constraints.UnitNorm(axis=2)(scope, core.Placeholder.create(scope, tg.TFloat32, shape=(2, 3)))
