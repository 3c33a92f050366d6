"""Where the time of runs goes: as a table, and as a trace."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from io import StringIO
from pathlib import Path, PurePath
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from attrs import field, frozen

from typegrad.arguments.paths import made_folder
from typegrad.base.brief import counted, shortened
from typegrad.base.errors import OptionError
from typegrad.graph.explain import known_as
from typegrad.session.flops import flops
from typegrad.session.recording import Recorder, Sizes, StepRecord, recording

if TYPE_CHECKING:
    from typegrad.graph.operation import Operation
    from typegrad.session.executor import Executor
    from typegrad.session.steps import Step

__all__ = ["Cost", "Profile", "measure", "tracing"]

_ROWS: Final = 20
"""How many operations the table lists."""

_WIDTH: Final = 160
"""The columns of the table at most; most tables take fewer."""


# Tables


@frozen
class Cost:
    """What an operation costs in a run, or operations that are computed together: the median of all runs."""

    op: Operation
    """The operation, or the last one of several."""
    kind: str
    """The types of the operations: "Mul Tanh"."""
    seconds: float
    share: float
    """The part of all operations' time, from 0 to 1."""
    shape: str
    """The shapes of its outputs."""
    bytes: int
    """The size of its inputs and outputs."""
    flops: int | None
    """The floating-point operations, if they are known."""

    @property
    def gflops(self) -> float | None:
        """Billions of floating-point operations a second."""
        return None if self.flops is None else self.flops / max(self.seconds, 1e-9) / 1e9

    def __str__(self) -> str:
        """Time and speed: "1.36 ms, 2.79 GFLOP/s, 16.3%"."""
        speed = "" if self.gflops is None else f", {self.gflops:.3g} GFLOP/s"
        return f"{_time(self.seconds)}{speed}, {self.share:.1%}"


@frozen
class Profile:
    """What the operations of a run cost. `print(profile)` shows the most expensive ones."""

    runs: int
    seconds: float
    """The median time of a run."""
    costs: Sequence[Cost] = field(repr=False)
    """The most expensive one first."""

    @property
    def by_operation(self) -> Mapping[Operation, Cost]:
        """The cost of each operation that ran; of several that are computed together, the last one has it."""
        return {cost.op: cost for cost in self.costs}

    def __str__(self) -> str:
        """The table."""
        from rich.console import Console

        text = StringIO()
        Console(file=text, width=_WIDTH, color_system=None).print(_table(self), end="")
        return "\n".join(line.rstrip() for line in text.getvalue().splitlines())


def _table(profile: Profile) -> Any:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    listed, rest = profile.costs[:_ROWS], profile.costs[_ROWS:]
    title = f"{counted(len(profile.costs), 'operation')}, {_time(profile.seconds)} a run, median of {profile.runs}"
    table = Table(title=Text(title), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for name in ("time", "share", "GFLOP/s", "MiB"):
        table.add_column(name, justify="right", no_wrap=True)
    for name in ("operation", "shape", "name", "created at"):
        table.add_column(name, no_wrap=True)
    for cost in listed:
        rate = "" if cost.gflops is None else f"{cost.gflops:.3g}"
        numbers = (_time(cost.seconds), f"{cost.share:.1%}", rate, f"{cost.bytes / 2**20:.3g}")
        name, line = known_as(cost.op)
        texts = (shortened(cost.kind, 24), shortened(cost.shape, 24), shortened(name, 36), PurePath(line).name)
        table.add_row(*numbers, *map(Text, texts))
    if rest:
        seconds, share = sum(cost.seconds for cost in rest), sum(cost.share for cost in rest)
        table.add_row(_time(seconds), f"{share:.1%}", "", "", Text(f"{len(rest)} more"))
    return table


def _time(seconds: float) -> str:
    return f"{seconds * 1e3:.2f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.1f} us"


def measure(executor: Executor, run: Callable[[], object], runs: int) -> Profile:
    """The profile of so many runs, after one that is not counted."""
    if runs < 1:
        raise OptionError(f"runs, the number of runs to measure, is 1 or more; got {runs}")
    run()
    with recording(executor) as recorder:
        for _ in range(runs):
            run()
    records: dict[Step, list[StepRecord]] = {}
    for record in recorder.steps:
        records.setdefault(record.step, []).append(record)
    times = {step: median(each.end - each.start for each in of_step) / 1e9 for step, of_step in records.items()}
    total = sum(times.values())
    costs = [_cost(of_step[-1], times[step], times[step] / total) for step, of_step in records.items()]
    costs.sort(key=lambda cost: -cost.seconds)
    return Profile(runs, median([run.end - run.start for run in recorder.runs] or [0]) / 1e9, costs)


def _cost(record: StepRecord, seconds: float, share: float) -> Cost:
    step, outputs = record.step, record.outputs
    count = flops(step, record.inputs, outputs)
    return Cost(step.op, step.kind, seconds, share, _shown(outputs), record.bytes, count)


def _shown(shapes: Sequence[Sizes]) -> str:
    return ", ".join(str(list(shape)) for shape in shapes)


# Traces


@contextmanager
def tracing(executor: Executor, path: Path) -> Generator[None]:
    """Write a trace of the runs within the block."""
    with made_folder(path).open("w", encoding="utf-8") as file, recording(executor) as recorder:
        try:
            yield
        finally:
            json.dump({"traceEvents": _events(recorder), "displayTimeUnit": "ms"}, file)


def _events(recorder: Recorder) -> list[dict[str, Any]]:
    """The events in Chrome's format."""
    runs = [_event(f"run {number}", "run", *run, {}) for number, run in enumerate(recorder.runs)]
    return [*runs, *map(_step_event, recorder.steps)]


def _step_event(record: StepRecord) -> dict[str, Any]:
    step = record.step
    count = flops(step, record.inputs, record.outputs)
    rate = {} if count is None else {"flops": count, "GFLOP/s": round(count / max(record.end - record.start, 1), 3)}
    details = {
        "name": step.op.name,
        "inputs": _shown(record.inputs),
        "outputs": _shown(record.outputs),
        "bytes": record.bytes,
        **rate,
        "created at": step.op.created_at,
    }
    return _event(step.kind, "operation", record.start, record.end, details)


def _event(name: str, kind: str, start: int, end: int, details: Mapping[str, object]) -> dict[str, Any]:
    times = {"ts": start / 1e3, "dur": (end - start) / 1e3}  # in microseconds
    place = {"pid": os.getpid(), "tid": threading.get_native_id()}
    return {"name": name, "cat": kind, "ph": "X", **times, **place, "args": details}
