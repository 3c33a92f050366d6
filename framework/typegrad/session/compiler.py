"""`Compiler`: from the steps of a plan to a program, whose values are in numbered slots."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from typegrad.session.arrays import keep_freed_memory
from typegrad.session.buffers import passing
from typegrad.session.checked import CheckedKernel
from typegrad.session.program import UNUSED, Calls, Outputs, program

if TYPE_CHECKING:
    from typegrad.graph.operand import AnyOutput
    from typegrad.graph.operation import Operation
    from typegrad.session.plan import Plan
    from typegrad.session.program import Kernel, Program
    from typegrad.session.steps import Step

__all__ = ["Compiler"]


@final
class Compiler:
    """Numbers the slots of a plan's program. A slot is used again once its value is dead."""

    def __init__(self, plan: Plan, unproved: frozenset[Operation]) -> None:
        """For the steps of `plan`, those of `unproved` with a check of their inputs."""
        self._steps = plan.steps
        self._unproved = unproved
        self._lowered = plan.lowered(unproved)
        self._size = len(plan.feeds) + len(plan.random)
        self._slots: dict[AnyOutput, int] = {output: slot for slot, output in enumerate(plan.feeds)}
        self._generators = {op: len(plan.feeds) + number for number, op in enumerate(plan.random)}
        self._last_use: dict[AnyOutput, Step | None] = {}
        """The step after which a value is dead; None if it is fetched."""
        self._free: list[int] = []

    def compile(self) -> Program:
        """Compile a function from feeds and generators to fetches."""
        keep_freed_memory()
        steps = self._lowered
        for step in steps:
            for output in step.inputs:
                self._last_use[output] = step
        self._last_use.update(dict.fromkeys(self._steps.fetches))
        arguments = self._size
        constants = self._constants()
        calls = self._calls([self._kernel(step) for step in steps])
        for step in steps:
            calls.inputs.append(self._arguments(step))
            large = self._release(step)
            outputs = self._outputs(step)
            calls.outputs.append(outputs)
            calls.dead.append(large and _without(large, outputs))
        results = [self._slots[output] for output in self._steps.fetches]
        free = self._size - arguments - len(constants)
        return program(arguments, constants, free, calls, results, steps)

    def _kernel(self, step: Step) -> Kernel:
        kernel = self._steps.bound(step)
        return CheckedKernel(step.op, kernel) if step.op in self._unproved else kernel

    def _calls(self, kernels: list[Kernel]) -> Calls:
        """The calls of these kernels, still without slots."""
        kinds = passing(zip(self._lowered, kernels, strict=True), {*self._steps.fetches, *self._steps.fed})
        numbered = list(enumerate(self._lowered))
        lists = {number: _lengths(step.op) for number, step in numbered if step.has_lists}
        kept = {
            number: kinds[step.outputs[0]] for number, step in numbered if step.outputs and step.outputs[0] in kinds
        }
        return Calls(kernels, [], [], [], lists, kept)

    def _arguments(self, step: Step) -> tuple[int, ...]:
        """The slots of what a step takes, its generator first."""
        inputs = [self._slots[output] for output in step.inputs]
        return (self._generators[step.op], *inputs) if step.definition.effect == "random" else tuple(inputs)

    def _constants(self) -> list[object]:
        """Give the constants that somebody needs their slots, for ever."""
        constants: list[object] = []
        for output, value in self._steps.constants.items():
            if output in self._last_use:
                del self._last_use[output]
                self._slots[output] = self._size
                self._size += 1
                constants.append(value)
        return constants

    def _release(self, step: Step) -> tuple[int, ...]:
        """Free the slots of inputs that are not needed any more; return those that hold large values."""
        large: tuple[int, ...] = ()
        last_use = self._last_use
        for output in step.inputs:
            if last_use.get(output) is step:
                del last_use[output]
                slot = self._slots.pop(output)
                self._free.append(slot)
                if output in self._steps.large:
                    large += (slot,)
        return large

    def _outputs(self, step: Step) -> Outputs:
        if step.returns_one:
            return self._new(step.outputs[0])
        return tuple([self._new(output) for output in step.outputs])

    def _new(self, output: AnyOutput) -> int:
        """A free slot for a value, if somebody needs it."""
        if output not in self._last_use or output in self._steps.fed:
            return UNUSED
        if self._free:
            slot = self._free.pop()
        else:
            slot = self._size
            self._size += 1
        self._slots[output] = slot
        return slot


def _lengths(op: Operation) -> tuple[int | None, ...]:
    """The length of each list input, after the generator; None for a single value."""
    lengths = [len(group) if isinstance(group, tuple) else None for group in op.input_groups()]
    return (None, *lengths) if op.definition.effect == "random" else tuple(lengths)


def _without(slots: tuple[int, ...], outputs: Outputs) -> tuple[int, ...]:
    """The slots that did not get a result."""
    used = outputs if isinstance(outputs, tuple) else (outputs,)
    return tuple([slot for slot in slots if slot not in used])
