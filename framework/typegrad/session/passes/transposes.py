"""Transpositions of matrices, taken over by the matrix products that they go into."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from typegrad.base.types import TComplex
from typegrad.session.passes.settled import is_settled, order_of
from typegrad.session.steps import Step, Steps

if TYPE_CHECKING:
    from typegrad.graph.operand import AnyOutput

__all__ = ["absorb_transposes"]

_FLAGS: Final = {"MatMul": ("transpose_a", "transpose_b"), "BatchMatMulV3": ("adj_x", "adj_y")}
"""The attributes that transpose the inputs of a product."""


def absorb_transposes(steps: Steps) -> int:
    """Replace transpositions by flags of the products that take their results."""
    if "Transpose" not in steps.types:
        return 0
    transposed: dict[AnyOutput, AnyOutput] = {}
    changed = 0
    for step in steps.steps:
        kind = step.definition.name
        if kind == "Transpose" and step.outputs[0] not in steps.fed and _swaps_matrices(order_of(steps, step)):
            transposed[step.outputs[0]] = step.inputs[0]
        elif kind in _FLAGS and not transposed.keys().isdisjoint(step.inputs):
            changed += _absorb(steps, step, transposed)
    return changed


def _swaps_matrices(order: tuple[int, ...] | None) -> bool:
    return order is not None and len(order) >= 2 and order == (*range(len(order) - 2), len(order) - 1, len(order) - 2)


def _absorb(steps: Steps, step: Step, transposed: dict[AnyOutput, AnyOutput]) -> bool:
    """Read the inputs before their transposition, if the shapes are settled and the flags do not conjugate."""
    op = step.op
    if not is_settled(steps, step) or (
        op.type == "BatchMatMulV3" and any(issubclass(x.dtype, TComplex) for x in op.inputs)
    ):
        return False
    step.changed = {
        flag: op.attrs[flag] != (output in transposed)
        for flag, output in zip(_FLAGS[op.type], step.inputs, strict=True)
    }
    step.inputs = tuple([transposed.get(output, output) for output in step.inputs])
    return True
