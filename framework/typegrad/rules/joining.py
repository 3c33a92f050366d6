"""Gradients of `ops/joining.yaml`. The gradient of joining is splitting, and conversely."""

from __future__ import annotations

from collections.abc import Sequence

from typegrad.base.types import TInt32
from typegrad.graph.operand import AnyOperand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import Concat, Gather, ParallelConcat, Shape, ShapeN, Size, Split, SplitV, Stack, Unstack
from typegrad.rules.common import Gradient, Gradients, N, OutputGradients, cast_to
from typegrad.rules.sizes import Sizes


def pack(scope: Scope, op: Stack[N], grad: Output[N]) -> Gradients:
    return Unstack.create(scope, grad, num=len(op.inputs.values), axis=op.inputs.axis).output


def unpack(scope: Scope, op: Unstack[N], grads: OutputGradients) -> Gradients:
    return Stack.create(scope, grads[:], axis=op.inputs.axis)


def concat_v2(scope: Scope, op: Concat[N], grad: Output[N]) -> Sequence[Gradient]:
    values, axis = op.inputs.values, op.inputs.axis
    known = axis.static_value
    if known is not None and all(value.shape.is_static for value in values):
        sizes: Sizes = [value.shape.as_ints()[known] for value in values]
        return SplitV.create(scope, grad, sizes, known, num_split=len(values)).output
    rank = Size.create(scope, Shape.create(scope, values[0]), out_type=axis.dtype)
    at = axis % rank
    sizes = Gather.create(scope, Stack.create(scope, ShapeN.create(scope, values).output, axis=1), at, 0)
    return SplitV.create(scope, grad, sizes, cast_to(scope, at, TInt32), num_split=len(values)).output


def split(scope: Scope, op: Split[N], grads: OutputGradients) -> Gradients:
    return _joined(scope, grads, op.inputs.axis)


def _joined(scope: Scope, grads: OutputGradients, axis: Output[TInt32]) -> AnyOperand:
    return Concat.create(scope, grads[:], axis) if len(grads) > 1 else grads[0]


def split_v(scope: Scope, op: SplitV[N], grads: OutputGradients) -> Gradients:
    return _joined(scope, grads, op.inputs.axis)


def parallel_concat(scope: Scope, op: ParallelConcat[N], grad: Output[N]) -> Sequence[Gradient]:
    return Split.create(scope, 0, grad, num_split=len(op.inputs.values)).output
