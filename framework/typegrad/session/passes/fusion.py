"""Fusion: operations on each element by itself become groups, which large arrays go through block by block.

A reduction of the last axis that keeps it with size 1 can be in a group, too: blocks have whole rows then.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, final

from typegrad.base.types import TComplex
from typegrad.session.binding import expression_of
from typegrad.session.fused import FusedKernel, blocks_pay
from typegrad.session.rows import reduction_of_rows
from typegrad.session.steps import Step, Steps
from typegrad.session.ufuncs import Call, FixedOperand
from typegrad.session.updates import update_kernel

if TYPE_CHECKING:
    from typegrad.base.shape import Dim
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
    fused = _Fusion(steps, checked).fused() if steps.large else steps.steps
    return [step if step.op in checked else _updating(steps, step) for step in fused]


def _updating(steps: Steps, step: Step) -> Step:
    """The step; if it updates large variables, by a group."""
    kernel = update_kernel(step.op, steps.arrays) if step.definition.effect == "write" else None
    return step if kernel is None else Step(step.op).merged(kernel, step.inputs, step.outputs, [step.op])


_Dims: TypeAlias = "tuple[Dim, ...] | None"


@final
class _Group:
    """Steps that run at the place of the last of them: nobody else has taken a value of theirs yet."""

    def __init__(self, dims: _Dims) -> None:
        self.steps: list[Step] = []
        self.dims = dims
        """The shape that the steps work on. Their results have it, or are a column of it."""


class _Member(NamedTuple):
    """What a group needs to know of a step."""

    calls: Expression
    inputs: tuple[AnyOutput, ...]
    """What the calls take."""
    dims: _Dims
    """The shape that the calls work on."""
    is_large: bool
    """Whether that may be large. A step of small arrays, such as columns, does not begin a group."""


@final
class _Fusion:
    def __init__(self, steps: Steps, checked: Collection[Operation]) -> None:
        self._steps = steps
        self._checked = checked
        self._open: dict[AnyOutput, _Group] = {}
        """The group of each value, until somebody outside takes one of its values."""
        self._uses: dict[AnyOutput, int] = {}
        self._members: dict[Step, _Member] = {}
        self._fused: list[Step] = []

    def fused(self) -> list[Step]:
        """All steps."""
        members = {step: member for step in self._steps.steps if (member := self._member(step)) is not None}
        if not members:
            return self._steps.steps
        self._members = members
        for step in self._steps.steps:
            for output in step.inputs:
                self._uses[output] = self._uses.get(output, 0) + 1
        for output in self._steps.fetches:
            self._uses[output] = self._uses.get(output, 0) + 1
        for step in self._steps.steps:
            member = members.get(step)
            groups = [] if member is None else self._joined(member)
            if self._open:
                self._close([group for group in map(self._open.get, step.inputs) if group not in groups])
            if member is None or not (groups or member.is_large):
                self._fused.append(step)
                continue
            group = groups[0] if groups else _Group(member.dims)
            for other in groups[1:]:
                group.steps.extend(other.steps)
            group.steps.append(step)
            for each in group.steps if len(groups) > 1 else [step]:
                self._open[each.outputs[0]] = group
        self._close(list(self._open.values()))
        return self._fused

    def _member(self, step: Step) -> _Member | None:
        """The calls of a step that may be in a group."""
        if not step.is_itself or not step.definition.has_one_output or not step.inputs:
            return None
        op, result, dims = step.op, step.outputs[0], step.outputs[0].shape.dims
        if op in self._checked or result in self._steps.fed:
            return None
        if self._steps.may_be_large(step.inputs[0]):
            calls = reduction_of_rows(op, self._steps.constants)
            if calls is not None:
                return _Member(calls, step.inputs[:1], step.inputs[0].shape.dims, is_large=True)
        is_large = result in self._steps.large
        if not dims and issubclass(result.dtype, TComplex):  # operators round products of scalars otherwise
            return None
        calls = expression_of(op) if is_large or _is_column(dims) else None
        return None if calls is None else _Member(calls, step.inputs, dims, is_large=is_large)

    def _joined(self, member: _Member) -> list[_Group]:
        """The groups of the inputs that a step can join: those that work on the same shape, as far as it is known."""
        groups: list[_Group] = []
        for output in member.inputs:
            group = self._open.get(output)
            if group is None or group in groups or (groups and group.dims != groups[0].dims):
                continue
            is_whole = member.dims == group.dims and output.shape.dims in (group.dims, _column(group.dims))
            if is_whole or (output.shape.dims == member.dims == _column(group.dims)):
                groups.append(group)
        return groups

    def _close(self, groups: Iterable[_Group | None]) -> None:
        for group in dict.fromkeys(groups):
            if group is not None:
                for step in group.steps:
                    del self._open[step.outputs[0]]
                self._fused.append(self._merged(sorted(group.steps, key=lambda step: step.op.id), group.dims))

    def _pays(self, step: Step) -> bool:
        """Whether a group of one step takes less time in blocks."""
        return self._steps.is_large(step.outputs[0]) and blocks_pay(self._members[step].calls)

    def _merged(self, members: list[Step], dims: _Dims) -> Step:
        """One step for all of a group."""
        if len(members) == 1 and not self._pays(members[0]):
            return members[0]
        inside = {member.outputs[0] for member in members}
        used: dict[AnyOutput, int] = {}
        for member in members:
            for output in self._members[member].inputs:
                used[output] = used.get(output, 0) + 1
        inputs = [output for output in used if output not in inside]
        where = {output: position for position, output in enumerate(inputs)}
        calls: list[Call] = []
        owners: list[Operation] = []
        for member in members:
            start = len(inputs) + len(calls)
            arguments = [where[output] for output in self._members[member].inputs]
            for call in self._members[member].calls:
                operands = tuple([_moved(each, arguments, start) for each in call.operands])
                calls.append(call._replace(operands=operands))
                owners.append(member.op)
            where[member.outputs[0]] = len(inputs) + len(calls) - 1
        outputs = [output for output in inside if self._uses.get(output, 0) > used.get(output, 0)]
        outputs.sort(key=lambda output: output.op.id)
        positions = [where[output] for output in outputs]
        columns = _columns(inputs, calls, dims)
        fused = FusedKernel(calls, len(inputs), positions, self._steps.arrays, columns)
        return Step(members[-1].op).merged(fused, tuple(inputs), tuple(outputs), owners)


def _is_column(dims: _Dims) -> bool:
    return dims is not None and len(dims) > 1 and dims[-1] == 1


def _column(dims: _Dims) -> _Dims:
    """The shape of what has one element for each row; None if it cannot be told from other shapes."""
    return None if dims is None or len(dims) < 2 else (*dims[:-1], 1)


def _columns(inputs: Sequence[AnyOutput], calls: Sequence[Call], dims: _Dims) -> frozenset[int]:
    """The positions of columns in a group that makes some; in another it does not matter what they are."""
    if not any(call.is_reduction for call in calls):
        return frozenset()
    columns = {position for position, output in enumerate(inputs) if output.shape.dims == _column(dims)}
    single = {position for position, output in enumerate(inputs) if output.shape.size == 1}
    for position, call in enumerate(calls, len(inputs)):
        operands = {each for each in call.operands if isinstance(each, int)}
        if call.is_reduction or (not columns.isdisjoint(operands) and operands <= columns | single):
            columns.add(position)
    return frozenset(columns)


def _moved(operand: int | FixedOperand, arguments: list[int], start: int) -> int | FixedOperand:
    """A position in the calls of a member as one in the calls of the group."""
    if not isinstance(operand, int):
        return operand
    return arguments[operand] if operand < len(arguments) else start + operand - len(arguments)
