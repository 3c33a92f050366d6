"""Runs with the fetches and fed operands of an earlier run, and callables: they do what a first run does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, NamedTuple

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, math, random


class World(NamedTuple):
    session: tg.Session
    x: Any
    y: Any
    double: Any
    total: Any
    variable: Any
    add: Any


@pytest.fixture
def world() -> World:
    scope = tg.Scope(tg.Graph(seed=1))
    x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32)
    y = core.Placeholder.create(scope.with_name("y"), tg.TFloat32, shape=(2,))
    variable = tg.Variable.create(scope.with_name("v"), np.zeros(2, np.float32))
    double = math.Add.create(scope.with_name("double"), x, x)
    total = math.Sub.create(scope.with_name("total"), x, y)
    return World(tg.Session(scope.graph), x, y, double, total, variable, variable.assign_add(scope, y))


ONES: Final = np.ones(2, np.float32)
TWOS: Final = np.full(2, 2, np.float32)


class Pair(NamedTuple):
    first: Any
    second: Any


Fetches = Callable[[World], Any]

STRUCTURES: Final[list[Fetches]] = [
    lambda world: world.double,
    lambda world: world.double.as_output(),
    lambda world: world.double.op,
    lambda world: "double:0",
    lambda world: [world.double, world.total],
    lambda world: (world.double, world.total),
    lambda world: [world.double, world.double.op, world.variable],
    lambda world: {"a": world.double, "b": world.total},
    lambda world: {1: world.double, None: world.total},
    lambda world: [world.double, [world.total]],
    lambda world: ((world.double,), {"b": world.total}),
    lambda world: Pair(world.double, world.total),
    lambda world: [],
    lambda world: (),
]


@pytest.mark.parametrize("number", range(len(STRUCTURES)))
def test_later_runs_and_callables_return_what_the_first_run_does(world: World, number: int) -> None:
    fetches = STRUCTURES[number](world)
    results = [world.session.run(fetches, {world.x: TWOS, world.y: ONES}) for _ in range(4)]
    call = world.session.callable(fetches, [world.y, world.x])
    results.extend(call(ONES, TWOS) for _ in range(2))
    for other in results[1:]:
        assert type(other) is type(results[0])
        np.testing.assert_equal(other, results[0])


def test_structures_that_are_alike_are_kept_apart(world: World) -> None:
    feeds = {world.x: TWOS, world.y: ONES}
    for _ in range(3):
        for number, fetches in enumerate(STRUCTURES):
            assert type(world.session.run(fetches(world), feeds)) is (
                [np.ndarray] * 2 + [type(None), np.ndarray, list, tuple, list, dict, dict, list, tuple, Pair, list]
                + [tuple]
            )[number]  # fmt: skip


def test_a_dictionary_that_changes_between_runs(world: World) -> None:
    fetches = {"a": world.double}
    for _ in range(3):
        assert list(world.session.run(fetches, {world.x: TWOS})) == ["a"]
    fetches["b"] = world.total
    assert list(world.session.run(fetches, {world.x: TWOS, world.y: ONES})) == ["a", "b"]


def test_the_order_of_feeds(world: World) -> None:
    for _ in range(3):
        np.testing.assert_array_equal(world.session.run(world.total, {world.y: ONES, world.x: TWOS}), ONES)
        np.testing.assert_array_equal(world.session.run(world.total, {world.x: TWOS, world.y: ONES}), ONES)
    np.testing.assert_array_equal(world.session.callable(world.total, ["y", "x"])(ONES, TWOS), ONES)


@pytest.mark.parametrize("hash_of", [None, lambda _: 7])
def test_operations_that_are_equal_to_everything(world: World, hash_of: Any) -> None:
    """A class with an equality of its own, with a hash or without one: each operation is fetched for itself."""
    members = {"__slots__": (), "__eq__": lambda *_: True, "__hash__": hash_of}
    kinds: list[Any] = [type("Own", (type(op),), members) for op in (world.double, world.total)]
    double, total = (kind(op.op) for kind, op in zip(kinds, (world.double, world.total), strict=True))
    feeds = {world.x: TWOS, world.y: ONES}
    for _ in range(3):
        np.testing.assert_array_equal(world.session.run(double, feeds), TWOS * 2)
        np.testing.assert_array_equal(world.session.run(total, feeds), ONES)


WRONG: Final[dict[str, Callable[[World, Callable[..., Any]], Any]]] = {
    "which does not fit \\[2\\]": lambda world, run: run(world.total, {world.x: 1, world.y: [1, 2, 3]}),
    "is an operand; give the array": lambda world, run: run(world.double, {world.x: world.double}),
    "'x:0'.* must be fed": lambda world, run: run(world.double, {}),
    "float64": lambda world, run: run(world.double, {world.x: np.ones(2)}),
    "does not fit: .* is not float32": lambda world, run: run(world.double, {world.x: "one"}),
    "is fed twice": lambda world, run: run(world.double, {world.x: 1, "x:0": 1}),
    "variable 'v' cannot be fed": lambda world, run: run(world.double, {world.x: 1, world.variable: 1}),
    "broadcast": lambda world, run: run(world.total, {world.x: [1, 2, 3], world.y: ONES}),
}  # fmt: skip


@pytest.mark.parametrize("message", WRONG)
def test_errors_are_those_of_a_first_run(world: World, message: str) -> None:
    texts = []

    def called(fetches: Any, feeds: dict[Any, Any]) -> Any:
        return world.session.callable(fetches, list(feeds))(*feeds.values())

    def refused(run: Callable[..., Any]) -> str:
        with pytest.raises(tg.TypegradError, match=message) as caught:
            WRONG[message](world, run)
        return str(caught.value)

    texts = [refused(world.session.run)]
    for _ in range(3):
        world.session.run(world.double, {world.x: ONES})
        world.session.run(world.total, {world.x: TWOS, world.y: ONES})
    assert [*texts, refused(world.session.run), refused(called)] == texts * 3


def test_shapes_of_feeds_may_differ_from_run_to_run(world: World) -> None:
    call = world.session.callable(world.double, [world.x])
    for size in (2, 3, 2, 0):
        ones = np.ones(size, np.float32)
        np.testing.assert_array_equal(world.session.run(world.double, {world.x: ones}), ones * 2)
        np.testing.assert_array_equal(call(ones), ones * 2)
    assert call(1.5) == 3 and call([1.5]).shape == (1,)


def test_what_is_fed_is_neither_returned_nor_written_nor_kept(world: World) -> None:
    fed = np.ones(2, np.float32)
    same = world.session.callable(world.x, [world.x])
    add = world.session.callable(world.add, [world.y])
    for _ in range(3):
        assert not np.shares_memory(same(fed), fed)
        assert not np.shares_memory(world.session.run(world.x, {world.x: fed}), fed)
        add(fed)
    fed[...] = 7
    assert fed.flags.writeable
    np.testing.assert_array_equal(world.session.value(world.variable), [3, 3])


def test_a_closed_session_runs_no_callable(world: World) -> None:
    call = world.session.callable(world.double, [world.x])
    call(ONES)
    world.session.run(world.double, {world.x: ONES})
    world.session.close()
    for run in (call, lambda x: world.session.run(world.double, {world.x: x})):
        with pytest.raises(tg.SessionClosedError):
            run(ONES)
    with pytest.raises(tg.SessionClosedError):
        world.session.callable(world.double, [world.x])


def test_variables_that_are_made_later_are_initialized(world: World) -> None:
    call = world.session.callable(world.double, [world.x])
    call(ONES)
    later = tg.Variable.create(tg.Scope(world.session.graph), ONES)
    call(ONES)
    assert world.session.value(later).tolist() == [1, 1]


def test_a_callable_wants_a_value_for_each_operand(world: World) -> None:
    call = world.session.callable(world.total, [world.x, world.y])
    with pytest.raises(tg.FeedError, match=r"a value for each of \['x:0', 'y:0'\] is needed.*, but there are 1"):
        call(ONES)
    wrong: list[Any] = [world.x, {world.x: ONES}, 5]
    for feeds in wrong:
        with pytest.raises(tg.DTypeError, match=r"argument `feeds` must be a list of Operands or strings, not "):
            world.session.callable(world.total, feeds)


def test_a_callable_draws_and_writes_as_runs_do(world: World) -> None:
    scope = tg.Scope(world.session.graph)
    noise = random.RandomUniform.create(scope.with_name("noise"), [2], tg.TFloat32)
    step = [world.add, noise]

    def walk(session: tg.Session, run: Callable[[Any], Any]) -> Iterator[list[float]]:
        for _ in range(3):
            yield run(TWOS)[1].tolist()
            yield session.value(world.variable).tolist()

    other = tg.Session(world.session.graph)
    results = list(walk(world.session, world.session.callable(step, [world.y])))
    assert results == list(walk(other, lambda y: other.run(step, {world.y: y})))


def test_threads_share_a_callable(world: World) -> None:
    call = world.session.callable(world.double, [world.x])

    def check(number: int) -> bool:
        values = np.full(number % 5 + 1, number, np.float32)
        return bool((call(values) == 2 * number).all())

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(check, range(400)))


def test_more_plans_than_are_kept(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("typegrad.session.executor._PLANS", 2)
    scope = tg.Scope(world.session.graph)
    constants = [core.Constant.create(scope, number) for number in range(4)]
    call = world.session.callable(world.double, [world.x])
    for _ in range(3):
        assert [int(world.session.run(constant)) for constant in constants] == [0, 1, 2, 3]
        assert call(ONES).tolist() == [2, 2]
