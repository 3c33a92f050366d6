"""Constant folding: what depends on constants alone is computed once for the plan."""

from __future__ import annotations

from typegrad.base.quiet import quietly
from typegrad.session.binding import compute
from typegrad.session.specialize import is_open
from typegrad.session.steps import Step, Steps

__all__ = ["fold_constants"]


def fold_constants(steps: Steps) -> int:
    """Compute the steps whose inputs are known, unless they draw numbers or touch state."""
    return quietly(_fold, steps)


def _fold(steps: Steps) -> int:
    known = set(steps.constants)
    are_known = known.issuperset
    live: list[Step] = []
    for step in steps.steps:
        if are_known(step.inputs) and not step.definition.effect:
            results = compute(step.op, steps.constants, is_checked=is_open(step.op))
            for output, value in zip(step.outputs, results, strict=True):
                steps.know(output, value)
                if output not in steps.fed:
                    known.add(output)
        else:
            live.append(step)
    folded = len(steps.steps) - len(live)
    steps.steps = live
    return folded
