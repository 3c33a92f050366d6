"""The results of the metrics over several batches, as Keras computes them."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from record_keras import Answer, Case, load
from training.metrics.cases import CASES
from typegrad import metrics
from typegrad.base.types import from_numpy
from typegrad.op import core

RENAMED: Final = {"specificity": "least", "sensitivity": "least", "recall": "least", "precision": "least"}


@cache
def recorded() -> dict[str, Answer]:
    return load("training/metrics")


def make(case: Case, scope: tg.Scope) -> Any:
    options = {
        RENAMED.get(name, name): value for name, value in case.options.items() if name not in ("dtype", "multi_label")
    }
    return getattr(metrics, case.name)(scope, **options)


class Batch:
    """One update, fed through placeholders whose first size is known or not."""

    def __init__(self, scope: tg.Scope, metric: Any, values: tuple[Any, ...], known: bool) -> None:
        self.feeds: dict[Any, Any] = {}
        operands = [None if value is None else self._placed(scope, np.asarray(value), known) for value in values]
        self.update = metric.update_state(scope, *operands)

    def _placed(self, scope: tg.Scope, value: Any, known: bool) -> Any:
        dtype: Any = from_numpy(value.dtype)
        sizes = [size if known or axis else None for axis, size in enumerate(value.shape)]
        operand = core.Placeholder.create(scope, dtype, shape=sizes)
        self.feeds[operand] = value
        return operand


@pytest.mark.parametrize("known", [True, False], ids=["sizes known", "batch size unknown"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_results_are_those_of_keras(case: Case, known: bool) -> None:
    scope = tg.Scope(tg.Graph())
    metric = make(case, scope)
    batches = [
        Batch(scope, metric, values, known or np.ndim(values[0]) == 1 != np.ndim(values[1])) for values in case.calls
    ]
    result, reset = metric.result(scope), metric.reset_state(scope)
    answer = recorded()[case.id]
    with tg.Session(scope.graph) as session:
        for index, batch in enumerate(batches):
            session.run(batch.update, batch.feeds)
            check(session.run(result), answer[f"value{index}"], f"after batch {index}")
        session.run(reset)
        check(session.run(result), answer["reset"], "after the reset")
        session.run(batches[0].update, batches[0].feeds)
        check(session.run(result), answer["value0"], "once more")


def check(actual: Any, expected: Any, when: str) -> None:
    np.testing.assert_allclose(actual, expected, 2e-5, 2e-6, strict=True, err_msg=when)


def test_every_recorded_answer_is_looked_at() -> None:
    assert recorded().keys() == {case.id for case in CASES}


def test_every_metric_has_a_case() -> None:
    bases = {"Metric", "LabelMetric", "ClassMetric"}
    names = {
        name for name, item in vars(metrics).items() if isinstance(item, type) and issubclass(item, metrics.Metric)
    }
    assert names - bases - {"MeanTensor", "MeanRelativeError"} == {case.name for case in CASES}
