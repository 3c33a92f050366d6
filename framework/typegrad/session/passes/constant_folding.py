"""Constant folding: what depends on constants alone is computed once for the plan."""

from __future__ import annotations

from typegrad.session.binding import compute
from typegrad.session.steps import Step, Steps

__all__ = ["fold_constants"]


def fold_constants(steps: Steps) -> int:
    """Compute the steps whose inputs are known, unless they draw numbers or touch state."""
    constants = steps.constants
    is_known = constants.__contains__
    live: list[Step] = []
    for step in steps.steps:
        if step.op.definition.effect or not all(map(is_known, step.inputs)):
            live.append(step)
            continue
        for output, value in zip(step.op.outputs, compute(step.op, constants), strict=True):
            steps.know(output, value)
    folded = len(steps.steps) - len(live)
    steps.steps = live
    return folded
