"""The lock of a session's state: readers together, writers alone, first come, first served."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count, groupby, islice
from time import monotonic, sleep
from typing import Any

import pytest

from support.interrupting import ctrl_c, impatiently, interrupted
from typegrad.base.lock import SharedLock


class Noted:
    """A journal that notes how often it was undone."""

    def __init__(self) -> None:
        self.undone = 0

    def undo(self) -> None:
        self.undone += 1


@pytest.fixture(autouse=True)
def _patience() -> Iterator[None]:
    with impatiently():
        yield


@pytest.fixture
def lock() -> SharedLock[Noted]:
    return SharedLock()


def nothing() -> None:
    pass


def wait_for_places(lock: SharedLock[Noted], number: int) -> None:
    """Wait until so many calls have or await the lock."""
    while lock.calls != number:
        sleep(0.001)


def test_an_action_gets_its_arguments_and_gives_its_value(lock: SharedLock[Noted]) -> None:
    assert lock.shared(divmod, 7, 2) == lock.exclusive(divmod, 7, 2) == (3, 1)


def test_an_error_gives_the_lock_back(lock: SharedLock[Noted]) -> None:
    for take in (lock.shared, lock.exclusive):
        with pytest.raises(ZeroDivisionError):
            take(divmod, 1, 0)
    assert not lock.calls


@pytest.mark.parametrize("kinds", ["wrw", "rwr", "wrrwrw", "rwwrwr"])
def test_first_come_first_served(lock: SharedLock[Noted], kinds: str) -> None:
    """Nobody overtakes: not a reader a writer that waits for readers, nor a writer a reader."""
    served: list[int] = []
    go_on = threading.Event()

    def serve(kind: str, number: int) -> None:
        if kind == "r":
            lock.shared(served.append, number)
        else:
            lock.exclusive(served.append, number)

    with ThreadPoolExecutor(len(kinds) + 1) as pool:
        calls: list[Future[Any]] = [pool.submit(lambda: lock.exclusive(go_on.wait))]
        for number, kind in enumerate(kinds):
            wait_for_places(lock, number + 1)
            calls.append(pool.submit(serve, kind, number))
        wait_for_places(lock, len(kinds) + 1)
        go_on.set()
        for call in calls:
            call.result()
    expected = iter(served)
    for kind, numbers in groupby(range(len(kinds)), kinds.__getitem__):
        together = list(numbers)
        actual = list(islice(expected, len(together)))
        assert (sorted(actual) if kind == "r" else actual) == together


def test_a_thread_that_writes_in_a_loop_does_not_keep_readers_out(lock: SharedLock[Noted]) -> None:
    done = threading.Event()

    def write() -> None:
        while not done.is_set():
            lock.exclusive(nothing)

    writers = [threading.Thread(target=write, daemon=True) for _ in range(2)]
    for writer in writers:
        writer.start()
    start = monotonic()
    for _ in range(20):
        lock.shared(nothing)
    done.set()
    for writer in writers:
        writer.join(10)
    assert monotonic() - start < 60 and not any(writer.is_alive() for writer in writers)


def test_readers_hold_together(lock: SharedLock[Noted]) -> None:
    both = threading.Barrier(2, timeout=10)
    other = threading.Thread(target=lock.shared, args=(both.wait,))
    other.start()
    lock.shared(both.wait)
    other.join()
    assert not both.broken


def test_writers_are_alone(lock: SharedLock[Noted]) -> None:
    inside: list[int] = []
    most: list[int] = []

    def write() -> None:
        inside.append(1)
        most.append(len(inside))
        inside.pop()

    def loop() -> None:
        for _ in range(200):
            lock.exclusive(write)

    threads = [threading.Thread(target=loop) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert max(most) == 1


def test_a_write_that_is_not_committed_is_undone(lock: SharedLock[Noted]) -> None:
    journal = Noted()
    lock.exclusive(lock.begin, journal)
    assert journal.undone == 1 and lock.journal is None

    def committed() -> None:
        lock.begin(journal)
        lock.commit()

    lock.exclusive(committed)
    assert journal.undone == 1


def test_a_write_within_a_call_that_was_cut_short_is_undone_before_the_next(lock: SharedLock[Noted]) -> None:
    first, second = Noted(), Noted()

    def write() -> None:
        lock.begin(first)
        lock.begin(second)
        assert (first.undone, second.undone) == (1, 0)
        lock.commit()

    lock.exclusive(write)
    assert (first.undone, second.undone) == (1, 0)


def test_a_writer_waits_for_readers(lock: SharedLock[Noted]) -> None:
    written: list[bool] = []

    def read() -> None:
        writing = pool.submit(lock.exclusive, written.append, True)
        wait_for_places(lock, 2)
        sleep(0.02)
        assert not written and not writing.done()

    with ThreadPoolExecutor(1) as pool:
        lock.shared(read)
    assert written


@pytest.mark.parametrize("waits_for", ["shared", "exclusive"])
def test_who_waits_for_a_call_that_was_interrupted_goes_on(
    monkeypatch: pytest.MonkeyPatch, lock: SharedLock[Noted], waits_for: str
) -> None:
    monkeypatch.setattr("typegrad.base.lock._PATIENCE", 0.001)
    take: Callable[[Callable[[], None]], None] = getattr(lock, waits_for)
    with ThreadPoolExecutor(1) as pool:
        journal, waiting, before = Noted(), list[Future[None]](), 0

        def write() -> None:
            lock.begin(journal)
            waiting.append(pool.submit(take, nothing))
            wait_for_places(lock, 2)

        for moment in count(1, 2):
            before = journal.undone
            goes_on = interrupted(lambda: lock.exclusive(write), moment, ctrl_c)
            for call in waiting:
                call.result()
            waiting.clear()
            lock.shared(nothing)
            assert not lock.calls and lock.journal is None and journal.undone <= before + 2
            if not goes_on:
                break
        assert journal.undone == before + 1
