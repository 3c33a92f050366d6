"""The lock of a session's state: readers together, writers alone, first come, first served."""

from __future__ import annotations

import threading
from time import monotonic

from typegrad.session.lock import SharedLock


def test_a_thread_that_writes_in_a_loop_does_not_keep_readers_out() -> None:
    lock = SharedLock()
    done = threading.Event()

    def write() -> None:
        while not done.is_set():
            with lock.exclusive():
                pass

    writers = [threading.Thread(target=write, daemon=True) for _ in range(2)]
    for writer in writers:
        writer.start()
    start = monotonic()
    for _ in range(20):
        with lock.shared():
            pass
    done.set()
    for writer in writers:
        writer.join(10)
    assert monotonic() - start < 60 and not any(writer.is_alive() for writer in writers)


def test_readers_hold_together() -> None:
    lock = SharedLock()
    both = threading.Barrier(2, timeout=10)

    def read() -> None:
        with lock.shared():
            both.wait()

    other = threading.Thread(target=read)
    other.start()
    read()
    other.join()
    assert not both.broken


def test_writers_are_alone() -> None:
    lock = SharedLock()
    inside: list[int] = []
    most: list[int] = []

    def write() -> None:
        for _ in range(200):
            with lock.exclusive():
                inside.append(1)
                most.append(len(inside))
                inside.pop()

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert max(most) == 1
