"""How long typegrad takes, beside others that are installed: `python benchmarks/run.py`.

The contenders take turns, so that a slow moment of the machine hits all of them alike. The table shows the median time of each
one, and its ratio to typegrad's: above 1, typegrad is faster.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from statistics import median
from typing import Final

from contenders.tasks import TASKS, Contenders, Setup

MODULES: Final = ("typegrad", "numpy", "tensorflow", "torch", "jax")
SAMPLE: Final = 0.05
"""Seconds that one measurement should take at least: short work is repeated."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare typegrad with other libraries that are installed.")
    parser.add_argument("--rounds", type=int, default=9, help="measurements of each contender (default: 9)")
    rounds = parser.parse_args().rounds
    contenders = dict(_installed())
    for task in TASKS:
        setups = {name: tasks[task] for name, tasks in contenders.items() if task in tasks}
        times = _measure(setups, rounds)
        print(f"\n{task}")
        for name, seconds in times.items():
            print(f"  {name:22}{_readable(seconds):>12}{seconds / times['typegrad']:>9.2f}")


def _installed() -> Iterator[tuple[str, Mapping[str, Setup]]]:
    for library in MODULES:
        try:
            contenders: Contenders = import_module(f"contenders.with_{library}").CONTENDERS
        except ModuleNotFoundError as error:
            print(f"{library} is skipped: {error.name} is not installed")
            continue
        yield from contenders.items()


def _measure(setups: Mapping[str, Setup], rounds: int) -> dict[str, float]:
    """The median time of each contender, in seconds."""
    works = {name: setup() for name, setup in setups.items()}
    repeats = {name: _repeats(work) for name, work in works.items()}
    times: dict[str, list[float]] = {name: [] for name in works}
    gc.collect()
    gc.freeze()  # nobody pays for collecting through what the others keep
    for _ in range(rounds):
        for name, work in works.items():
            times[name].append(_time(work, repeats[name]))
    return {name: median(measured) for name, measured in times.items()}


def _repeats(work: Callable[[], object]) -> int:
    """How often to repeat work in one measurement; finding out also warms it up."""
    _time(work, 1)
    repeats = 1
    while (seconds := _time(work, repeats) * repeats) < SAMPLE:
        repeats = max(2 * repeats, int(repeats * SAMPLE / max(seconds, 1e-9)))
    return repeats


def _time(work: Callable[[], object], repeats: int) -> float:
    start = time.perf_counter()
    for _ in range(repeats):
        work()
    return (time.perf_counter() - start) / repeats


def _readable(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.2f} {unit}"
    return f"{seconds / 1e-6:.2f} us"


if __name__ == "__main__":
    main()
