"""Broadcasts, left to the operations on each element that they go into, which broadcast by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typegrad.session.binding import expression_of
from typegrad.session.passes.settled import is_settled
from typegrad.session.steps import Step, Steps

if TYPE_CHECKING:
    from typegrad.graph.operand import AnyOutput

__all__ = ["absorb_broadcasts"]


def absorb_broadcasts(steps: Steps) -> int:
    """Let operations read what was broadcast, if another input has the shape of the result."""
    if "BroadcastTo" not in steps.types:
        return 0
    stretched: dict[AnyOutput, AnyOutput] = {}
    changed = 0
    for step in steps.steps:
        if step.definition.name == "BroadcastTo":
            if step.outputs[0] not in steps.fed and is_settled(steps, step):
                stretched[step.outputs[0]] = step.inputs[0]
        elif not stretched.keys().isdisjoint(step.inputs) and _broadcasts(step, stretched):
            step.inputs = tuple([stretched.get(output, output) for output in step.inputs])
            changed += 1
    return changed


def _broadcasts(step: Step, stretched: dict[AnyOutput, AnyOutput]) -> bool:
    """Whether a step computes each element by itself, and gets the shape of its result from other inputs."""
    if not step.is_itself or not step.definition.has_one_output or expression_of(step.op) is None:
        return False
    shape = step.outputs[0].shape
    return shape.is_static and any(output.shape == shape for output in step.inputs if output not in stretched)
