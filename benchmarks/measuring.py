"""Measurement of time and memory within a process."""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

__all__ = ["LONG", "SAMPLE", "clock", "memory", "readable", "repeats", "seconds"]

SAMPLE: Final = 0.05
"""The minimum seconds of one measurement; short work is repeated."""


LONG: Final = 2.0
"""The seconds of a call that needs no other one to warm up."""

clock: Final[Callable[[], float]] = getattr(time, os.environ.get("BENCHMARK_CLOCK", "perf_counter"))
"""The clock of `time` that is read: elapsed time, or the time that processors spend on this process."""


def repeats(work: Callable[[], object], sample: float = SAMPLE) -> int:
    """The number of repetitions in one measurement; computing it also warms up."""
    seconds(work, 1)
    count = 1
    while (duration := seconds(work, count) * count) < sample:
        count = max(2 * count, int(count * sample / max(duration, 1e-9)))
    return count


def seconds(work: Callable[[], object], count: int) -> float:
    """The time of one of `count` calls. What existed before is not collected in between."""
    gc.collect()
    gc.freeze()
    start = clock()
    for _ in range(count):
        work()
    duration = (clock() - start) / count
    gc.unfreeze()
    return duration


def memory(*, peak: bool) -> int:
    """The bytes in memory that this process has, or had at most."""
    if sys.platform != "linux":
        raise OSError("memory is measured on Linux alone; leave the task out with --only")
    key = "VmHWM:" if peak else "VmRSS:"
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(key))


def readable(value: float, unit: str) -> str:
    """A value in a suitable unit; `unit` is "s" or "B"."""
    if unit == "B":
        return f"{value / 2**20:.1f} MiB"
    for name, size in (("s", 1.0), ("ms", 1e-3)):
        if value >= size:
            return f"{value / size:.2f} {name}"
    return f"{value / 1e-6:.2f} us"
