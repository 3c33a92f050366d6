"""Values and gradients of the losses, as Keras computes them."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from record_keras import Answer, Case, load
from training.losses.cases import CASES
from typegrad import losses
from typegrad.base.types import from_numpy
from typegrad.op import core

ROUNDED: Final = {"LogCosh() float64": 1e-8}
"""Keras rounds log(2) to float32 whatever the type."""


@cache
def recorded() -> dict[str, Answer]:
    return load("training/losses")


def make(case: Case) -> Any:
    options = dict(case.options)
    if "reduction" in options:
        options["reduction"] = losses.Reduction(options["reduction"])
    return getattr(losses, case.name)(**options)


def placed(scope: tg.Scope, value: Any, known: bool) -> Any:
    """A placeholder with all sizes known, or only the last one and sizes of 1; a weight may be missing."""
    if value is None:
        return None
    sizes = [
        size if known or size == 1 or axis == value.ndim - 1 > 0 else None for axis, size in enumerate(value.shape)
    ]
    dtype: Any = from_numpy(value.dtype)
    return core.Placeholder.create(scope, dtype, shape=sizes)


@pytest.mark.parametrize("known", [True, False], ids=["sizes known", "sizes unknown"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_value_and_gradient_are_those_of_keras(case: Case, known: bool) -> None:
    for index, values in enumerate(case.calls):
        scope = tg.Scope(tg.Graph())
        arrays = [None if value is None else np.asarray(value) for value in values]
        operands = [placed(scope, array, known) for array in arrays]
        loss = make(case)(scope, *operands)
        gradient = tg.grad(scope, loss, operands[1])
        feeds = {operand: array for operand, array in zip(operands, arrays, strict=True) if array is not None}
        with tg.Session(scope.graph) as session:
            result = session.run([loss, gradient], feeds)
        answer = recorded()[case.id]
        for name, value in zip(("value", "gradient"), result, strict=True):
            expected = answer[f"{name}{index}"]
            rtol = ROUNDED.get(case.id, 1e-5 if expected.dtype == np.float32 else 1e-12)
            assert value.dtype == expected.dtype
            np.testing.assert_allclose(value, expected, rtol, rtol / 10, strict=True, err_msg=f"{name} of call {index}")


def test_every_recorded_answer_is_looked_at() -> None:
    assert recorded().keys() == {case.id for case in CASES}
