"""Gradients of `ops/tiling_and_padding.yaml`. Sizes known before the run become constants; others are computed in the run."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypeVar

from typegrad.base.types import TComplex, TFloating
from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import (
    BroadcastTo,
    Constant,
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
from typegrad.op.math import Mul
from typegrad.rules.broadcasting import sum_to_shape
from typegrad.rules.common import Gradients
from typegrad.rules.sizes import Sizes

N = TypeVar("N", bound=TFloating | TComplex)


def tile(scope: Scope, op: Tile[N], grad: Output[N]) -> Gradients:
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


def broadcast_to(scope: Scope, op: BroadcastTo[N], grad: Output[N]) -> Gradients:
    """The sum over what was repeated."""
    return sum_to_shape(scope, grad, op.inputs.input)


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
