"""Operations on the state of a generator: in the order of the graph, never computed ahead, merged or left out."""

from __future__ import annotations

import json
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, random

STATE: Final = np.array([1, 2, 3], np.int64)
SEED: Final = (5, 6)


def generator_state(scope: tg.Scope) -> tg.Variable[tg.TInt64]:
    """A variable that holds `STATE`."""
    return tg.Variable.create(scope, STATE)


@pytest.mark.usefixtures("compiled")
def test_equal_draws_differ_and_follow_each_other(scope: tg.Scope) -> None:
    state = generator_state(scope)
    first, second = (random.StatefulUniform.create(scope, state.handle, 1, (3,)) for _ in range(2))
    with tg.Session(scope.graph) as session:
        session.initialize()
        a, b = session.run((first, second))
        assert a.tolist() == pytest.approx([0.45901167, 0.53342485, 0.9627732])
        assert not np.array_equal(a, b)
        assert session.run(state).tolist() == [1 + 2 * 3 * 256, 2, 3]
        assert not np.array_equal(a, session.run(first))


@pytest.mark.usefixtures("compiled")
def test_stateless_draws_are_computed_once(scope: tg.Scope) -> None:
    source = random.StatelessRandomGetKeyCounterAlg.create(scope, SEED)
    draws = [random.StatelessRandomUniformV2.create(scope, (3,), *source_of(source)) for _ in range(2)]
    with tg.Session(scope.graph) as session:
        a, b = session.run(draws)
        assert np.array_equal(a, b)
        text = str(session.explain(draws))
    assert "StatelessRandomUniform" not in text


def source_of(op: random.StatelessRandomGetKeyCounterAlg) -> tuple[Any, ...]:
    """The key, the counter and the algorithm."""
    return op.key, op.counter, op.alg


@pytest.mark.parametrize(
    ("shape", "counts", "expected"),
    [((3,), 10.0, 76801), ((5, 3, 2), [10.0, 20.0], 460801), ((7, 3), [1.0, 2.0, 3.0], 384001), ((0,), 10.0, 38401)],
)
def test_binomial_draws_move_the_state_as_tensorflows_do(
    scope: tg.Scope, shape: tuple[int, ...], counts: Any, expected: int
) -> None:
    state = generator_state(scope)
    trials = core.Constant.create(scope, np.array(counts, np.float32))
    drawn = random.StatefulRandomBinomial.create(scope, state.handle, 1, shape, trials, 0.5)
    with tg.Session(scope.graph) as session:
        session.initialize()
        session.run(drawn)
        assert session.run(state).tolist() == [expected, 2, 3]


def test_a_state_that_was_read_draws_the_same_numbers(scope: tg.Scope) -> None:
    state = generator_state(scope)
    read = random.RngReadAndSkip.create(scope, state.handle, 1, 3)
    with tg.Session(scope.graph) as session:
        session.initialize()
        values = session.run(read).view(np.uint64)
        assert session.run(state).tolist() == [1 + 3 * 256, 2, 3]
        again = random.StatelessRandomUniformV2.create(scope, (3,), values[2:], values[:2], 1)
        assert session.run(again).tolist() == pytest.approx([0.45901167, 0.53342485, 0.9627732])


def test_nobody_repeats_non_deterministic_integers() -> None:
    drawn = []
    for _ in range(2):
        graph = tg.Graph(seed=1)
        numbers = random.NonDeterministicInts.create(tg.Scope(graph).with_seed(1), (4,))
        with tg.Session(graph) as session:
            drawn += [session.run(numbers), session.run(numbers)]
    assert len({json.dumps(each.tolist()) for each in drawn}) == len(drawn)
