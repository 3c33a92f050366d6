"""Labels and weights of metrics may be values, as those of losses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from record_keras import Case
from training.metrics.cases import CASES
from training.metrics.test_recorded import check, make, recorded
from typegrad import metrics
from typegrad.op import core

WEIGHTED: Final = {case.name: case for case in CASES if any(values[-1] is not None for values in case.calls)}
"""A case of each metric that has weights in some batch."""


def _updates(case: Case, scope: tg.Scope, metric: Any, form: str) -> Iterator[Any]:
    """Updates with labels and weights as values, and the predictions as operands."""
    for *labels, predictions, weights in case.calls:
        values = [
            value if form == "arrays" or value is None else np.asarray(value).tolist() for value in (*labels, weights)
        ]
        yield metric.update_state(scope, *values[:-1], core.Constant.create(scope, predictions), values[-1])


@pytest.mark.parametrize("form", ["arrays", "lists"])
@pytest.mark.parametrize("case", WEIGHTED.values(), ids=lambda case: case.id)
def test_results_are_those_of_operands(case: Case, form: str) -> None:
    scope = tg.Scope(tg.Graph())
    metric = make(case, scope)
    updates = list(_updates(case, scope, metric, form))
    result = metric.result(scope)
    with tg.Session(scope.graph) as session:
        for index, update in enumerate(updates):
            session.run(update)
            check(session.run(result), recorded()[case.id][f"value{index}"], f"after batch {index}")


def test_every_metric_is_tried() -> None:
    assert WEIGHTED.keys() == {case.name for case in CASES}


def test_the_constants_are_named_after_the_arguments() -> None:
    scope = tg.Scope(tg.Graph())
    predictions = core.Constant.create(scope, [0.25, 0.75])
    metrics.BinaryAccuracy(scope).update_state(scope, [0, 1], predictions, sample_weight=2.0)
    names = {operation.name for operation in scope.graph if operation.type == "Const"}
    assert {"update_state/y_true", "update_state/sample_weight"} <= names


def test_what_does_not_fit_is_refused_by_name() -> None:
    scope = tg.Scope(tg.Graph())
    predictions: Any = core.Constant.create(scope, [[0.25, 0.75]])
    labels: Any = [0.5]
    with pytest.raises(tg.DTypeError, match=r"^y_true: 1e[+]300 is beyond float32"):
        metrics.MeanSquaredError(scope).update_state(scope, [[1e300, 0.0]], predictions)
    with pytest.raises(tg.DTypeError, match="`y_true` must be an Operand or an int, list or array of ints, not list"):
        metrics.SparseCategoricalAccuracy(scope).update_state(scope, labels, predictions)
