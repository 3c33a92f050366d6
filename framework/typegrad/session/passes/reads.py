"""Reads of variables that need not keep what they read, so that a later update of some rows copies only those rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from typegrad.session.steps import Steps

if TYPE_CHECKING:
    from typegrad.base.array import Array
    from typegrad.base.variable_state import VariableState
    from typegrad.graph.operand import AnyOutput

__all__ = ["borrow_reads"]

_COPYING: Final = frozenset({"BatchMatMulV3", "GatherV2", "MatMul"})
"""Operations whose results share no memory with their inputs, and that are in no group, so that they stay in order."""


def borrow_reads(steps: Steps) -> int:
    """Let reads hand out the value itself if whoever takes it is done before the next operation that writes.

    Only where the run writes, and so has the variables for itself.
    """
    if "ReadVariableOp" not in steps.types or all(step.definition.effect != "write" for step in steps.steps):
        return 0
    keeping = _keeping(steps)
    reads = [step for step in steps.steps if step.definition.name == "ReadVariableOp"]
    borrowing = [step for step in reads if step.outputs[0] not in keeping and step.outputs[0] not in steps.fed]
    for step in borrowing:
        step.kernel = _borrow
    return len(borrowing)


def _keeping(steps: Steps) -> set[AnyOutput]:
    """The values that somebody may still see after the next operation that writes."""
    keeping = set(steps.fetches)
    needed_later: set[AnyOutput] = set()
    for step in reversed(steps.steps):
        if step.definition.effect == "write":
            keeping |= needed_later
        if step.definition.name not in _COPYING:
            keeping.update(step.inputs)
        needed_later.update(step.inputs)
        needed_later.difference_update(step.outputs)
    return keeping


def _borrow(state: VariableState) -> Array:
    return state.borrow()
