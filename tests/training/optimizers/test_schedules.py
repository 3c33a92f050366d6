"""Learning rate schedules: Keras' values, and what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import typegrad as tg
from support import trajectories
from typegrad import optimizers
from typegrad.op import core


def rates(schedule: optimizers.Schedule, steps: tuple[int, ...] = trajectories.SCHEDULE_STEPS) -> list[float]:
    scope = tg.Scope(tg.Graph())
    step = core.Placeholder.create(scope, tg.TInt64, shape=())
    rate = schedule(scope, step)
    with tg.Session(scope.graph) as session:
        return [float(session.run(rate, {step: np.int64(number)})) for number in steps]


@pytest.mark.parametrize("number", range(len(trajectories.SCHEDULES)))
def test_the_rates_are_those_of_keras(number: int) -> None:
    name, told = trajectories.SCHEDULES[number]
    expected = trajectories.load()[f"schedule {number}"]
    np.testing.assert_allclose(
        rates(getattr(optimizers, name)(**told)), expected, rtol=2e-6
    )  # Keras computes them in single precision


def test_a_constant_schedule() -> None:
    assert rates(optimizers.Constant(0.25), (0, 7)) == [0.25, 0.25]


def test_warming_up_leads_to_the_first_rate_of_the_inner_schedule() -> None:
    inner = optimizers.ExponentialDecay(1.0, 10, 0.5)
    assert rates(optimizers.WarmUp(inner, 4), (0, 1, 4, 14)) == [0.0, 0.25, 1.0, 0.5]
    assert rates(optimizers.WarmUp(0.5, 4, start=0.1), (0, 2, 4, 9)) == pytest.approx([0.1, 0.3, 0.5, 0.5])
    assert rates(optimizers.WarmUp(inner, 0), (0, 10)) == [1.0, 0.5]


def test_a_schedule_goes_by_the_optimizers_own_steps() -> None:
    scope = tg.Scope(tg.Graph())
    w = tg.Variable.create(scope, np.zeros(2))
    schedule = optimizers.PiecewiseConstant([0, 1], [1.0, 10.0, 100.0])
    train = optimizers.GradientDescent(scope.graph, schedule).minimize(core.Sum.create(scope, w.read(scope)))
    with tg.Session(scope.graph) as session:
        values = [float((session.run(train), session.value(w)[0])[1]) for _ in range(4)]
    assert values == [-1, -11, -111, -211]


def test_a_schedule_goes_by_the_global_step_if_there_is_one() -> None:
    scope = tg.Scope(tg.Graph())
    w = tg.Variable.create(scope, np.zeros(2, np.float32))
    step = tg.Variable.create(scope.with_name("step"), 41, tg.TInt64, trainable=False)
    optimizer = optimizers.GradientDescent(scope.graph, optimizers.PiecewiseConstant([41], [1.0, 10.0]))
    train = optimizer.minimize(core.Sum.create(scope, w.read(scope)), global_step=step)
    with tg.Session(scope.graph) as session:
        session.run(train)
        assert [session.value(w)[0], session.value(step)] == [-1, 42]
        session.run(train)
        assert [session.value(w)[0], session.value(step)] == [-11, 43]
    assert optimizer.variables == []


def test_a_schedule_of_your_own_and_a_rate_that_the_graph_computes() -> None:
    def halving(scope: tg.Scope, step: tg.Operand[Any, Any]) -> tg.Operand[Any, Any]:
        return optimizers.ExponentialDecay(1.0, 1, 0.5)(scope, step)

    scope = tg.Scope(tg.Graph())
    w = tg.Variable.create(scope, np.zeros(1, np.float32))
    rate = core.Placeholder.create(scope, tg.TFloat64, shape=())
    loss = core.Sum.create(scope, w.read(scope))
    scheduled = optimizers.GradientDescent(scope.graph, halving).minimize(loss)
    fed = optimizers.GradientDescent(scope.graph, rate).minimize(loss)
    with tg.Session(scope.graph) as session:
        session.run(scheduled)
        session.run(scheduled)
        assert session.value(w)[0] == -1.5
        session.run(fed, {rate: np.float64(0.25)})
        assert session.value(w)[0] == -1.75


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: optimizers.ExponentialDecay(0.1, 0, 0.5), "decay_steps must be positive, but is 0"),
        (lambda: optimizers.CosineDecay(float("nan"), 10), "initial_learning_rate must be a finite number, but is nan"),
        (lambda: optimizers.PolynomialDecay(0.1, 10, power=-1.0), "power must not be negative, but is -1.0"),
        (
            lambda: optimizers.PiecewiseConstant([1, 2], [0.1]),
            "`values` must have one number more than `boundaries`, but they have 1 and 2",
        ),
        (
            lambda: optimizers.PiecewiseConstant([2, 2], [1.0, 2.0, 3.0]),
            r"boundaries must .* increasing numbers, but are \[2.0, 2.0\]",
        ),
        (lambda: optimizers.PiecewiseConstant([], [1.0]), "boundaries must be a list of increasing numbers"),
        (lambda: optimizers.WarmUp(0.1, -1), "steps must not be negative, but is -1"),
    ],
)
def test_numbers_that_make_no_schedule(make: Any, message: str) -> None:
    with pytest.raises(tg.AttributeValueError, match=message):
        make()
