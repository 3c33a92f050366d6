"""Compare the speed of typegrad with NumPy by hand and with other libraries: `python benchmarks/run.py`.

Each library runs in a process of its own, in another interpreter where `--python tensorflow=/path/to/python` says so;
those that are not installed are left out. All contenders compute the same from the same inputs: if results differ, the
command fails. They take turns, so that a slow moment of the machine affects all of them.

The table has the median of each contender, and the median of its ratios to typegrad in the same turn: above 1, typegrad
is faster, or takes less memory. For an operation by itself it shows the least ratio that the project aims at, and
the end lists the aims that are missed. A task that takes long has fewer rounds; the table says how many.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np

from comparing import disagreement
from contenders.tasks import TASKS, Task
from measuring import readable
from workers import Place, Worker, WorkerError, busy, places

LIBRARIES: Final = {
    "typegrad": "typegrad",
    "numpy": "NumPy",
    "tensorflow": "TensorFlow",
    "jax": "JAX",
    "torch": "PyTorch",
}
"""The libraries, and what they are called where it is about the library as a whole."""

FIRST: Final = "typegrad"
BOUND: Final = "NumPy, fewest calls"
PATIENCE: Final = 30.0
"""The seconds after which no other round of a task begins."""


@dataclass(frozen=True)
class Row:
    """What was measured of a contender, in seconds or bytes."""

    task: str
    contender: str
    median: float
    ratio: float | None
    """The median of the ratios to the first contender; None if that did not take part."""
    samples: Sequence[float]
    aim: float | None = None
    """The least ratio that the project aims at."""

    @property
    def is_missed(self) -> bool:
        """Whether the ratio is below the aim."""
        return self.ratio is not None and self.aim is not None and self.ratio < self.aim


class Benchmark:
    """Libraries that take turns."""

    def __init__(self, workers: Mapping[Place, Worker], folder: Path, *, rounds: int, quick: bool) -> None:
        self._workers = workers
        self._folder = folder
        self._rounds = rounds
        self._quick = quick

    def rows(self, task: Task) -> list[Row]:
        """Measure a task.

        Raises:
            WorkerError: A contender has failed, or the contenders disagree.
        """
        if task.measure == "import":
            samples = self._imports()
        else:
            samples = self._times(task) if task.measure == "time" else self._memory(task)
        first = samples.get(FIRST)
        return [
            Row(task.name, name, median(each), None if first is None else _ratio(each, first), each, aim(task, name))
            for name, each in samples.items()
        ]

    def _times(self, task: Task) -> dict[str, list[float]]:
        workers = {name: worker for worker in self._workers.values() for name in _taking_part(worker, task)}
        for name, worker in workers.items():
            self._prepare(worker, name, task)
        self._compare(task, workers)
        samples: dict[str, list[float]] = {name: [] for name in workers}
        start = time.monotonic()
        for number in range(self._rounds):
            if number and time.monotonic() - start > PATIENCE:
                break
            for name, worker in workers.items():
                samples[name].append(worker.ask("measure", contender=name))
        for worker in self._workers.values():
            worker.ask("forget")
        return samples

    def _memory(self, task: Task) -> dict[str, list[float]]:
        """The growth in new processes, without what other tasks have left."""
        samples: dict[str, list[float]] = {}
        for place in self._workers:
            for name in _taking_part(self._workers[place], task):
                with Worker(place) as worker:
                    samples[name] = [self._prepare(worker, name, task)]
        self._compare(task, samples)
        return samples

    def _imports(self) -> dict[str, list[float]]:
        samples: dict[str, list[float]] = {LIBRARIES[place.library]: [] for place in self._workers}
        for _ in range(self._rounds):
            for place in self._workers:
                samples[LIBRARIES[place.library]].append(place.seconds_to_import())
        return samples

    def _prepare(self, worker: Worker, contender: str, task: Task) -> int:
        values = str(self._values(contender))
        grown: int = worker.ask("prepare", contender=contender, task=task.name, values=values, quick=self._quick)
        return grown

    def _compare(self, task: Task, contenders: Iterable[str]) -> None:
        results = {name: list(np.load(self._values(name)).values()) for name in contenders}
        if text := disagreement(results, task.tolerance):
            raise WorkerError(f"{task.name}: {text}")

    def _values(self, contender: str) -> Path:
        return self._folder / f"{contender}.npz"


def _taking_part(worker: Worker, task: Task) -> list[str]:
    return [name for name, tasks in worker.offers.items() if task.name in tasks]


def aim(task: Task, contender: str) -> float | None:
    """The least ratio of a contender, if it is the one of the task's aim."""
    return 1 / task.aim.factor if task.aim and task.aim.contender == contender else None


