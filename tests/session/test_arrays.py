"""Memory that runs use again: never while anybody can see into it."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from support.blocks import small_blocks
from typegrad.op import core, math
from typegrad.session.arrays import Arrays

F32: Final = np.dtype(np.float32)

HOLDERS: Final[dict[str, Callable[[Any], object]]] = {
    "itself": lambda x: x,
    "a view": lambda x: x[1:],
    "a view of a view": lambda x: x.reshape(2, 2).T[0],
    "a memoryview": memoryview,
    "an array that is made of its memory": lambda x: np.frombuffer(x, np.float32),
    "its ctypes": lambda x: x.ctypes,
    "a function": lambda x: lambda: x,
    "a weak reference": weakref.ref,
}


@pytest.mark.parametrize("what", HOLDERS)
def test_an_array_is_free_once_nobody_has_it(what: str) -> None:
    arrays = Arrays()
    holder: object = HOLDERS[what](arrays.empty((4,), F32))
    assert len(arrays) == 1
    other = arrays.empty((4,), F32)
    assert len(arrays) == 2  # the first one is taken
    del holder, other
    for _ in range(5):
        arrays.empty((4,), F32)
    assert len(arrays) == 2


def test_an_array_that_was_read_only_can_be_written() -> None:
    arrays = Arrays()
    arrays.empty((4,), F32).flags.writeable = False
    assert arrays.empty((4,), F32).flags.writeable and len(arrays) == 1


@pytest.mark.filterwarnings("ignore:Setting the strides:DeprecationWarning")
def test_an_array_whose_axes_were_swapped_in_place_is_not_used_again() -> None:
    arrays = Arrays()
    array, name = arrays.empty((2, 2), F32), "strides"
    setattr(array, name, (4, 8))
    del array
    assert arrays.empty((2, 2), F32).flags.c_contiguous and len(arrays) == 2


def test_shapes_and_types_are_kept_apart_and_there_are_not_too_many() -> None:
    arrays = Arrays()
    for size in range(100):
        assert arrays.empty((size,), F32).shape == (size,)
        assert arrays.empty((size,), np.dtype(np.int32)).dtype == np.int32
    assert len(arrays) == 32


def test_results_that_somebody_keeps_are_not_all_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("typegrad.session.arrays._ALIKE", 3)
    arrays = Arrays()
    held = [arrays.empty((5,), F32) for _ in range(4)]
    assert len(arrays) == 3
    assert len({each.ctypes.data for each in held}) == 4


def test_only_so_many_bytes_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("typegrad.session.arrays._BYTES", 1000)
    arrays = Arrays()
    for size in range(90, 100):
        arrays.empty((size,), F32)
    assert len(arrays) == 2
    assert arrays.empty((300,), F32).shape == (300,) and not len(arrays)


def test_memory_that_is_short_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    arrays = Arrays()
    arrays.empty((4,), F32)
    make = np.empty

    def scarce(shape: tuple[int, ...], dtype: Any) -> Any:
        if len(arrays):
            raise MemoryError
        return make(shape, dtype)

    monkeypatch.setattr(np, "empty", scarce)
    assert arrays.empty((5,), F32).shape == (5,) and len(arrays) == 1


@pytest.fixture
def world() -> tuple[tg.Session, Any, Any, Any]:
    """A group whose result is not fetched itself, what is made of it, and a variable that it goes into."""
    scope = tg.Scope(tg.Graph(seed=1))
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(None,))
    y = math.Exp.create(scope, -x)
    view = core.Reshape.create(scope, y, [2, 2])
    variable = tg.Variable.create(scope, np.zeros(4, np.float32))
    return tg.Session(scope.graph), x, view, [variable.assign(scope, y), core.Concat.create(scope, [y, y], 0)]


def expected(x: Any) -> Any:
    return np.exp(-x)


def test_what_was_fetched_stays(world: tuple[tg.Session, Any, Any, Any]) -> None:
    session, x, view, (_, both) = world
    with small_blocks():
        fed = [np.full(4, number, np.float32) for number in range(50)]
        results = [session.run([view, both], {x: each}) for each in fed]
    for one, values in zip(results, fed, strict=True):
        np.testing.assert_array_equal(one[0].reshape(-1), expected(values))
        np.testing.assert_array_equal(one[1][:4], expected(values))


def test_fetched_memory_is_used_again_once_nobody_has_it(world: tuple[tg.Session, Any, Any, Any]) -> None:
    session, x, view, _ = world
    y = view.op.inputs[0]
    fed = [np.full(4, number, np.float32) for number in range(6)]

    def places() -> set[int]:
        """Where results are that are kept, all of them."""
        results = [session.run(y, {x: each}) for each in fed]
        np.testing.assert_array_equal(results, [expected(each) for each in fed])
        assert all(each.flags.owndata and each.flags.writeable for each in results)
        return {each.ctypes.data for each in results}

    with small_blocks():
        session.run(y, {x: fed[0]})  # compiled from the second run on
        assert places() == places() and len(places()) == len(fed)


def test_values_of_variables_stay(world: tuple[tg.Session, Any, Any, Any]) -> None:
    session, x, _, (assign, both) = world
    one, other = np.ones(4, np.float32), np.full(4, 2, np.float32)
    with small_blocks():
        session.run(assign, {x: one})
        for _ in range(5):
            session.run(both, {x: other})
            np.testing.assert_array_equal(session.value(session.graph.variables[0]), expected(one))
        for _ in range(5):
            session.run(assign, {x: other})
            session.run(both, {x: one})
        np.testing.assert_array_equal(session.value(session.graph.variables[0]), expected(other))


def test_threads_never_share_an_array(world: tuple[tg.Session, Any, Any, Any]) -> None:
    session, x, view, (_, both) = world

    def check(number: int) -> bool:
        values = np.full(4, number % 50, np.float32)
        one, other = session.run([view, both], {x: values})
        return bool((one.reshape(-1) == expected(values)).all() and (other[4:] == expected(values)).all())

    with small_blocks(), ThreadPoolExecutor(8) as pool:
        assert all(pool.map(check, range(2000)))
