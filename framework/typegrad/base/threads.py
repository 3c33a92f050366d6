"""How many threads BLAS uses: a property of the process, which a session sets when it is opened.

As many share the parts of large arrays (`workers.py`).

With a thread for each core, BLAS collapses where other programs keep cores busy, as its threads wait for each other.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy  # noqa: F401  # pyright: ignore[reportUnusedImport]  # BLAS is found once it is loaded

from typegrad.base.errors import OptionError

__all__ = ["INSTALL", "Choice", "busy", "chosen", "count", "idle", "quota", "set_threads", "sharing", "usable"]

INSTALL: Final = "pip install 'typegrad[threads]'"

_VARIABLES: Final = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""With these, users tell BLAS the number; it reads them when it is loaded."""

_LOOKS: Final = 5
"""How often to look what else is running."""

_PAUSE: Final = 0.001
"""The seconds between two looks."""


class Choice(NamedTuple):
    """The number of threads for sessions that state none."""

    threads: int | None
    """None leaves the number as it is."""
    reason: str


def set_threads(threads: int | None) -> None:
    """Set the number; None chooses once for the process, and later leaves the number as it is.

    Raises:
        OptionError: The number is less than 1, or threadpoolctl, which sets it, is not installed.
    """
    if threads is None:
        chosen()
        return
    if threads < 1:
        raise OptionError(f"threads, the number of threads that BLAS uses, is 1 or more; got {threads}")
    if _controller() is None:
        raise OptionError(f"threads={threads} needs threadpoolctl, which is not installed: {INSTALL}")
    _apply(threads)


@cache
def chosen() -> Choice:
    """Choose and set the number, once for the process: a core for each thread that other programs leave idle."""
    stated = [f"{name}={os.environ[name]}" for name in _VARIABLES if name in os.environ]
    if stated:
        return Choice(None, ", ".join(stated))
    if _controller() is None:
        return Choice(None, "one for each core, as threadpoolctl is not installed")
    allowed, others = usable(), busy()
    threads = idle(allowed, os.cpu_count() or 1, others)
    _apply(threads)
    total = os.cpu_count() or 1
    return Choice(threads, f"of {allowed} usable cores, when others kept {min(others, total)} of {total} busy")


def count() -> int | None:
    """The number of threads that BLAS uses now; None if that is not known."""
    controller = _controller()
    counts = [] if controller is None else [pool["num_threads"] for pool in controller.info()]
    return max(counts, default=None)


@cache
def sharing() -> int:
    """The number of threads that share the parts of large arrays: as many as BLAS uses, on usable cores."""
    allowed = usable()
    return max(1, min(allowed, count() or idle(allowed, os.cpu_count() or 1, busy())))


def idle(allowed: int, cores: int, others: int) -> int:
    """The cores to use of those that are allowed, when others keep some of all cores busy."""
    return max(1, min(allowed, cores - others))


def usable() -> int:
    """The cores that the operating system lets this process use: by its affinity and by the quota of its group."""
    cores = os.cpu_count() or 1
    counting: Callable[[], int | None] | None = getattr(os, "process_cpu_count", None)  # since Python 3.13
    if counting is not None:
        cores = counting() or cores
    elif hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    return max(1, min(cores, quota(Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")) or cores))


def quota(folder: Path, groups: Path) -> int | None:
    """The cores that Linux's control groups grant, rounded up; None if they do not limit them.

    Args:
        folder: Where the groups' files are.
        groups: The file that names the groups of this process.
    """
    limits: list[float] = []
    with suppress(OSError):
        for line in groups.read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            inside = path.strip("/")
            if not controllers:  # the second version has one hierarchy
                limits += [_limit(folder / each / "cpu.max") for each in ("", inside)]
            elif "cpu" in controllers.split(","):
                for each in ("", inside):
                    own = folder / "cpu" / each
                    limits.append(_limit(own / "cpu.cfs_quota_us", own / "cpu.cfs_period_us"))
    cores = min(limits, default=float("inf"))
    return None if cores == float("inf") else max(1, -int(-cores // 1))


def _limit(*files: Path) -> float:
    """Time granted by time, infinity if it is not limited."""
    try:
        granted, period = " ".join(file.read_text().strip() for file in files).split()
    except (OSError, ValueError):
        return float("inf")
    return float("inf") if granted in ("max", "-1") else int(granted) / int(period)


def busy() -> int:
    """How many threads other than this one are running or want to; 0 if the operating system does not tell."""
    looks: list[int] = []
    with suppress(OSError, ValueError, IndexError):
        for _ in range(_LOOKS):
            looks.append(int(Path("/proc/loadavg").read_text().split()[3].partition("/")[0]) - 1)
            time.sleep(_PAUSE)
    return sorted(looks)[len(looks) // 2] if looks else 0


@cache
def _controller() -> Any:
    """What sets the threads of the BLAS libraries that are loaded; None without threadpoolctl."""
    try:
        threadpoolctl: Any = import_module("threadpoolctl")
    except ModuleNotFoundError:
        return None
    return threadpoolctl.ThreadpoolController().select(user_api="blas")


def _apply(threads: int) -> None:
    _controller().limit(limits=threads)
    sharing.cache_clear()
