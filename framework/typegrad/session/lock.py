"""A lock that any number of readers share and one writer has alone."""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import final

__all__ = ["SharedLock"]


@final
class SharedLock:
    """`shared()` for runs that only read variables, `exclusive()` for runs that write them. Waiting writers go first."""

    def __init__(self) -> None:
        """Free."""
        self._changed = threading.Condition()
        self._readers = 0
        self._waiting = 0
        self._writing = False

    @contextmanager
    def shared(self) -> Generator[None]:
        """Hold together with other readers."""
        with self._changed:
            self._changed.wait_for(lambda: not self._writing and not self._waiting)
            self._readers += 1
        try:
            yield
        finally:
            with self._changed:
                self._readers -= 1
                self._changed.notify_all()

    @contextmanager
    def exclusive(self) -> Generator[None]:
        """Hold alone."""
        with self._changed:
            self._waiting += 1
            try:
                self._changed.wait_for(lambda: not self._writing and not self._readers)
                self._writing = True
            finally:
                self._waiting -= 1
        try:
            yield
        finally:
            with self._changed:
                self._writing = False
                self._changed.notify_all()
