"""What is known of a step before the run."""

from __future__ import annotations

from typegrad.base.types import TBool, TIntegral
from typegrad.graph.definition import leaves
from typegrad.graph.operand import AnyOutput
from typegrad.session.steps import Step, Steps

__all__ = ["is_settled", "order_of"]


def is_settled(steps: Steps, step: Step) -> bool:
    """Whether the graph knows all that the shape function asks for, so that the inputs cannot be refused in a run."""
    return all(_is_settled(steps, output) for output in step.op.inputs)


def _is_settled(steps: Steps, output: AnyOutput) -> bool:
    if not output.shape.is_static:
        return False
    if output.dtype not in leaves(TIntegral, TBool):
        return True
    known = output.static_value
    return output not in steps.fed and (
        isinstance(known, int) or (isinstance(known, tuple) and all(isinstance(each, int) for each in known))
    )


def order_of(steps: Steps, step: Step) -> tuple[int, ...] | None:
    """The permutation of a Transpose, if it is known before the run, and known to fit."""
    x, perm = step.op.inputs
    known = perm.static_value
    if x.shape.rank is None or not isinstance(known, tuple) or perm in steps.fed:
        return None
    order = tuple(axis % len(known) for axis in known if isinstance(axis, int))
    return order if len(order) == x.shape.rank else None
