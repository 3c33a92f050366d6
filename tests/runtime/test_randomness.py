"""Random numbers depend on the graph's seed, the operation's name and how often it ran: on nothing else."""

from __future__ import annotations

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, random


def noise(scope: tg.Scope, name: str = "noise", **seeds: int) -> tg.Operand[tg.TFloat32]:
    return random.RandomUniform.create(scope.with_name(name), [4], tg.TFloat32, **seeds)


def draws(graph: tg.Graph, x: tg.Operand[tg.TFloat32], count: int = 3) -> list[bytes]:
    with tg.Session(graph) as session:
        return [session.run(x).tobytes() for _ in range(count)]


def test_the_seed_fixes_the_numbers() -> None:
    runs = []
    for seed in (1, 1, 2):
        graph = tg.Graph(seed=seed)
        runs.append(draws(graph, noise(tg.Scope(graph))))
    assert runs[0] == runs[1] and not set(runs[0]) & set(runs[2])


def test_each_run_draws_anew() -> None:
    graph = tg.Graph(seed=1)
    assert len(set(draws(graph, noise(tg.Scope(graph))))) == 3


def test_without_a_seed_each_session_draws_differently() -> None:
    graph = tg.Graph()
    x = noise(tg.Scope(graph))
    assert not set(draws(graph, x)) & set(draws(graph, x))


def test_the_name_makes_the_numbers() -> None:
    graph = tg.Graph(seed=1)
    scope = tg.Scope(graph)
    a, b = noise(scope, "a"), noise(scope, "b")
    other = tg.Graph(seed=1)
    alone = noise(tg.Scope(other), "b")
    assert draws(graph, b) == draws(other, alone) != draws(graph, a)


def test_a_seed_of_the_operation_takes_the_place_of_its_name() -> None:
    graph = tg.Graph()
    scope = tg.Scope(graph)
    a, b, c = noise(scope, "a", seed=5), noise(scope, "b", seed=5), noise(scope, "c", seed=5, seed2=1)
    assert draws(graph, a) == draws(graph, b) != draws(graph, c)


def test_looking_never_changes_what_the_next_step_draws() -> None:
    """A run that writes a variable is a step; runs that only look at values, however many, leave the steps' numbers alone."""
    graph = tg.Graph(seed=1)
    scope = tg.Scope(graph)
    x = noise(scope)
    w = tg.Variable.create(scope, np.zeros(4, np.float32))
    step = w.assign(scope, x)

    def steps(looks: int) -> list[bytes]:
        with tg.Session(graph) as session:
            seen = []
            for _ in range(4):
                seen.append(session.run([x, step])[0].tobytes())
                seen_by_looking = {session.run(x).tobytes() for _ in range(looks)}
                assert len(seen_by_looking) == looks and not seen_by_looking & set(seen)
            return seen

    assert steps(0) == steps(1) == steps(3)


def test_a_step_that_fails_draws_again_what_it_drew() -> None:
    graph = tg.Graph(seed=1)
    scope = tg.Scope(graph)
    x = noise(scope)
    w = tg.Variable.create(scope, np.zeros(4, np.float32))
    shape = core.Placeholder.create(scope, tg.TInt32)
    step = w.assign(scope, core.Reshape.create(scope, x, shape))

    def steps(*, fail: bool) -> list[bytes]:
        with tg.Session(graph) as session:
            if fail:
                with pytest.raises(tg.TypegradError):
                    session.run(step, {shape: [3]})
            session.run(step, {shape: [4]})
            return [session.value(w).tobytes()]

    assert steps(fail=True) == steps(fail=False)


def test_the_first_numbers_of_a_stream_never_change() -> None:
    """A new release must draw what this one draws."""
    graph = tg.Graph(seed=1)
    value = tg.Session(graph).run(noise(tg.Scope(graph)))
    np.testing.assert_allclose(value, EXPECTED, rtol=1e-6)


EXPECTED = [0.18649381, 0.12257117, 0.37450922, 0.18470901]
