"""Steps that no other step needs any more."""

from __future__ import annotations

from typing import Final

from typegrad.session.passes.settled import is_settled, order_of
from typegrad.session.steps import Step, Steps

__all__ = ["remove_unused"]

_TOTAL: Final = frozenset(
    {"Cast", "Conj", "Identity", "Invert", "LogicalNot", "Neg", "PreventGradient", "StopGradient"}
)
"""Operations that accept everything. The others are kept, for the errors that they may raise."""

_MAY_GO: Final = _TOTAL | {"BroadcastTo", "Reshape", "Transpose"}


def remove_unused(steps: Steps) -> int:
    """Remove steps whose values are not needed."""
    if _MAY_GO.isdisjoint(steps.types):
        return 0
    needed = set(steps.fetches)
    kept: list[Step] = []
    for step in reversed(steps.steps):
        if step.definition.name in _MAY_GO and needed.isdisjoint(step.outputs) and _may_go(steps, step):
            continue
        needed.update(step.inputs)
        kept.append(step)
    removed = len(steps.steps) - len(kept)
    steps.steps = kept[::-1]
    return removed


def _may_go(steps: Steps, step: Step) -> bool:
    kind = step.definition.name
    return step.op not in steps.targets and (
        kind in _TOTAL
        or (kind in ("BroadcastTo", "Reshape") and is_settled(steps, step))
        or (kind == "Transpose" and order_of(steps, step) is not None)
    )
