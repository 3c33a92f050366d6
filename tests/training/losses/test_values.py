"""Labels and weights may be values: they become constants, or are converted as operands are."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad import losses
from typegrad.op import core

PREDICTIONS: Final = np.array([[0.5, 2.0], [-1.0, 0.25]], np.float32)

LABELS: Final[dict[str, Any]] = {
    "integers": [[1, 0], [0, 1]],
    "floats": [[1.0, 0], [0, 1.0]],
    "truth values": [[True, False], [False, True]],
    "an array of the type of the predictions": np.eye(2, dtype=np.float32),
    "an array of another type": np.eye(2),
    "an array of integers": np.eye(2, dtype=np.int8),
}


@pytest.fixture
def scope() -> tg.Scope:
    return tg.Scope(tg.Graph())


def _run(operand: tg.Operand[Any]) -> Any:
    with tg.Session(operand.as_output().graph) as session:
        return session.run(operand)


@pytest.mark.parametrize("kind", LABELS)
@pytest.mark.parametrize("loss", [losses.MeanSquaredError(), losses.BinaryCrossentropy(from_logits=True)])
def test_labels_are_values(scope: tg.Scope, loss: losses.Loss, kind: str) -> None:
    predictions = core.Constant.create(scope, PREDICTIONS)
    expected = loss(scope, core.Constant.create(scope, np.eye(2, dtype=np.float32)), predictions)
    assert _run(loss(scope, LABELS[kind], predictions)) == _run(expected)


def test_a_number_is_the_label_of_all(scope: tg.Scope) -> None:
    predictions = core.Constant.create(scope, PREDICTIONS)
    result = losses.mean_squared_error(scope, 0.5, predictions)
    np.testing.assert_allclose(_run(result), ((PREDICTIONS - 0.5) ** 2).mean(1))


@pytest.mark.parametrize("labels", [[0, 1], np.array([0, 1]), np.array([[0], [1]], np.uint8)], ids=repr)
def test_numbers_of_classes_and_weights(scope: tg.Scope, labels: Any) -> None:
    predictions = core.Constant.create(scope, PREDICTIONS)
    loss = losses.SparseCategoricalCrossentropy(from_logits=True, ignore_class=1)
    weighted = loss(scope, labels, predictions, [1, 2.5])
    right, weights = core.Constant.create(scope, [0, 1]), core.Constant.create(scope, [1, 2.5])
    operands = loss(scope, right, predictions, weights)
    assert _run(weighted) == _run(operands)


def test_the_constant_is_named_after_the_argument(scope: tg.Scope) -> None:
    losses.Huber()(scope, 1.0, core.Constant.create(scope, PREDICTIONS), sample_weight=2.0)
    names = [operation.name for operation in scope.graph if operation.type == "Const"]
    assert {"Huber/y_true", "Huber/sample_weight"} <= set(names)


def test_what_does_not_fit_is_refused_by_name(scope: tg.Scope) -> None:
    predictions = core.Constant.create(scope, PREDICTIONS)
    text: Any = "one"
    fractions: Any = [0.5, 1]
    with pytest.raises(tg.DTypeError, match="^mean_squared_error: y_true: 1e[+]300 is beyond float32"):
        losses.mean_squared_error(scope, 1e300, predictions)
    with pytest.raises(tg.DTypeError, match="`y_true` must be an Operand or a number, list or array, not str 'one'"):
        losses.MeanSquaredError()(scope, text, predictions)
    with pytest.raises(tg.DTypeError, match="`y_true` must be an Operand or an int, list or array of ints, not list"):
        losses.SparseCategoricalCrossentropy()(scope, fractions, predictions)
    with pytest.raises(tg.ShapeError, match=r"y_true of shape \[1, 3\] and y_pred of shape \[2, 2\] do not broadcast"):
        losses.MeanSquaredError()(scope, [[1, 2, 3]], predictions)
