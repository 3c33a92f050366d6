"""Gradients of `ops/tiling_and_padding.yaml`."""

from __future__ import annotations

from typegrad.graph.operand import AnyOperand, AnyOutput, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import (
    BroadcastTo,
    MirrorPad,
    MirrorPadGrad,
    OnesLike,
    Pad,
    Range,
    Reshape,
    Shape,
    Size,
    Slice,
    Stack,
    Sum,
    Tile,
    Unstack,
    ZerosLike,
)
from typegrad.rules.broadcasting import sum_to_shape
from typegrad.rules.common import Gradients, N
from typegrad.rules.sizes import Sizes


def tile(scope: Scope, op: Tile[N], grad: Output[N]) -> Gradients:
    """Sum over the copies: a dimension of m copies of size n becomes two, of sizes m and n, and the first is summed."""
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


def _even(scope: Scope, vector: AnyOutput) -> AnyOperand:
    """0, 2, 4, ...: as many numbers as the vector has elements."""
    return Range.create(scope, 0, Size.create(scope, vector) * 2, 2)


def broadcast_to(scope: Scope, op: BroadcastTo[N], grad: Output[N]) -> Gradients:
    return sum_to_shape(scope, grad, op.inputs.input)


def pad_v2(scope: Scope, op: Pad[N], grad: Output[N]) -> Gradients:
    """`input` gets the inner part; `constant_values` the sum of the border."""
    x, paddings = op.inputs.input, op.inputs.paddings

    def inner() -> AnyOperand:
        begin = Unstack.create(scope, paddings, num=2, axis=1).output[0]
        return Slice.create(scope, grad, begin, Shape.create(scope, x, out_type=paddings.dtype))

    def border() -> AnyOperand:
        mask = Pad.create(
            scope, ZerosLike.create(scope, x), paddings, OnesLike.create(scope, op.inputs.constant_values)
        )
        return Sum.create(scope, grad * mask)

    return inner, border


def mirror_pad(scope: Scope, op: MirrorPad[N], grad: Output[N]) -> Gradients:
    return MirrorPadGrad.create(scope, grad, op.inputs.paddings, mode=op.inputs.mode)


def mirror_pad_grad(scope: Scope, op: MirrorPadGrad[N], grad: Output[N]) -> Gradients:
    return MirrorPad.create(scope, grad, op.inputs.paddings, mode=op.inputs.mode)
