"""What `with` statements enter that lets errors pass and builds nothing: locks of threads."""

from __future__ import annotations

from typing import Any

from typegrad.dry_run.known.unknown import UNKNOWN

__all__ = ["Condition", "Lock", "RLock", "Semaphore"]


class Lock:
    """A lock that nobody else has, of which only its block is known."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Open nothing."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return UNKNOWN

    def __enter__(self) -> Any:
        return UNKNOWN

    def __exit__(self, *error: object) -> None:
        """Let errors pass."""


class RLock(Lock):
    """A lock that a thread may take again."""


class Condition(Lock):
    """A lock that threads wait for."""


class Semaphore(Lock):
    """A lock that several threads may have."""
