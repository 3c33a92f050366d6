"""How time is taken: contenders take turns, so that a slow moment of the machine hits all of them alike."""

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
"""Seconds that one measurement should take at least: short work is repeated."""


def installed(modules: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    """What the modules, given by library, have as `CONTENDERS`; those whose library is not installed are skipped."""
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
    gc.freeze()  # nobody pays for collecting through what the others keep
    for _ in range(rounds):
        for name, work in works.items():
            times[name].append(_time(work, repeats[name]))
    return {name: median(measured) for name, measured in times.items()}


def readable(seconds: float) -> str:
    """The time in the unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.2f} {unit}"
    return f"{seconds / 1e-6:.2f} us"


def _repeats(work: Work) -> int:
    """How often to repeat work in one measurement; finding out also warms it up."""
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
