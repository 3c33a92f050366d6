"""Exponential moving averages of variables."""

from __future__ import annotations

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core
from typegrad.training.optimizers import ExponentialMovingAverage, GradientDescent


@pytest.fixture
def scope() -> tg.Scope:
    return tg.Scope(tg.Graph())


def test_an_average_starts_at_the_initial_value_and_follows(scope: tg.Scope) -> None:
    w = tg.Variable.create(scope.with_name("w"), np.array([1.0, 2.0]))
    step = GradientDescent(scope.graph, 1.0).minimize(core.Sum.create(scope, w.read(scope)))
    averages = ExponentialMovingAverage(scope.graph, 0.75)
    assert repr(averages) == "<ExponentialMovingAverage 'ExponentialMovingAverage', decay 0.75>"
    train = averages.apply(after=[step])
    average = averages.average(w)
    assert (average.name, average.trainable) == ("w/ExponentialMovingAverage", False)
    expected = np.array([1.0, 2.0])
    with tg.Session(scope.graph) as session:
        assert session.value(average).tolist() == [1, 2]
        for number in range(1, 6):
            session.run(train)
            expected = 0.75 * expected + 0.25 * (np.array([1.0, 2.0]) - number)
            np.testing.assert_allclose(session.value(average), expected, rtol=1e-14)


def test_with_a_count_the_average_moves_faster_at_first(scope: tg.Scope) -> None:
    w = tg.Variable.create(scope, np.float32(1.0))
    count = tg.Variable.create(scope, 0, tg.TInt64, trainable=False)
    averages = ExponentialMovingAverage(scope.graph, 0.5, num_updates=count)
    move = averages.apply([w])
    with tg.Session(scope.graph) as session:
        session.run(w.assign(scope, 11.0))
        session.run(move)
        assert session.value(averages.average(w)) == pytest.approx(10.0)
        session.run(count.assign(scope, 100))
        session.run(move)
        assert session.value(averages.average(w)) == pytest.approx(10.5)


def test_averages_of_different_types_and_several_of_one_variable(scope: tg.Scope) -> None:
    a, b = tg.Variable.create(scope.with_name("a"), 1.0), tg.Variable.create(scope.with_name("b"), np.ones(2))
    first, second = ExponentialMovingAverage(scope.graph), ExponentialMovingAverage(scope.graph, 0.5)
    first.apply([a, b])
    second.apply([b])
    second.apply([b])
    assert [v.name for v in scope.graph.variables[2:]] == [
        "a/ExponentialMovingAverage",
        "b/ExponentialMovingAverage",
        "b/ExponentialMovingAverage_1",
    ]
    assert [first.average(v).dtype for v in (a, b)] == [tg.TFloat32, tg.TFloat64]


def test_averages_in_a_block_run_after_its_control_dependencies(scope: tg.Scope) -> None:
    w = tg.Variable.create(scope.with_name("w"), 0.0)
    averages = ExponentialMovingAverage(scope.graph, 0.5)
    with scope.with_control_dependencies([w.assign_add(scope, 1.0)]):
        moved = averages.apply()
    with tg.Session(scope.graph) as session:
        session.run(moved)
        assert session.run([w, averages.average(w)]) == [1.0, 0.5]


def test_errors(scope: tg.Scope) -> None:
    w = tg.Variable.create(scope.with_name("w"), 1.0)
    averages = ExponentialMovingAverage(scope.graph)
    with pytest.raises(tg.GraphError, match="there is no average of 'w' yet; apply makes it"):
        averages.average(w)
    with pytest.raises(tg.GraphError, match="'w' occurs twice"):
        averages.apply([w, w])
    with pytest.raises(
        tg.GradientError,
        match="there are no variables to average: make one with tg.Variable.create, or pass `variables`",
    ):
        averages.apply([])
    with pytest.raises(tg.GraphError, match="'w' .* belongs to another graph than this moving average; build both"):
        ExponentialMovingAverage(tg.Graph()).apply([w])
    with pytest.raises(tg.AttributeValueError, match="decay must be at least 0 and less than 1, but is 1.0"):
        ExponentialMovingAverage(scope.graph, 1.0)
    with pytest.raises(tg.DTypeError, match="num_updates must be a scalar integer, but 'w' is float"):
        ExponentialMovingAverage(scope.graph, num_updates=w)
