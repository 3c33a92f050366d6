"""Work that is done once for all processes of a test run, with its result in a folder."""

from __future__ import annotations

import fcntl
from collections.abc import Callable
from pathlib import Path

__all__ = ["folder", "once"]

folder = Path()
"""The folder that the processes of this run share; conftest.py sets it."""


def once(name: str, fill: Callable[[Path], object]) -> Path:
    """The shared folder `name`: the first call of a run creates and fills it, and others wait for it."""
    result = folder / name
    with (folder / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not result.exists():
            unfinished = folder / f"{name}.unfinished"
            unfinished.mkdir(exist_ok=True)  # left by a call that failed
            fill(unfinished)
            unfinished.rename(result)
    return result
