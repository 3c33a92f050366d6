"""Rows of tables: gradients that have only some rows, and updates of only some rows of a variable."""

from __future__ import annotations

from typing import Any

from typegrad.graph.indexed_slices import IndexedSlices
from typegrad.graph.operand import AnyOperand, F
from typegrad.graph.scope import Scope
from typegrad.graph.variable import AnyVariable
from typegrad.graph.wrapper import Op
from typegrad.op._ops import Ops
from typegrad.op.core import Unique

__all__ = ["replace_rows", "subtract_rows", "sum_duplicates", "with_values"]


def sum_duplicates(scope: Scope, slices: IndexedSlices[F, Any]) -> IndexedSlices[F, Any]:
    """The same gradient with each index listed once, as norms, squares and other nonlinear functions need it."""
    if slices.indices.op.type == Unique.OP_NAME and slices.indices.index == 0:
        return slices
    tf = Ops.create(scope).with_sub_scope("sum_duplicates")
    unique = tf.unique(slices.indices, [0])
    total = tf.math.unsorted_segment_sum(slices.values, unique.idx, tf.size(unique.y))
    return IndexedSlices(tf.scope, total, unique.y, slices.rows, slices.shape)


def with_values(scope: Scope, slices: IndexedSlices[Any, Any], values: AnyOperand) -> IndexedSlices[Any, Any]:
    """The same rows with other values."""
    return IndexedSlices(scope, values, slices.indices, slices.rows, slices.shape)


def subtract_rows(scope: Scope, variable: AnyVariable, rows: AnyOperand, values: AnyOperand) -> Op:
    """Subtract `values` from the given rows; repeated rows accumulate."""
    return Ops.create(scope).resource_scatter_sub(variable.handle, rows, values)


def replace_rows(scope: Scope, variable: AnyVariable, rows: AnyOperand, values: AnyOperand) -> Op:
    """Replace the given rows, which must be distinct, by `values`."""
    return Ops.create(scope).resource_scatter_update(variable.handle, rows, values)
