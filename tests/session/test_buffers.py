"""Small results that only ufuncs see are put into arrays that later runs use again, and nobody can tell."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, math
from typegrad.session import interpreted
from typegrad.session.plan import Plan
from typegrad.session.state import Resources

X: Final = np.linspace(-3, 3, 37, dtype=np.float32)

Operand = tg.Operand[tg.TFloat32]


@pytest.fixture
def scope() -> tg.Scope:
    return tg.Scope(tg.Graph())


@pytest.fixture
def x(scope: tg.Scope) -> core.Placeholder[tg.TFloat32]:
    return core.Placeholder.create(scope.with_name("x"), tg.TFloat32, shape=X.shape)


def chain(scope: tg.Scope, x: Operand, length: int) -> Any:
    """Operations that take values of different age, and of one element."""
    one = core.Slice.create(scope, x, (5,), (1,))
    makers: list[Callable[[Any, Any], Any]] = [
        lambda a, b: a + b,
        lambda a, b: a * b,
        lambda a, _: math.Tanh.create(scope, a),
        lambda a, _: math.Exp.create(scope, -a),
        lambda a, _: a - one,
        lambda a, b: math.Maximum.create(scope, b, math.Sin.create(scope, a)),
        lambda a, _: math.Abs.create(scope, one * one) + a,
    ]
    values: list[Any] = [x, x * 0.5]
    for number in range(length):
        values.append(makers[number % len(makers)](values[-1], values[-1 - number % 5 % len(values)]))
    return values[-1]


def kept(fetches: list[tg.Output[Any]], feeds: list[Any]) -> list[int]:
    """How many buffers each step is put into, of the plan for these fetches."""
    plan = Plan(fetches, (), [feed.as_output() for feed in feeds], Resources())
    program = plan.program(tuple([X.shape for _ in feeds]))
    more: list[int] = []

    def note(number: int, kernel: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            more.append(len(arguments) - len(program.steps[number].inputs))
            if more[-1]:
                assert not any(np.shares_memory(arguments[-1], each) for each in arguments[:-1])
            return kernel(*arguments)

        return call

    program.with_kernels(note).run([X for _ in feeds])
    return more


@pytest.mark.parametrize("length", [1, 2, 3, 10, 60])
def test_values_are_the_same_bit_for_bit(
    scope: tg.Scope, x: Operand, length: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interpreted, "INTERPRETED", 1)
    y = chain(scope, x, length)
    with tg.Session(scope.graph) as session:
        first, *others = [session.run(y, {x: X}) for _ in range(4)]  # the first run keeps nothing
        assert all(other.tobytes() == first.tobytes() for other in others)
        assert session.callable(y, [x])(X).tobytes() == first.tobytes()
    assert sum(kept([y.as_output()], [x])) > 0 or length == 1


def test_threads_do_not_share_them(scope: tg.Scope, x: Operand) -> None:
    y = chain(scope, x, 60)
    with tg.Session(scope.graph) as session:
        expected = {number: session.run(y, {x: X * number}).tobytes() for number in range(8)}
        with ThreadPoolExecutor(8) as pool:
            results = pool.map(lambda n: (n % 8, session.run(y, {x: X * (n % 8)}).tobytes()), range(400))
        assert all(expected[number] == result for number, result in results)


def test_results_of_runs_have_memory_of_their_own(scope: tg.Scope, x: Operand) -> None:
    y = x * 2.0
    z = -(y + x)
    with tg.Session(scope.graph) as session:
        runs = [session.run([y, z], {x: X + number}) for number in range(4)]
    for number, (first, second) in enumerate(runs):
        np.testing.assert_array_equal(first, (X + number) * 2)
        np.testing.assert_array_equal(second, -(first + (X + number)))


TAKERS: Final[dict[str, tuple[list[int], Callable[[tg.Scope, Operand], Any]]]] = {
    "a ufunc": ([1, 0], lambda scope, y: -y),
    "a view": ([0, 0, 0], lambda scope, y: -core.Reshape.create(scope, y, (37, 1))),
    "a sum": ([0, 0, 0], lambda scope, y: core.Sum.create(scope, y) * 2.0),
    "a ufunc and a sum": ([0, 1, 0, 0], lambda scope, y: y * y - core.Sum.create(scope, y)),
    "a matrix": ([1, 0], lambda scope, y: y + np.ones((2, 37), np.float32)),
}


@pytest.mark.parametrize("case", TAKERS)
def test_what_others_take_is_new(scope: tg.Scope, x: Operand, case: str) -> None:
    expected, make = TAKERS[case]
    assert kept([make(scope, x * 3.0).as_output()], [x]) == expected


def test_a_variable_keeps_its_value(scope: tg.Scope, x: Operand) -> None:
    variable = tg.Variable.create(scope, X)
    y = x * 2.0
    step = [variable.assign(scope, y), -y]
    with tg.Session(scope.graph) as session:
        values = []
        for number in range(4):
            session.run(step, {x: X + number})
            values.append(session.value(variable))
    for number, value in enumerate(values):
        np.testing.assert_array_equal(value, (X + number) * 2)


def test_matrices_keep_their_layout(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(3, 4))
    y = -(x * 2.0)
    with tg.Session(scope.graph) as session:
        for _ in range(3):
            assert session.run(y, {x: np.ones((4, 3), np.float32).T}).flags.f_contiguous


def test_a_run_that_fails_does_not_hurt_later_ones(scope: tg.Scope, x: Operand) -> None:
    index = core.Placeholder.create(scope, tg.TInt32, shape=(1,))
    y = chain(scope, x, 10) + core.Gather.create(scope.with_name("row"), X, index, 0)
    with tg.Session(scope.graph) as session:
        first, *others = [session.run(y, {x: X, index: [0]}) for _ in range(3)]
        for _ in range(3):
            with pytest.raises(tg.InvalidArgumentError, match="'row'"):
                session.run(y, {x: X, index: [99]})
            others.append(session.run(y, {x: X, index: [0]}))
    assert all(other.tobytes() == first.tobytes() for other in others)


def test_a_profile_counts_inputs_and_results_alone(scope: tg.Scope, x: Operand) -> None:
    with tg.Session(scope.graph) as session:
        costs = session.profile(-(x * x), {x: X}, runs=2).costs
    assert sorted(cost.bytes for cost in costs) == [2 * X.nbytes, 3 * X.nbytes]
