"""`Explanation`: what a run does, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Final, final

import numpy as np
from attrs import frozen

from typegrad.graph.explain import known_as
from typegrad.session.flops import flops
from typegrad.session.fused import FusedKernel

if TYPE_CHECKING:
    from typegrad.graph.operand import AnyOutput
    from typegrad.session.plan import Plan
    from typegrad.session.steps import Step

__all__ = ["ExplainedStep", "Explanation", "explained_plan"]

_FUSED: Final = "fused"


@frozen
class ExplainedStep:
    """One step of a run."""

    name: str
    """The operation, or the last one of a group; the variable that is read."""
    operations: tuple[str, ...]
    """The types of the operations that it does."""
    kernel: str
    """What is called: a ufunc of NumPy, "fused" for a group, or a kernel of typegrad."""
    outputs: tuple[str, ...]
    """The type and shape of each result."""
    bytes: int | None
    """The size of the results; None if a shape is not known before the run."""
    flops: int | None
    """The floating-point operations, if they and all shapes are known before the run."""
    line: str
    """Where the program created it."""


@final
@frozen
class Explanation:
    """What `session.run` does for some fetches and feeds; `print` shows it as a table."""

    operations: int
    """How many operations of the graph the fetches need."""
    passes: Mapping[str, int]
    """How many steps each pass has removed or changed; for fusion, how many groups there are."""
    steps: tuple[ExplainedStep, ...]
    """What is left, in order."""
    peak_bytes: int | None
    """How many bytes the results take at most at one time; None if a shape is not known before the run."""
    constant_bytes: int
    """The size of what is known before the run and still needed."""

    @property
    def bytes(self) -> int | None:
        """The size of the results of all steps; None if a shape is not known."""
        return _total(step.bytes for step in self.steps)

    @property
    def flops(self) -> int:
        """The floating-point operations that are known."""
        return sum(step.flops or 0 for step in self.steps)

    def __str__(self) -> str:
        rows = [("step", "operations", "kernel", "results", "bytes", "FLOP", "created at")]
        rows.extend(
            (step.name, " ".join(step.operations), step.kernel, ", ".join(step.outputs))
            + (_number(step.bytes), _number(step.flops) if step.flops else "", PurePath(step.line).name)
            for step in self.steps
        )
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        table = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        passes = ", ".join(f"{name} {count}" for name, count in self.passes.items()) or "none"
        head = f"{self.operations} operations, {len(self.steps)} steps; passes: {passes}"
        last = (
            f"in all: {_number(self.bytes)} bytes, at most {_number(self.peak_bytes)} at one time; constants: "
            f"{_number(self.constant_bytes)} bytes; {_number(self.flops)} FLOP that are known"
        )
        return "\n".join([head, *table, last])


def _number(value: int | None) -> str:
    return "unknown" if value is None else f"{value:,}"


def explained_plan(plan: Plan, steps: Sequence[Step]) -> Explanation:
    """What a plan runs.

    Args:
        plan: The plan.
        steps: Its steps as they are executed, groups fused.
    """
    groups = sum(isinstance(step.kernel, FusedKernel) for step in steps)
    fusion = {"fusion": groups} if "fusion" in plan.passes else {}
    used = {output for step in steps for output in step.inputs}.union(plan.steps.fetches)
    constants = [value for output, value in plan.steps.constants.items() if output in used]
    return Explanation(
        operations=len(plan.operations),
        passes=plan.steps.changes | fusion,
        steps=tuple(map(_explained_step, steps)),
        peak_bytes=_peak(steps, plan.steps.fetches),
        constant_bytes=sum(value.nbytes for value in constants if isinstance(value, (np.ndarray, np.generic))),
    )


def _explained_step(step: Step) -> ExplainedStep:
    kernel, (name, line) = step.bound(), known_as(step.op)
    return ExplainedStep(
        name=name,
        operations=tuple(op.type for op in step.operations),
        kernel=f"numpy.{kernel.__name__}" if isinstance(kernel, np.ufunc) else _FUSED if step.owners else "typegrad",
        outputs=tuple(f"{output.dtype.name} {output.shape}" for output in step.outputs),
        bytes=_total(map(_bytes, step.outputs)),
        flops=_flops(step),
        line=line,
    )


def _bytes(output: AnyOutput) -> int | None:
    size = output.shape.size
    return None if size is None else size * output.dtype.numpy.itemsize


def _total(sizes: Iterable[int | None]) -> int | None:
    known = list(sizes)
    return None if None in known else sum(size for size in known if size is not None)


def _flops(step: Step) -> int | None:
    inputs, outputs = list(_sizes(step.inputs)), list(_sizes(step.outputs))
    is_known = len(inputs) == len(step.inputs) and len(outputs) == len(step.outputs)
    return flops(step, inputs, outputs) if is_known else None


def _sizes(outputs: Iterable[AnyOutput]) -> Iterator[tuple[int, ...]]:
    """The shapes that are known before the run."""
    return (output.shape.as_ints() for output in outputs if output.shape.is_static)


def _peak(steps: Sequence[Step], fetches: Sequence[AnyOutput]) -> int | None:
    """The most bytes of results that are needed at one time."""
    last_use = {output: step for step in steps for output in (*step.outputs, *step.inputs)}
    alive: dict[AnyOutput, int] = {}
    peak = 0
    for step in steps:
        for output in step.outputs:
            size = _bytes(output)
            if size is None:
                return None
            alive[output] = size
        peak = max(peak, sum(alive.values()))
        for output in (*step.inputs, *step.outputs):
            if last_use[output] is step and output not in fetches:
                alive.pop(output, None)
    return peak
