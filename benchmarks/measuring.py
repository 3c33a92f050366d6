"""Time measurement. Contenders take turns, so that a slow moment of the machine affects all of them."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from statistics import median
from typing import Any, Final, TypeVar

__all__ = ["SAMPLE", "Work", "installed", "measure", "readable"]

K = TypeVar("K")
Work = Callable[[], object]

SAMPLE: Final = 0.05
"""The minimum seconds of one measurement; short work is repeated."""


def installed(modules: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    """The merged `CONTENDERS` of the modules by library, without libraries that are not installed."""
    for library, module in modules.items():
        try:
            contenders: Mapping[str, Any] = import_module(module).CONTENDERS
        except ModuleNotFoundError as error:
            print(f"{library} is skipped: {error.name} is not installed")
            continue
        yield from contenders.items()


def measure(works: Mapping[K, Work], rounds: int) -> dict[K, float]:
    """The median time of each work, in seconds."""
    repeats = {name: _repeats(work) for name, work in works.items()}
    times: dict[K, list[float]] = {name: [] for name in works}
    gc.collect()
    gc.freeze()  # no contender is slowed by garbage collection of the others' objects
    for _ in range(rounds):
        for name, work in works.items():
            times[name].append(_time(work, repeats[name]))
    return {name: median(measured) for name, measured in times.items()}


def readable(seconds: float) -> str:
    """The time in a suitable unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.2f} {unit}"
    return f"{seconds / 1e-6:.2f} us"


def _repeats(work: Work) -> int:
    """The number of repetitions in one measurement; computing it also warms up."""
    _time(work, 1)
    repeats = 1
    while (seconds := _time(work, repeats) * repeats) < SAMPLE:
        repeats = max(2 * repeats, int(repeats * SAMPLE / max(seconds, 1e-9)))
    return repeats


def _time(work: Work, repeats: int) -> float:
    start = time.perf_counter()
    for _ in range(repeats):
        work()
    return (time.perf_counter() - start) / repeats
