"""Gradients of `ops/selection.yaml`."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypeVar

from typegrad.base.types import TComplex, TFloating, TInt16, TInt32
from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import ClipByValue, GatherNd, Reshape, ScatterNd, Select
from typegrad.op.dtypes import Cast
from typegrad.op.math import Greater, Less, LogicalOr
from typegrad.rules.arrays import shape_of
from typegrad.rules.broadcasting import sum_to_shape
from typegrad.rules.common import Gradients, scalar_like
from typegrad.rules.slicing import rows_of

N = TypeVar("N", bound=TFloating | TComplex)
F = TypeVar("F", bound=TFloating)


def gather_nd(scope: Scope, op: GatherNd[N], grad: Output[N]) -> Gradients:
    """Each element has the sum of the gradients of all places it was taken to. Whole rows are left as rows."""
    params, indices, policy = op.inputs.params, op.inputs.indices, op.inputs.bad_indices_policy
    dims = indices.shape.dims
    if dims is not None and len(dims) == 2 and dims[1] == 1 and policy != "IGNORE":
        return rows_of(scope, params, Reshape.create(scope, indices, [-1]).as_output(), grad)
    if indices.dtype is TInt16:  # in which a shape may not fit
        indices = Cast.create(scope, indices, TInt32).as_output()
    shape: Any = shape_of(scope, params, indices.dtype)
    return ScatterNd.create(scope, indices, grad, shape, bad_indices_policy=policy)


def scatter_nd(scope: Scope, op: ScatterNd[N], grad: Output[N]) -> Gradients:
    """Each update has the gradient of the place it was added to."""
    return GatherNd.create(scope, grad, op.inputs.indices, bad_indices_policy=op.inputs.bad_indices_policy)


def clip_by_value(scope: Scope, op: ClipByValue[F], grad: Output[F]) -> Gradients:
    """A value within the bounds, or at them, has the gradient; outside, the bound has it."""
    t, low, high = op.inputs.t, op.inputs.clip_value_min, op.inputs.clip_value_max
    zero = scalar_like(scope, 0, grad)
    is_low, is_high = Less.create(scope, t, low), Greater.create(scope, t, high)

    def bound(where: Operand[Any, Any], target: Output[F]) -> Operand[F]:
        return sum_to_shape(scope, Select.create(scope, where, grad, zero).as_output(), target)

    return (
        lambda: Select.create(scope, LogicalOr.create(scope, is_low, is_high), zero, grad),
        lambda: bound(is_low, low),
        lambda: bound(is_high, high),
    )
