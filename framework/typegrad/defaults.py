"""Inputs that may be left out: functions that make the operand, or the Python integers, that then take their place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typegrad.graph.operand import Output
    from typegrad.graph.scope import Scope

__all__ = ["all_axes", "reversed_axes"]


def all_axes(scope: Scope, inputs: Sequence[Any]) -> tuple[int, ...] | Output[Any, Any]:
    """Every axis of the first input."""
    rank = inputs[0].rank
    return tuple(range(rank)) if rank is not None else _range(scope, inputs[0], 0, None, 1)


def reversed_axes(scope: Scope, inputs: Sequence[Any]) -> tuple[int, ...] | Output[Any, Any]:
    """Every axis of the first input, the last one first."""
    rank = inputs[0].rank
    return tuple(reversed(range(rank))) if rank is not None else _range(scope, inputs[0], None, -1, -1)


def _range(scope: Scope, x: Output[Any, Any], start: int | None, limit: int | None, delta: int) -> Output[Any, Any]:
    """A range of axes. None: the rank as `limit`, the last axis as `start`."""
    from typegrad.graph.tensors import constant
    from typegrad.op.core import Range, Rank
    from typegrad.op.math import Sub

    rank = Rank.create(scope.with_name("rank"), x)
    first = Sub.create(scope.with_name("last"), rank, constant(scope.with_name("one"), 1)) if start is None else start
    return Range.create(scope, first, rank if limit is None else limit, delta).as_output()
