"""Accumulating the gradients of an operand over its uses."""

from __future__ import annotations

from collections.abc import Sequence

from typegrad.base.types import TInt64
from typegrad.graph.indexed_slices import AnyIndexedSlices, IndexedSlices
from typegrad.graph.operand import AnyOperand, AnyOutput
from typegrad.graph.scope import Scope

__all__ = ["add_up"]


def add_up(scope: Scope, parts: Sequence[AnyOutput | AnyIndexedSlices]) -> AnyOutput | AnyIndexedSlices:
    """The sum; if every part is an `IndexedSlices`, their rows concatenated."""
    from typegrad.op.math import AddN

    rows = [part for part in parts if isinstance(part, IndexedSlices)]
    if len(rows) == len(parts):
        return _joined(scope, rows)
    return AddN.create(scope, [part.as_output() for part in parts]).as_output()


def _joined(scope: Scope, parts: Sequence[AnyIndexedSlices]) -> AnyIndexedSlices:
    from typegrad.op.core import Concat

    values = Concat.create(scope, [part.values for part in parts], 0)
    indices = Concat.create(scope, _one_type(scope, [part.indices for part in parts]), 0)
    return IndexedSlices(scope, values, indices, parts[0].rows, parts[0].shape)


def _one_type(scope: Scope, indices: Sequence[AnyOutput]) -> list[AnyOperand]:
    """The indices unchanged if all have the same type, otherwise as int64."""
    from typegrad.op.dtypes import Cast

    if len({index.dtype for index in indices}) == 1:
        return list(indices)
    return [Cast.create(scope, index, TInt64) for index in indices]
