"""The functions beside TensorFlow's: values, and gradients of their sum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

import numpy as np
import pytest
from attrs import frozen

import typegrad as tg
from functions.cases import CASES
from record_keras import Answer, Case, load
from typegrad import functions
from typegrad.base.types import BY_NAME
from typegrad.op import core, linalg, math

RTOL: Final = {np.dtype(np.float16): 2e-3, np.dtype(np.float32): 2e-6, np.dtype(np.complex64): 2e-6}


@cache
def recorded() -> dict[str, Answer]:
    return load("functions")


@frozen
class Draw:
    """What a candidate sampler would return."""

    sampled_candidates: Any
    true_expected_count: Any
    sampled_expected_count: Any


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_values_and_gradients_are_those_of_tensorflow(case: Case) -> None:
    options = {key: _option(key, value) for key, value in case.options.items()}
    for index, call in enumerate(case.calls):
        scope = tg.Scope(tg.Graph())
        arguments = [_operand(scope, item) for item in call]
        floats = [
            x for x in arguments if isinstance(x, tg.Operand) and issubclass(x.dtype, (tg.TFloating, tg.TComplex))
        ]
        result = _call(scope, case.name, arguments, options)
        values = result if isinstance(result, (list, tuple)) else (result,)
        ones = [core.OnesLike.create(scope, value) for value in values]
        gradients: Any = (
            tg.gradients(scope, values, floats, grad_ys=ones, unconnected_gradients="zero") if floats else ()
        )
        expected = recorded()[case.id]
        with tg.Session(scope.graph) as session:
            for kind, operands in (("value", values), ("gradient", gradients)):
                for i, actual in enumerate(session.run(list(operands))):
                    correct = expected[f"{kind}{index}.{i}"]
                    assert actual.shape == correct.shape and (kind == "gradient" or actual.dtype == correct.dtype)
                    rtol = RTOL.get(actual.dtype, 1e-12)
                    np.testing.assert_allclose(actual, correct, rtol, rtol / 10, err_msg=f"{kind} {index}.{i}")


def _option(key: str, value: Any) -> Any:
    if key == "dtype":
        return BY_NAME[value]
    if key == "window_fn" and value is not None:
        kind, _, step = value.partition(":")
        return functions.inverse_stft_window_fn(int(step)) if kind == "inverse" else getattr(functions, kind)
    return value


def _operand(scope: tg.Scope, item: Any) -> Any:
    if isinstance(item, (np.ndarray, np.floating)):
        return core.Constant.create(scope, item)
    if isinstance(item, list):
        return [None if each is None else core.Constant.create(scope, each) for each in item]
    if isinstance(item, tuple) and any(isinstance(each, np.ndarray) for each in item):
        drawn, right, others = (core.Constant.create(scope, each) for each in item)
        return Draw(drawn, right, others)
    return item


def _call(scope: tg.Scope, name: str, arguments: Sequence[Any], options: Mapping[str, Any]) -> Any:
    if name == "jacobian":
        x, a = arguments
        return tg.jacobian(scope, math.Tanh.create(scope, linalg.MatMul.create(scope, x, a, transpose_b=True)), x)
    if name == "hessian":
        x, a = arguments
        return tg.hessian(scope, math.Tanh.create(scope, linalg.MatMul.create(scope, x, a, transpose_b=True)), x)
    if name == "sigmoid_cross_entropy":
        return functions.sigmoid_cross_entropy(scope, labels=arguments[0], logits=arguments[1])
    if name == "weighted_cross_entropy_with_logits":
        labels, logits, weight = arguments
        return functions.weighted_cross_entropy_with_logits(scope, labels=labels, logits=logits, pos_weight=weight)
    if name == "clip_by_global_norm":
        arrays, norm = functions.clip_by_global_norm(scope, *arguments)
        return [*(array for array in arrays if array is not None), norm]
    if name.endswith("_loss"):
        *arguments, drawn = arguments
        options = {**options, "sampled_values": drawn}
    return getattr(functions, name)(scope, *arguments, **options)
