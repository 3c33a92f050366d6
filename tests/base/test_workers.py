"""Threads that share the blocks of large arrays: the results are the same, whoever computes them."""

from __future__ import annotations

import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import typegrad as tg
from support.blocks import small_blocks
from typegrad.base import threads, workers
from typegrad.base.lock import SharedLock
from typegrad.base.workers import for_each, share
from typegrad.op import core, math


@pytest.fixture(autouse=True)
def _four(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "sharing", lambda: 4)


def _all(take: Callable[[], int]) -> Iterator[int]:
    while True:
        try:
            yield take()
        except IndexError:
            return


def test_each_item_is_taken_once_and_by_several_threads() -> None:
    taken: list[tuple[int, int]] = []
    met = threading.Barrier(4, timeout=60)

    def work(take: Callable[[], int]) -> None:
        first = take()
        met.wait()  # all of them have begun
        taken.extend((number, threading.get_ident()) for number in (first, *_all(take)))

    share(range(100), work)
    assert sorted(number for number, _ in taken) == list(range(100))
    assert len({thread for _, thread in taken}) == 4


@pytest.mark.parametrize("number", [1, 4])
@pytest.mark.parametrize("count", [0, 1, 50])
def test_work_is_done_once_for_each_item(number: int, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "sharing", lambda: number)
    done: list[int] = []
    for_each(range(count), done.append)
    assert sorted(done) == list(range(count))


@pytest.mark.parametrize("number", [1, 4])
def test_an_error_for_an_item_is_raised(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one that says elsewhere that no item is left."""
    monkeypatch.setattr(workers, "sharing", lambda: number)
    with pytest.raises(IndexError, match="out of range"):
        for_each(range(10), [0, 1, 2].__getitem__)


def test_helpers_that_have_not_begun_are_not_awaited() -> None:
    go_on, taken = threading.Event(), list[int]()

    def busy(take: Callable[[], int]) -> None:
        go_on.wait(60)

    others = [workers.pool(4).submit(busy, int) for _ in range(3)]
    share(range(10), lambda take: taken.extend(_all(take)))
    go_on.set()
    assert taken == list(range(10))
    for each in others:
        each.result()


def test_the_pool_keeps_no_array(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pool has what it was called with until it takes its next task, which may be never."""
    kept, real = list[Any](), workers.pool(4)

    class Keeping:
        def submit(self, *args: Any) -> Any:
            kept.append(args)
            return real.submit(*args)

    class Buffer(list[int]):
        """A list that weak references can point to."""

    monkeypatch.setattr(workers, "pool", lambda threads: Keeping())
    buffer = Buffer()
    is_alive = weakref.ref(buffer)

    def work(take: Callable[[], int], buffer: Buffer = buffer) -> None:
        buffer.extend(_all(take))

    share(range(10), work)
    assert len(kept) == 3 and sorted(buffer) == list(range(10))
    del work, buffer
    assert is_alive() is None


def test_an_error_of_a_helper_is_raised() -> None:
    caller, met = threading.get_ident(), threading.Barrier(4, timeout=60)

    def work(take: Callable[[], int]) -> None:
        met.wait()
        if threading.get_ident() != caller:
            raise MemoryError("of a helper")

    with pytest.raises(MemoryError, match="of a helper"):
        share(range(10), work)


def test_helpers_have_the_settings_of_a_run() -> None:
    met, settings = threading.Barrier(4, timeout=60), list[Any]()

    def work(take: Callable[[], int]) -> None:
        met.wait()
        settings.append((threading.get_ident(), np.geterr()["divide"], np.getbufsize()))

    share(range(10), work)
    assert [each[1:] for each in settings if each[0] != threading.get_ident()] == [("ignore", 512)] * 3


def test_helpers_have_the_lock_of_the_thread_that_they_work_for() -> None:
    """A finalizer may look at a variable in any of them."""
    lock, met, looks = SharedLock[Any](), threading.Barrier(4, timeout=60), list[str]()

    def work(take: Callable[[], int]) -> None:
        met.wait()
        looks.append(lock.shared(lambda: "a look"))
        met.wait()

    lock.exclusive(share, range(10), work)
    assert looks == ["a look"] * 4


@pytest.mark.parametrize("number", [1, 2, 4])
def test_results_do_not_depend_on_the_number(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    scope = tg.Scope(tg.Graph(seed=1))
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(300, 70))
    powers = math.Exp.create(scope, x)
    y = [powers / core.Sum.create(scope, powers, 1, keep_dims=True), math.Tanh.create(scope, -x) * 3.0]
    value = np.random.default_rng(1).standard_normal((300, 70)).astype(np.float32)
    expected = tg.Session(scope.graph, passes=()).run(y, {x: value})
    monkeypatch.setattr(workers, "sharing", lambda: number)
    with small_blocks(100):
        session = tg.Session(scope.graph)
        for _ in range(5):
            for one, other in zip(session.run(y, {x: value}), expected, strict=True):
                assert one.tobytes() == other.tobytes()


def test_as_many_as_blas_uses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "usable", lambda: 2)
    monkeypatch.setattr(threads, "busy", lambda: 0)
    for blas, expected in ((1, 1), (2, 2), (7, 2)):
        monkeypatch.setattr(threads, "count", lambda blas=blas: blas)
        threads.sharing.cache_clear()
        assert threads.sharing() == expected
    threads.sharing.cache_clear()


FORK = """
import os
from typegrad.base import workers
workers.sharing = lambda: 4
def total():
    taken = []
    def work(take):
        try:
            while True:
                taken.append(take())
        except IndexError:
            pass
    workers.share(range(100), work)
    return sum(taken)
assert total() == 4950
if hasattr(os, "fork"):
    child = os.fork()
    if not child:
        os._exit(total() == 4950)
    assert os.waitpid(child, 0)[1] == 256
"""


def test_a_fork_has_threads_of_its_own() -> None:
    subprocess.run([sys.executable, "-W", "ignore", "-c", FORK], check=True, timeout=60)
