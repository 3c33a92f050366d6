"""Gradients of `ops/reduction.yaml`."""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np

from typegrad.base.array import Array
from typegrad.base.types import TBool, TInt32
from typegrad.graph.operand import AnyOperand, Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import Any as AnyOf
from typegrad.op.core import (
    BroadcastTo,
    Concat,
    ExpandDims,
    Gather,
    Max,
    Min,
    OneHot,
    Prod,
    Rank,
    Reshape,
    Select,
    Shape,
    Size,
    Sum,
    Where,
)
from typegrad.op.dtypes import Cast
from typegrad.op.linalg import EuclideanNorm, Transpose
from typegrad.op.math import Cumprod, Equal, InvertPermutation, Maximum, Mean
from typegrad.rules.common import F, Gradients, N, conj, real_part
from typegrad.rules.sizes import shape_of, vector

Reduction: TypeAlias = "Sum[Any] | Prod[Any] | EuclideanNorm[Any] | Max[Any] | Min[Any] | Mean[Any]"


def sum(scope: Scope, op: Sum[N], grad: Output[N]) -> Gradients:
    return spread(scope, op, grad)


def spread(scope: Scope, op: Reduction, grad: AnyOperand) -> AnyOperand:
    """Repeat each element of a reduction's output for each element that was reduced to it."""
    return BroadcastTo.create(scope, kept(scope, op, grad), shape_of(scope, op.inputs.input))


def kept(scope: Scope, op: Reduction, y: AnyOperand) -> AnyOperand:
    """`y`, of the shape of a reduction's output, in a shape that broadcasts against its input."""
    if op.inputs.keep_dims:
        return y
    axes = static_axes(op)
    if axes is None:
        shape = Shape.create(scope, op.inputs.input)
        return Reshape.create(scope, y, Select.create(scope, _reduced_mask(scope, op), 1, shape))
    if axes != tuple(range(len(axes))):  # leading dimensions come by themselves
        for axis in axes:
            y = ExpandDims.create(scope, y, axis)
    return y


def static_axes(op: Reduction) -> tuple[int, ...] | None:
    """The reduced axes from 0 up, in order, if they are known before the run."""
    axes, rank = _listed(op), op.inputs.input.rank
    return None if axes is None or rank is None else tuple(sorted(axis % rank for axis in axes))


def _reduced_mask(scope: Scope, op: Reduction) -> Operand[TBool]:
    """For each axis of the input, whether it is reduced."""
    x, axes = op.inputs.input, Reshape.create(scope, op.inputs.axis, [-1])
    at = Cast.create(scope, axes, TInt32)
    rank = Rank.create(scope, x)
    from_start = Select.create(scope, at < 0, at + rank, at)
    return AnyOf.create(scope, OneHot.create(scope, from_start, rank, True, False), 0)


def _listed(op: Reduction) -> tuple[int, ...] | None:
    """The reduced axes as the user gave them, if they are known before the run."""
    known = op.inputs.axis.static_value
    axes: tuple[Any, ...] = known if isinstance(known, tuple) else (known,)
    return axes if all(isinstance(axis, int) for axis in axes) else None


def mean(scope: Scope, op: Mean[N], grad: Output[N]) -> Gradients:
    return spread(scope, op, grad / _count(scope, op))


def _count(scope: Scope, op: Mean[N]) -> Operand[N] | Array:
    """The number of elements of each mean, at least 1."""
    x, axes = op.inputs.input, static_axes(op)
    if axes is not None:
        sizes = [x.shape.known()[axis] for axis in axes]
        known = [size for size in sizes if isinstance(size, int)]
        if len(known) == len(sizes):
            return np.asarray(max(math.prod(known), 1), x.dtype.numpy)  # infinite where the type is too narrow
    means = Maximum.create(scope, Size.create(scope, op), 1)
    return Cast.create(scope, Maximum.create(scope, Size.create(scope, x) // means, 1), x.dtype)


def euclidean_norm(scope: Scope, op: EuclideanNorm[N], grad: Output[N]) -> Gradients:
    return op.inputs.input / kept(scope, op, op.as_output()) * kept(scope, op, real_part(scope, grad))


def prod(scope: Scope, op: Prod[N], grad: Output[N]) -> Gradients:
    """The gradient times the product of the other elements, which is computed without a division."""
    x, axes = op.inputs.input, _listed(op)
    others = _others_dynamic(scope, op) if axes is None else _others(scope, x, axes)
    return grad if others is None else kept(scope, op, grad) * conj(others)


def _others_along(scope: Scope, x: Operand[N], axis: int) -> Operand[N]:
    """For each element the product of those before it, times the product of those after it."""
    before = Cumprod.create(scope, x, axis, exclusive=True)
    return before * Cumprod.create(scope, x, axis, exclusive=True, reverse=True)


def _others(scope: Scope, x: Operand[N], axes: tuple[int, ...]) -> Operand[N] | None:
    """For each element the product of the others: along the first axis, times the rest's along the next, and so on."""
    result: Operand[N] | None = None
    for axis in axes:
        along = _others_along(scope, x, axis)
        result = along if result is None else result * along
        if axis != axes[-1]:
            x = Prod.create(scope, x, axis, keep_dims=True)
    return result


def _others_dynamic(scope: Scope, op: Prod[N]) -> Operand[N]:
    """`_others` for axes that only the run knows: they are moved to the front and made one."""
    x, mask = op.inputs.input, _reduced_mask(scope, op)
    reduced, rest = (Reshape.create(scope, Where.create(scope, which), [-1]) for which in (mask, ~mask))
    order = Concat.create(scope, [reduced, rest], 0)
    moved = Transpose.create(scope, x, order)
    shape = Shape.create(scope, x)
    sizes = [Prod.create(scope, Gather.create(scope, shape, axes), 0) for axes in (reduced, rest)]
    others = _others_along(scope, Reshape.create(scope, moved, vector(scope, sizes)), 0)
    back = Reshape.create(scope, others, Shape.create(scope, moved))
    return Transpose.create(scope, back, InvertPermutation.create(scope, order))


def extremum(scope: Scope, op: Max[F] | Min[F], grad: Output[F]) -> Gradients:
    """The gradient of `Max` and `Min`, divided evenly among the elements that are equal to the result."""
    x = op.inputs.input
    chosen = Cast.create(scope, Equal.create(scope, x, kept(scope, op, op.as_output())), x.dtype)
    count = Sum.create(scope, chosen, op.inputs.axis, keep_dims=True)
    return chosen / count * kept(scope, op, grad)
