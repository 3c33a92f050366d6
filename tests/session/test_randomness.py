"""Random numbers depend on the graph's seed, the operation's name and how often it ran: on nothing else."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import typegrad as tg
from typegrad.files.checkpoint.contents import write_checkpoint
from typegrad.files.checkpoint.random_state import COUNT_LIMIT, RandomState
from typegrad.op import core, math, random


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


def test_a_seed_of_the_operation_is_all_it_needs() -> None:
    assert (
        len({tuple(draws(g, noise(tg.Scope(g), seed=5))) for g in (tg.Graph(), tg.Graph(seed=1), tg.Graph(seed=2))})
        == 1
    )


def test_a_seed_of_the_scope_takes_the_place_of_the_graphs() -> None:
    def drawn(graph_seed: int | None, scope_seed: int | None, name: str = "noise") -> tuple[bytes, ...]:
        graph = tg.Graph(seed=graph_seed)
        return tuple(draws(graph, noise(tg.Scope(graph).with_seed(scope_seed), name)))

    assert len({drawn(seed, 5) for seed in (None, 1, 2)}) == 1
    assert len({drawn(1, seed) for seed in (None, 0, 1, 5, -1, -(2**63), 2**63 - 1)}) == 7
    assert not set(drawn(1, 5)) & set(drawn(1, 5, "other"))


def test_a_seed_holds_in_the_scopes_inside() -> None:
    graph = tg.Graph(seed=1)
    seeded = tg.Scope(graph).with_seed(5)
    ops = [noise(scope).as_output().op for scope in (seeded, seeded.with_sub_scope("inner"), seeded.with_init_scope())]
    assert [op.attrs["seed"] for op in ops] == [5, 5, 5] and len({op.attrs["seed2"] for op in ops}) == 3
    assert dict(noise(seeded.with_seed(None)).as_output().op.attrs).items() >= {"seed": 0, "seed2": 0}.items()
    assert tg.Ops.create(graph).with_seed(6).scope.seed == 6


def test_an_operation_with_its_own_seeds_keeps_them_in_a_seeded_scope() -> None:
    every: list[dict[str, Any]] = [{"seed": 0, "seed2": 3}, {"seed": 3, "seed2": 0}]
    for seeds in every:
        assert noise(tg.Scope(tg.Graph()).with_seed(5), **seeds).as_output().op.attrs.items() >= seeds.items()


def test_a_seed_from_a_name_is_a_positive_integer_of_64_bits() -> None:
    scope = tg.Scope(tg.Graph()).with_seed(5)
    assert all(0 < noise(scope).as_output().op.attrs["seed2"] < 2**63 for _ in range(20))


def test_a_seed_becomes_a_python_int() -> None:
    seed: Any = np.int64(5)
    assert type(tg.Scope(tg.Graph()).with_seed(seed).seed) is type(tg.Graph(seed=seed).seed) is int


@pytest.mark.parametrize("seed", [2**63, -(2**63) - 1])
def test_a_seed_is_an_integer_of_64_bits(seed: Any) -> None:
    with pytest.raises(
        tg.AttributeValueError, match=rf"^a seed is an integer from -2\*\*63 to 2\*\*63 - 1, not {seed}$"
    ):
        tg.Scope(tg.Graph()).with_seed(seed)


@pytest.mark.parametrize("seed", [2**128, -(2**128), pytest.param(10**5000, id="long")])
def test_the_seed_of_a_graph_has_128_bits(seed: int) -> None:
    assert tg.Graph(seed=2**128 - 1).seed == 2**128 - 1
    with pytest.raises(tg.GraphError, match="a seed is an int of at most 128 bits; this one has more"):
        tg.Graph(seed=seed)


def test_counts_of_draws_start_again_before_they_are_too_long_for_a_checkpoint(tmp_path: Path) -> None:
    graph = tg.Graph(seed=1)
    scope = tg.Scope(graph)
    drawn = noise(scope)
    step = tg.Variable.create(scope, np.zeros(4, np.float32)).assign(scope, drawn).op
    last = COUNT_LIMIT - 1
    session = tg.Session(graph)
    values = {"Variable": np.zeros(4, np.float32)}
    write_checkpoint(tmp_path / "late", values, RandomState(1, 0, {"noise": (last, last)}), {})
    session.restore(tmp_path / "late")
    session.run(drawn)
    assert session.random_state.counts == {"noise": (last, 0)}
    session.run(step)
    assert session.random_state.counts == {"noise": (0, 0)}
    session.save(tmp_path / "m")
    tg.Session(graph).restore(tmp_path / "m")


def test_other_operations_change_no_numbers() -> None:
    """Neither what is added to the graph nor what is fetched along: random operations, gradients, steps of other
    variables.
    """

    def drawn(*, more: bool) -> list[bytes]:
        graph = tg.Graph(seed=1)
        scope = tg.Scope(graph)
        extra: list[Any] = []
        if more:
            extra += [noise(scope, "before"), noise(scope.with_seed(3), "seeded"), noise(scope, "own", seed=4)]
        w = tg.Variable.create(scope.with_name("w"), np.ones(4, np.float32))
        x = noise(scope)
        step = w.assign(scope, math.Mul.create(scope, x, w.read(scope)))
        if more:
            extra += [noise(scope, "after"), tg.grad(scope, math.Mul.create(scope, x, w.read(scope)), w)]
            extra.append(tg.Variable.create(scope, 0.0).assign_add(scope, 1.0))
        with tg.Session(graph) as session:
            return [session.run([x, step, *extra])[0].tobytes() for _ in range(3)]

    assert drawn(more=True) == drawn(more=False)


def test_sessions_that_share_a_graph_draw_in_any_number_of_threads_what_one_draws_alone() -> None:
    graph = tg.Graph(seed=1)
    scope = tg.Scope(graph)
    x = noise(scope)
    step = tg.Variable.create(scope, np.zeros(4, np.float32)).assign(scope, x)

    def steps(_: int) -> list[bytes]:
        with tg.Session(graph) as session:
            return [session.run([x, step])[0].tobytes() for _ in range(20)]

    with ThreadPoolExecutor(4) as pool:
        assert len({tuple(drawn) for drawn in pool.map(steps, range(8))}) == 1


def test_looking_never_changes_what_the_next_step_draws() -> None:
    """A run that writes a variable is a step; runs that only look at values, however many, leave the steps' numbers
    alone.
    """
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
