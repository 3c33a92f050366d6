"""Fusion: operations on each element by itself become groups, which large arrays go through block by block."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, final

from typegrad.session.binding import expression_of
from typegrad.session.fused import FusedKernel
from typegrad.session.steps import Step, Steps
from typegrad.session.ufuncs import Call, FixedOperand

if TYPE_CHECKING:
    from typegrad.graph.operand import AnyOutput
    from typegrad.graph.operation import Operation
    from typegrad.session.ufuncs import Expression

__all__ = ["fuse"]


def fuse(steps: Steps, checked: Collection[Operation]) -> list[Step]:
    """The steps in an order in which all of a group can run at once, with a step for each group.

    Args:
        steps: The steps of the plan, which stay as they are.
        checked: The operations whose inputs are checked in the run; they stay alone.
    """
    return _Fusion(steps, checked).fused() if steps.large else steps.steps


@final
class _Group:
    """Steps that run at the place of the last of them: nobody else has taken a value of theirs yet."""

    def __init__(self) -> None:
        self.steps: list[Step] = []


@final
class _Fusion:
    def __init__(self, steps: Steps, checked: Collection[Operation]) -> None:
        self._steps = steps
        self._checked = checked
        self._open: dict[AnyOutput, _Group] = {}
        """The group of each value, until somebody outside takes one of its values."""
        self._uses: dict[AnyOutput, int] = {}
        self._expressions: dict[Step, Expression] = {}
        self._fused: list[Step] = []

    def fused(self) -> list[Step]:
        """All steps."""
        fusible = {step: calls for step in self._steps.steps if (calls := self._fusible(step)) is not None}
        if len(fusible) < 2:
            return self._steps.steps
        self._expressions = fusible
        for step in self._steps.steps:
            for output in step.inputs:
                self._uses[output] = self._uses.get(output, 0) + 1
        for output in self._steps.fetches:
            self._uses[output] = self._uses.get(output, 0) + 1
        for step in self._steps.steps:
            groups = self._joined(step) if step in fusible else []
            if self._open:
                self._close([group for group in map(self._open.get, step.inputs) if group not in groups])
            if step not in fusible:
                self._fused.append(step)
                continue
            group = groups[0] if groups else _Group()
            for other in groups[1:]:
                group.steps.extend(other.steps)
            group.steps.append(step)
            for member in group.steps if len(groups) > 1 else [step]:
                self._open[member.outputs[0]] = group
        self._close(list(self._open.values()))
        return self._fused

    def _fusible(self, step: Step) -> Expression | None:
        if step.kernel is not None or not step.definition.has_one_output or step.outputs[0] not in self._steps.large:
            return None
        return None if step.op in self._checked or step.outputs[0] in self._steps.fed else expression_of(step.op)

    def _joined(self, step: Step) -> list[_Group]:
        """The groups of the inputs that a step can join: those whose values have its shape, as far as it is known."""
        dims = step.outputs[0].shape.dims
        groups: list[_Group] = []
        for output in step.inputs:
            group = self._open.get(output)
            if group is not None and output.shape.dims == dims and group not in groups:
                groups.append(group)
        return groups

    def _close(self, groups: Iterable[_Group | None]) -> None:
        for group in dict.fromkeys(groups):
            if group is not None:
                for step in group.steps:
                    del self._open[step.outputs[0]]
                self._fused.append(self._merged(sorted(group.steps, key=lambda step: step.op.id)))

    def _merged(self, members: list[Step]) -> Step:
        """One step for all of a group."""
        if len(members) == 1:
            return members[0]
        inside = {member.outputs[0] for member in members}
        used: dict[AnyOutput, int] = {}
        for member in members:
            for output in member.inputs:
                used[output] = used.get(output, 0) + 1
        inputs = [output for output in used if output not in inside]
        where = {output: position for position, output in enumerate(inputs)}
        calls: list[Call] = []
        owners: list[Operation] = []
        for member in members:
            start = len(inputs) + len(calls)
            arguments = [where[output] for output in member.inputs]
            for call in self._expressions[member]:
                operands = tuple([_moved(each, arguments, start) for each in call.operands])
                calls.append(call._replace(operands=operands))
                owners.append(member.op)
            where[member.outputs[0]] = len(inputs) + len(calls) - 1
        outputs = [output for output in inside if self._uses.get(output, 0) > used.get(output, 0)]
        outputs.sort(key=lambda output: output.op.id)
        fused = FusedKernel(calls, len(inputs), [where[output] for output in outputs], self._steps.arrays)
        return Step(members[-1].op).merged(fused, tuple(inputs), tuple(outputs), owners)


def _moved(operand: int | FixedOperand, arguments: list[int], start: int) -> int | FixedOperand:
    """A position in the calls of a member as one in the calls of the group."""
    if not isinstance(operand, int):
        return operand
    return arguments[operand] if operand < len(arguments) else start + operand - len(arguments)
