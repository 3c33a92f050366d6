"""Gradients of `ops/joining.yaml`. Sizes known before the run become constants; others are computed in the run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typing_extensions import TypeVar

from typegrad.base.types import TComplex, TFloating, TInt32
from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import Concat, Gather, Shape, ShapeN, Size, Split, SplitV, Stack, Unstack
from typegrad.op.dtypes import Cast
from typegrad.op.math import FloorMod
from typegrad.rules.common import Gradient, Gradients, OutputGradients
from typegrad.rules.sizes import Sizes

N = TypeVar("N", bound=TFloating | TComplex)


def pack(scope: Scope, op: Stack[N], grad: Output[N]) -> Gradients:
    """Each value's slice of the gradient."""
    return Unstack.create(scope, grad, num=len(op.inputs.values), axis=op.inputs.axis).output


def unpack(scope: Scope, op: Unstack[N], grads: OutputGradients) -> Gradients:
    """The gradients of the slices, stacked again."""
    return Stack.create(scope, grads[:], axis=op.inputs.axis)


def concat_v2(scope: Scope, op: Concat[N], grad: Output[N]) -> Sequence[Gradient]:
    """Each value's part of the gradient."""
    values, axis = op.inputs.values, op.inputs.axis
    known = axis.static_value
    if known is not None and all(value.shape.is_static for value in values):
        sizes: Sizes = [value.shape.as_ints()[known] for value in values]
        return SplitV.create(scope, grad, sizes, known, num_split=len(values)).output
    rank = Size.create(scope, Shape.create(scope, values[0]), out_type=axis.dtype)
    at = FloorMod.create(scope, axis, rank)
    sizes = Gather.create(scope, Stack.create(scope, ShapeN.create(scope, values).output, axis=1), at, 0)
    return SplitV.create(scope, grad, sizes, _int32(scope, at), num_split=len(values)).output


def _int32(scope: Scope, x: Operand[Any, Any]) -> Operand[TInt32, Any]:
    return x if x.dtype is TInt32 else Cast.create(scope, x, TInt32)


def split(scope: Scope, op: Split[N], grads: OutputGradients) -> Gradients:
    """The gradients of the parts, joined again."""
    return _joined(scope, grads, op.inputs.axis)


def _joined(scope: Scope, grads: OutputGradients, axis: Output[TInt32]) -> Operand[Any, Any]:
    return Concat.create(scope, grads[:], axis) if len(grads) > 1 else grads[0]


def split_v(scope: Scope, op: SplitV[N], grads: OutputGradients) -> Gradients:
    """The gradients of the parts, joined again."""
    return _joined(scope, grads, op.inputs.axis)
