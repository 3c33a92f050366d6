"""Queues of one thread. Where it would wait for another one, which nobody follows, a queue is full or empty."""

from __future__ import annotations

import heapq
from typing import Any, Generic, TypeVar

_T = TypeVar("_T")


class Empty(Exception):
    """There is no item."""


class Full(Exception):
    """There is no room for one."""


class Queue(Generic[_T]):
    """A queue, of which the first item comes first."""

    def __init__(self, maxsize: int = 0) -> None:
        """Make an empty queue."""
        self.maxsize = maxsize
        self._queued: list[_T] = []

    def qsize(self) -> int:
        """The number of its items."""
        return len(self._queued)

    def empty(self) -> bool:
        """Whether there are none."""
        return not self._queued

    def full(self) -> bool:
        """Whether there is no room for more."""
        return 0 < self.maxsize <= len(self._queued)

    def put(self, item: _T, block: Any = True, timeout: Any = None) -> None:
        """Put an item into it."""
        if self.full():
            raise Full
        self._queue(item)

    def put_nowait(self, item: _T) -> None:
        """Put an item into it."""
        self.put(item)

    def get(self, block: Any = True, timeout: Any = None) -> _T:
        """Take the next item."""
        if not self._queued:
            raise Empty
        return self._next()

    def get_nowait(self) -> _T:
        """Take the next item."""
        return self.get()

    def task_done(self) -> None:
        """Do nothing."""

    def join(self) -> None:
        """Wait for nothing."""

    def _queue(self, item: _T) -> None:
        self._queued.append(item)

    def _next(self) -> _T:
        return self._queued.pop(0)


class SimpleQueue(Queue[_T]):
    """A queue of any number of items."""

    def __init__(self) -> None:
        """Make an empty queue."""
        super().__init__()


class LifoQueue(Queue[_T]):
    """A queue of which the last item comes first."""

    def _next(self) -> _T:
        return self._queued.pop()


class PriorityQueue(Queue[Any]):
    """A queue of which the smallest item comes first."""

    def _queue(self, item: Any) -> None:
        heapq.heappush(self._queued, item)

    def _next(self) -> Any:
        return heapq.heappop(self._queued)
