"""A lock that any number of readers share and one writer has alone."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import final

__all__ = ["SharedLock"]


@final
class SharedLock:
    """`shared()` for runs that only read variables, `exclusive()` for runs that write them.

    First come, first served: a thread that writes in a loop keeps no reader waiting, nor the other way round.
    """

    def __init__(self) -> None:
        """Free."""
        self._changed = threading.Condition()
        self._queue: deque[object] = deque()
        self._readers = 0
        self._writing = False

    @contextmanager
    def shared(self) -> Generator[None, None, None]:
        """Hold together with other readers."""
        with self._changed:
            self._take_turn(lambda: not self._writing)
            self._readers += 1
        try:
            yield
        finally:
            with self._changed:
                self._readers -= 1
                self._changed.notify_all()

    @contextmanager
    def exclusive(self) -> Generator[None, None, None]:
        """Hold alone."""
        with self._changed:
            self._take_turn(lambda: not self._writing and not self._readers)
            self._writing = True
        try:
            yield
        finally:
            with self._changed:
                self._writing = False
                self._changed.notify_all()

    def _take_turn(self, free: Callable[[], bool]) -> None:
        """Wait until all who came before have taken their turn, and `free()`."""
        me = object()
        self._queue.append(me)
        try:
            self._changed.wait_for(lambda: self._queue[0] is me and free())
        finally:
            self._queue.remove(me)
            self._changed.notify_all()
