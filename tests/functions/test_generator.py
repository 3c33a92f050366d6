"""`tg.random.Generator`: the numbers and states of TensorFlow 2.21's `tf.random.Generator`, step by step."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, random

Generator = tg.random.Generator
ANY: Final[Any] = Generator

STATES: Final = [
    (1234, [1234, 0, 0]),
    (2**63, [-(2**63), 0, 0]),
    (2**130 + 5, [5, 0, 4]),
    (-1, [-1, -1, -1]),
    (np.int64(-1), [-1, -1, -1]),
    ([5], [0, 0, 5]),
    ([1, 2], [0, 1, 2]),
    ([1, 2, 3, 4], [1, 2, 3]),
]

DRAWS: Final[list[tuple[Callable[[tg.random.Generator, tg.Scope], tg.Operand[Any]], list[float], int]]] = [
    (lambda g, s: g.normal(s, (3,), 2.0, 3.0), [-1.9721189, 2.86357, -0.62737036], 775),
    (lambda g, s: g.uniform(s, (3,), -1.0, 1.0), [-0.07104254, 0.5255163, -0.36897397], 1543),
    (lambda g, s: g.uniform(s, (3,), 1, 7, tg.TInt32), [4, 1, 6], 2311),
    (lambda g, s: g.truncated_normal(s, (3,)), [-1.3828062, -0.937314, -0.3265305], 3079),
    (lambda g, s: g.uniform_full_int(s, (2,)), [17342102744636942142, 5968369755252652254], 3591),
    (lambda g, s: g.binomial(s, (3,), core.Constant.create(s, 10.0), 0.5), [6, 4, 5], 80391),
    (lambda g, s: g.make_seeds(s, 2)[0], [-3180587673320085759, 1099099892720686018], 80903),
]
"""What TensorFlow draws from seed 7, one after the other, and the first element of the state after each."""


def values(scope: tg.Scope, fetches: Any) -> Any:
    """What one run of a new session returns."""
    with tg.Session(scope.graph) as session:
        return session.run(fetches)


@pytest.mark.parametrize(("seed", "state"), STATES)
def test_the_state_of_a_seed(scope: tg.Scope, seed: Any, state: list[int]) -> None:
    assert values(scope, Generator.from_seed(scope, seed).state).tolist() == state


def test_a_generator_draws_what_tensorflows_draws(scope: tg.Scope) -> None:
    generator = Generator.from_seed(scope, 7)
    with tg.Session(scope.graph) as session:
        for draw, expected, counter in DRAWS:
            assert session.run(draw(generator, scope)).tolist() == pytest.approx(expected, rel=1e-6)
            assert session.run(generator.state).tolist() == [counter, 0, 0]


def test_the_width_of_a_range_is_rounded_as_tensorflows(scope: tg.Scope) -> None:
    drawn = Generator.from_seed(scope, 7).uniform(scope, (4,), 2.5, 3.7, tg.TFloat16)
    assert values(scope, drawn).tolist() == [2.857421875, 2.634765625, 3.390625, 3.208984375]


def test_draws_of_one_run_follow_the_order_of_the_graph(scope: tg.Scope) -> None:
    generator = Generator.from_seed(scope, 7)
    draws = [draw(generator, scope) for draw, _, _ in DRAWS]
    for result, (_, expected, _) in zip(values(scope, draws), DRAWS, strict=True):
        assert result.tolist() == pytest.approx(expected, rel=1e-6)


def test_generators_of_a_split_are_tensorflows(scope: tg.Scope) -> None:
    generator = Generator.from_state(scope, [80903, 0, 0])
    parts = generator.split(scope, 2)
    draws = [part.normal(scope, (2,)) for part in parts]
    with tg.Session(scope.graph) as session:
        session.initialize()
        assert session.run(generator.state).tolist() == [81415, 0, 0]
        keys = [session.run(part.state).tolist() for part in parts]
        assert keys == [[0, 0, -2358206364332671453], [0, 0, 7358713943008375543]]
        first, second = session.run(draws)
    assert first.tolist() == pytest.approx([0.28187633, 1.0885875], rel=1e-6)
    assert second.tolist() == pytest.approx([-1.0233971, -0.28062928], rel=1e-6)


def test_forks_differ(scope: tg.Scope) -> None:
    generator = Generator.from_seed(scope, 7)
    draws = [generator.fork(scope).uniform(scope, (3,)) for _ in range(2)]
    first, second = values(scope, draws)
    assert not np.array_equal(first, second)


def test_skipping_leaves_out_what_would_be_drawn(scope: tg.Scope) -> None:
    one, other = (Generator.from_seed(scope, 7) for _ in range(2))
    skipped = one.skip(scope, 3)
    drawn = other.uniform(scope, (3,))
    later = [generator.uniform(scope, (2,)) for generator in (one, other)]
    with tg.Session(scope.graph) as session:
        first, second, _, _ = session.run([*later, skipped, drawn])
    assert np.array_equal(first, second)


def test_a_key_draws_the_same_numbers(scope: tg.Scope) -> None:
    generator = Generator.from_key_counter(scope, 9, (1, 2))
    assert values(scope, generator.key(scope)) == 9
    with tg.Session(scope.graph) as session:
        state = session.run(generator.make_key(scope, 2)).view(np.uint64)
    stateless = random.StatelessRandomNormalV2.create(scope, (2,), state[2:], state[:2], 1)
    assert np.array_equal(*values(scope, (stateless, Generator.from_state(scope, [1, 2, 9]).normal(scope, (2,)))))


def test_a_checkpoint_keeps_the_state(scope: tg.Scope, tmp_path: Path) -> None:
    drawn = Generator.from_seed(scope, 7).normal(scope, (3,))
    with tg.Session(scope.graph) as session:
        session.run(drawn)
        session.save(tmp_path / "state.safetensors")
        expected = session.run(drawn)
    with tg.Session(scope.graph) as session:
        session.restore(tmp_path / "state.safetensors")
        assert np.array_equal(session.run(drawn), expected)


def test_nobody_repeats_a_non_deterministic_state(scope: tg.Scope) -> None:
    drawn = Generator.from_non_deterministic_state(scope).uniform_full_int(scope, (2,))
    assert not np.array_equal(values(scope, drawn), values(scope, drawn))


def test_types_and_sizes_of_the_run(scope: tg.Scope) -> None:
    generator = Generator.from_seed(scope, 7)
    assert generator.normal(scope, (2, 3), dtype=tg.TFloat64).dtype is tg.TFloat64
    assert generator.uniform(scope, (2, 3), 0, 5, tg.TUint64).shape == tg.Shape.of(2, 3)
    assert not generator.state.trainable
    sizes = core.Placeholder.create(scope, tg.TInt32, shape=(2,))
    drawn = generator.normal(scope, sizes, core.Constant.create(scope, [1.0, 2.0]))
    with tg.Session(scope.graph) as session:
        assert session.run(drawn, {sizes: np.array([4, 2], np.int32)}).shape == (4, 2)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda s: ANY.from_state(s, [1, 2]), "a generator's state is 3 integers, but there are 2"),
        (lambda s: ANY.from_key_counter(s, 1, [2]), "a generator's state is 3 integers, but there are 2"),
        (lambda s: ANY.from_seed(s, 1).uniform(s, (2,), dtype=tg.TInt32), "maxval, one more than the largest int32"),
    ],
)
def test_mistakes(scope: tg.Scope, make: Callable[[tg.Scope], object], message: str) -> None:
    with pytest.raises(tg.AttributeValueError, match=message):
        make(scope)
