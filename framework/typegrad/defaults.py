"""Defaults of inputs: functions that make the operand, or the Python integers, for an input that is left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typegrad.graph.operand import AnyOperand, AnyOutput
    from typegrad.graph.scope import Scope

__all__ = ["all_axes", "reversed_axes"]


def all_axes(scope: Scope, inputs: Sequence[Any]) -> tuple[int, ...] | AnyOutput:
    """Every axis of the first input."""
    from typegrad.op.core import Range

    x = inputs[0]
    return tuple(range(x.rank)) if x.rank is not None else Range.create(scope, 0, _rank(scope, x), 1).as_output()


def reversed_axes(scope: Scope, inputs: Sequence[Any]) -> tuple[int, ...] | AnyOutput:
    """Every axis of the first input, in descending order."""
    from typegrad.op.core import Range
    from typegrad.op.math import Sub

    x = inputs[0]
    if x.rank is not None:
        return tuple(reversed(range(x.rank)))
    last = Sub.create(scope.with_name("last"), _rank(scope, x), 1)
    return Range.create(scope, last, -1, -1).as_output()


def _rank(scope: Scope, x: AnyOperand) -> AnyOperand:
    from typegrad.op.core import Rank

    return Rank.create(scope.with_name("rank"), x)
