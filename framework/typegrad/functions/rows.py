"""Sparse gradients: rows of a table, summed where an index occurs again."""

from __future__ import annotations

from typing import Any

from typegrad.graph.indexed_slices import IndexedSlices
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.graph.variable import Variable
from typegrad.graph.wrapper import Op
from typegrad.op.core import ResourceGather, ResourceScatterSub, ResourceScatterUpdate, Size, Unique
from typegrad.op.math import UnsortedSegmentSum

__all__ = ["gather", "replace_rows", "subtract_rows", "sum_duplicates", "with_values"]


def sum_duplicates(scope: Scope, slices: IndexedSlices[Any, Any]) -> IndexedSlices[Any, Any]:
    """The same gradient with each index once: what does not just add rows up, such as a norm or a square, needs it so."""
    if slices.indices.op.type == Unique.OP_NAME and slices.indices.index == 0:
        return slices
    scope = scope.with_sub_scope("sum_duplicates")
    unique = Unique.create(scope, slices.indices, [0])
    total = UnsortedSegmentSum.create(scope, slices.values, unique.idx, Size.create(scope, unique.y))
    return IndexedSlices(scope, total, unique.y, slices.rows, slices.shape)


def with_values(scope: Scope, slices: IndexedSlices[Any, Any], values: Operand[Any, Any]) -> IndexedSlices[Any, Any]:
    """Other values for the same rows."""
    return IndexedSlices(scope, values, slices.indices, slices.rows, slices.shape)


def gather(scope: Scope, variable: Variable[Any, Any], rows: Operand[Any, Any]) -> Operand[Any, Any]:
    """These rows of a variable, read at their own cost."""
    return ResourceGather.create(scope, variable.handle, rows, variable.dtype)


def subtract_rows(scope: Scope, variable: Variable[Any, Any], rows: Operand[Any, Any], values: Operand[Any, Any]) -> Op:
    """Subtract from these rows; from one that occurs again, again."""
    return ResourceScatterSub.create(scope, variable.handle, rows, values)


def replace_rows(scope: Scope, variable: Variable[Any, Any], rows: Operand[Any, Any], values: Operand[Any, Any]) -> Op:
    """Replace these rows, none of which may occur again."""
    return ResourceScatterUpdate.create(scope, variable.handle, rows, values)