def _ratio(samples: Sequence[float], first: Sequence[float]) -> float:
    return median(sample / one for sample, one in zip(samples, first, strict=True))


def show(task: Task, rows: Sequence[Row], rounds: int) -> None:
    """Print the table of a task."""
    done = min([len(row.samples) for row in rows], default=rounds)
    note = f" ({done} of {rounds} rounds)" if task.measure == "time" and done < rounds else ""
    print(f"\n{task.name}: {task.what}{note}")
    for row in rows:
        value = readable(row.median, "B" if task.measure == "memory" else "s")
        ratio = "" if row.ratio is None else f"{row.ratio:9.2f}"
        goal = "" if row.aim is None else f"  aim {row.aim:.2f}{', missed' if row.is_missed else ''}"
        print(f"  {row.contender:24}{value:>12}{ratio}{goal}", flush=True)


def show_aims(rows: Sequence[Row]) -> None:
    """Print which aims are missed."""
    aimed = [row for row in rows if row.aim is not None]
    fewest = {row.task: row.median for row in rows if row.contender == BOUND}
    missed = [
        f"{row.task} {row.ratio:.2f} of {row.aim:.2f}{_in_numpy(row, fewest.get(row.task))}"
        for row in aimed
        if row.is_missed
    ]
    if aimed:
        print("\n" + "\n  ".join([f"{len(missed)} of {len(aimed)} aims are missed", *missed]))


def _in_numpy(row: Row, fewest: float | None) -> str:
    """The ratio that the fewest calls of NumPy would reach."""
    return "" if fewest is None else f"; {row.median / fewest:.2f} in the fewest calls of NumPy"


def _python(text: str) -> tuple[str, str]:
    library, separator, path = text.partition("=")
    if not separator or library not in LIBRARIES:
        raise argparse.ArgumentTypeError(f"{text!r} is not LIBRARY=PATH with a library of {', '.join(LIBRARIES)}")
    return library, path


def _arguments(args: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compare typegrad with NumPy by hand and with other libraries.")
    parser.add_argument("--only", action="append", metavar="NAME", help="a task, or a pattern such as 'cbow*'")
    parser.add_argument("--libraries", nargs="+", choices=LIBRARIES, default=list(LIBRARIES), help="default: all")
    parser.add_argument("--python", action="append", type=_python, default=[], metavar="LIBRARY=PATH")
    parser.add_argument("--threads", type=int, help="for every library; by default as each likes")
    parser.add_argument(
        "--cpu",
        dest="clock",
        action="store_const",
        const="process_time",
        default="perf_counter",
        help="measure the time of processors, for a machine that is busy; best with --threads 1",
    )
    parser.add_argument("--busy", type=int, default=0, metavar="N", help="keep N other processes computing meanwhile")
    parser.add_argument("--rounds", type=int, default=9, help="measurements of each contender (default: 9)")
    parser.add_argument("--quick", action="store_true", help="tiny inputs, one round: only whether results agree")
    parser.add_argument("--json", action="store_true", help="print JSON at the end instead of tables")
    parser.add_argument("--list", action="store_true", help="list the tasks")
    return parser.parse_args(args)


def _measured(tasks: Sequence[Task], options: argparse.Namespace) -> list[Row]:
    """Measure the tasks, and show each at once unless all are shown as JSON."""
    rows: list[Row] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        workers: dict[Place, Worker] = {}
        for place in places(options.libraries, dict(options.python), options.threads, options.clock):
            worker = stack.enter_context(Worker(place))
            if worker.missing:
                print(f"{place.library} is left out: {worker.missing} is not installed", file=sys.stderr)
            else:
                workers[place] = worker
        rounds = 1 if options.quick else options.rounds
        benchmark = Benchmark(workers, folder, rounds=rounds, quick=options.quick)
        stack.enter_context(busy(options.busy))
        for task in tasks:
            measured = benchmark.rows(task)
            rows += measured
            if not options.json:
                show(task, measured, rounds)
    return rows


def main(args: Sequence[str] | None = None) -> int:
    """Run, and return the exit status."""
    options = _arguments(args)
    patterns: list[str] = options.only or ["*"]
    tasks = [task for task in TASKS if any(fnmatch(task.name, pattern) for pattern in patterns)]
    if options.list or not tasks:
        print("\n".join(f"{task.name:24}{task.what}" for task in TASKS))
        return 0 if options.list else 2
    try:
        rows = _measured(tasks, options)
    except WorkerError as error:
        print(error, file=sys.stderr)
        return 1
    if options.json:
        machine = {"python": platform.python_version(), "machine": platform.platform(), "cores": os.cpu_count()}
        print(json.dumps({"machine": machine, "rows": [asdict(row) for row in rows]}, indent=1))
    else:
        show_aims(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
