"""Gradients of `ops/arrays.yaml`. Sizes known before the run become constants; others are computed in the run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typing_extensions import TypeVar

from typegrad.base.types import TComplex, TFloating, TInt32
from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import (
    BroadcastTo,
    Concat,
    Constant,
    ExpandDims,
    Fill,
    Gather,
    OnesLike,
    Pad,
    Range,
    Reshape,
    Reverse,
    Shape,
    ShapeN,
    Size,
    Slice,
    Split,
    SplitV,
    Squeeze,
    Stack,
    Sum,
    Tile,
    Unstack,
    ZerosLike,
)
from typegrad.op.dtypes import Cast
from typegrad.op.math import FloorMod, Mul
from typegrad.rules.broadcasting import sum_to_shape
from typegrad.rules.common import Gradient, Gradients, OutputGradients

T = TypeVar("T", bound=TFloating | TComplex)

Sizes = Operand[Any, Any] | Sequence[int]
"""A vector of integers, known before the run or not."""


def shape_of(scope: Scope, x: Output[Any], dtype: Any = TInt32) -> Sizes:
    """The shape of `x`."""
    return x.shape.as_ints() if x.shape.is_static else Shape.create(scope, x, out_type=dtype)


def reshape(scope: Scope, op: Reshape[T], grad: Output[T]) -> Gradients:
    """Back to the input's shape."""
    return Reshape.create(scope, grad, shape_of(scope, op.inputs.tensor))


def expand_dims(scope: Scope, op: ExpandDims[T], grad: Output[T]) -> Gradients:
    """Back to the input's shape."""
    return Reshape.create(scope, grad, shape_of(scope, op.inputs.input))


def squeeze(scope: Scope, op: Squeeze[T], grad: Output[T]) -> Gradients:
    """Back to the input's shape."""
    return Reshape.create(scope, grad, shape_of(scope, op.inputs.input))


def fill(scope: Scope, op: Fill[Any], grad: Output[Any]) -> Gradients:
    """Every element is the value, so the gradients of all add up."""
    return Sum.create(scope, grad)


def pack(scope: Scope, op: Stack[T], grad: Output[T]) -> Gradients:
    """Each value's slice of the gradient."""
    return Unstack.create(scope, grad, num=len(op.inputs.values), axis=op.inputs.axis).output


def unpack(scope: Scope, op: Unstack[T], grads: OutputGradients) -> Gradients:
    """The gradients of the slices, stacked again."""
    return Stack.create(scope, grads[:], axis=op.inputs.axis)


def concat_v2(scope: Scope, op: Concat[T], grad: Output[T]) -> Sequence[Gradient]:
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


def split(scope: Scope, op: Split[T], grads: OutputGradients) -> Gradients:
    """The gradients of the parts, joined again."""
    return _joined(scope, grads, op.inputs.axis)


def split_v(scope: Scope, op: SplitV[T], grads: OutputGradients) -> Gradients:
    """The gradients of the parts, joined again."""
    return _joined(scope, grads, op.inputs.axis)


def _joined(scope: Scope, grads: OutputGradients, axis: Output[TInt32]) -> Operand[Any, Any]:
    return Concat.create(scope, grads[:], axis) if len(grads) > 1 else grads[0]


def tile(scope: Scope, op: Tile[T], grad: Output[T]) -> Gradients:
    """The sum over the copies: a dimension of m copies of size n is taken as two, of sizes m and n, and the first summed."""
    x, multiples = op.inputs.input, op.inputs.multiples
    known = multiples.static_value
    rank = x.shape.rank
    axes: Sizes = [2 * i for i in range(rank)] if rank is not None else _even(scope, multiples)
    if x.shape.is_static and known is not None and all(isinstance(count, int) for count in known):
        sizes: Sizes = [size for pair in zip(known, x.shape.as_ints(), strict=True) for size in pair]
    else:
        shape = Shape.create(scope, x, out_type=multiples.dtype)
        sizes = Reshape.create(scope, Stack.create(scope, [multiples, shape], axis=1), [-1])
    return Sum.create(scope, Reshape.create(scope, grad, sizes), axes)


def _even(scope: Scope, vector: Output[Any]) -> Operand[Any, Any]:
    """0, 2, 4, ...: as many numbers as the vector has elements."""
    return Range.create(scope, 0, Mul.create(scope, Size.create(scope, vector), Constant.create(scope, 2)), 2)


def broadcast_to(scope: Scope, op: BroadcastTo[T], grad: Output[T]) -> Gradients:
    """The sum over what was repeated."""
    return sum_to_shape(scope, grad, op.inputs.input)


def reverse_v2(scope: Scope, op: Reverse[T], grad: Output[T]) -> Gradients:
    """Reversed, too."""
    return Reverse.create(scope, grad, op.inputs.axis)


def pad_v2(scope: Scope, op: Pad[Any], grad: Output[Any]) -> Gradients:
    """The inner part goes to the input; the border, summed, to the value it was made of."""
    x, paddings = op.inputs.input, op.inputs.paddings

    def inner() -> Operand[Any, Any]:
        begin = Unstack.create(scope, paddings, num=2, axis=1).output[0]
        return Slice.create(scope, grad, begin, Shape.create(scope, x, out_type=paddings.dtype))

    def border() -> Operand[Any, Any]:
        mask = Pad.create(
            scope, ZerosLike.create(scope, x), paddings, OnesLike.create(scope, op.inputs.constant_values)
        )
        return Sum.create(scope, Mul.create(scope, grad, mask))

    return inner, border
