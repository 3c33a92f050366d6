"""The regularizers, beside Keras' and by themselves."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import typegrad as tg
from record_keras import Answer, Case, load
from training.regularizers.cases import CASES
from typegrad import regularizers
from typegrad.base.types import from_numpy
from typegrad.op import core


@cache
def recorded() -> dict[str, Answer]:
    return load("training/regularizers")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_penalties_are_those_of_keras(case: Case) -> None:
    for index, (value,) in enumerate(case.calls):
        scope = tg.Scope(tg.Graph())
        dtype: Any = from_numpy(value.dtype)
        x = core.Placeholder.create(scope, dtype)
        penalty = getattr(regularizers, case.name)(**case.options)(scope, x)
        assert penalty.rank == 0 and penalty.name.startswith(case.name)
        with tg.Session(scope.graph) as session:
            result = session.run(penalty, {x: np.asarray(value)})
        expected = recorded()[case.id][f"value{index}"]
        np.testing.assert_allclose(result, expected, 1e-6 if dtype is tg.TFloat32 else 1e-7, strict=True)


def test_every_recorded_answer_is_looked_at() -> None:
    assert recorded().keys() == {case.id for case in CASES}


def test_gradients_shrink_weights() -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Constant.create(scope, [2.0, 0.0, -4.0])
    gradient = tg.grad(scope, regularizers.L1L2(0.5, 0.25)(scope, x), x)
    with tg.Session(scope.graph) as session:
        assert session.run(gradient).tolist() == [1.5, 0.0, -2.5]


@pytest.mark.parametrize("factor", [-0.5, float("nan"), float("inf")])
@pytest.mark.parametrize("make", [regularizers.L1, regularizers.L2, regularizers.L1L2])
def test_factors_are_finite_and_not_negative(make: Any, factor: float) -> None:
    with pytest.raises(tg.AttributeValueError, match="finite number from 0 up"):
        make(factor)
