"""Recording the steps of runs."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, final

import numpy as np

if TYPE_CHECKING:
    from typegrad.session.executor import Executor
    from typegrad.session.program import Kernel, Program
    from typegrad.session.steps import Step

__all__ = ["RECORDER", "Recorder", "RunRecord", "Sizes", "StepRecord", "recording"]

Sizes: TypeAlias = tuple[int, ...]


class StepRecord(NamedTuple):
    """One execution of a step; times are in nanoseconds."""

    run: int
    step: Step
    start: int
    end: int
    inputs: Sequence[Sizes]
    outputs: Sequence[Sizes]
    bytes: int


class RunRecord(NamedTuple):
    """One run; times are in nanoseconds."""

    start: int
    end: int


@final
class Recorder:
    """Records the steps that a session runs in one thread."""

    def __init__(self, owner: Executor) -> None:
        """Begin now."""
        self.owner: Final = owner
        self.steps: Final[list[StepRecord]] = []
        self.runs: Final[list[RunRecord]] = []
        self._watched: Final[dict[int, tuple[Program, Program]]] = {}
        """The programs by their identity, with the ones that record."""

    def watch(self, program: Program) -> Program:
        """The same program, which records its steps."""
        known = self._watched.get(id(program))
        if known is None:
            timed = program.with_kernels(lambda number, kernel: self._timed(program.steps[number], kernel))
            known = self._watched[id(program)] = (program, _RecordingProgram(timed, self.runs))
        return known[1]

    def _timed(self, step: Step, kernel: Kernel) -> Kernel:
        has_one_output = step.returns_one
        taken = kernel.nin if isinstance(kernel, np.ufunc) else None  # what comes then is where the result goes

        def call(*arguments: object) -> object:
            start = perf_counter_ns()
            result = kernel(*arguments)
            end = perf_counter_ns()
            inputs = list(_arrays(arguments[:taken]))
            outputs = list(_arrays((result,) if has_one_output else result or ()))
            size = sum(bytes for _, bytes in (*inputs, *outputs))
            shapes = [shape for shape, _ in inputs], [shape for shape, _ in outputs]
            self.steps.append(StepRecord(len(self.runs), step, start, end, *shapes, size))
            return result

        return call


@final
class _RecordingProgram:
    """A program that records its runs."""

    def __init__(self, program: Program, runs: list[RunRecord]) -> None:
        self._program: Final = program
        self._runs: Final = runs
        self.steps: Final = program.steps
        self.failing_step: Final = program.failing_step
        self.with_kernels: Final = program.with_kernels

    def run(self, arguments: Sequence[object]) -> tuple[object, ...]:
        start = perf_counter_ns()
        try:
            return self._program.run(arguments)
        finally:
            self._runs.append(RunRecord(start, perf_counter_ns()))


RECORDER: Final[ContextVar[Recorder | None]] = ContextVar("RECORDER", default=None)
"""What records the runs of this thread."""


def _arrays(values: Iterable[Any]) -> Generator[tuple[Sizes, int]]:
    """The shapes of inputs or outputs, and their bytes; a handle counts as a scalar without bytes."""
    for value in values:
        if isinstance(value, tuple):
            yield from _arrays(value)
        elif isinstance(value, (np.ndarray, np.generic)):
            yield value.shape, value.nbytes
        elif not isinstance(value, np.random.Generator):
            yield (), 0


@contextmanager
def recording(owner: Executor) -> Generator[Recorder]:
    """Record the runs of this thread within the block."""
    recorder = Recorder(owner)
    token = RECORDER.set(recorder)
    try:
        yield recorder
    finally:
        RECORDER.reset(token)
