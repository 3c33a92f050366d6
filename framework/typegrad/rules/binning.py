"""Gradients of `ops/binning.yaml`."""

from __future__ import annotations

from typing import Any

from typegrad.base.types import TInt32
from typegrad.graph.operand import AnyOperand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import ExpandDims, GatherNd, Range, Reshape, Size, Slice, Stack, ZerosLike
from typegrad.op.dtypes import Cast
from typegrad.op.math import Bincount, DenseBincount
from typegrad.rules.common import F, Gradients
from typegrad.rules.sizes import shape_of, size_between, vector


def bincount(scope: Scope, op: Bincount[F], grad: Output[F]) -> Gradients:
    return _weights(scope, op, grad, Reshape.create(scope, op.inputs.arr, [1, -1]))


def dense_bincount(scope: Scope, op: DenseBincount[F], grad: Output[F]) -> Gradients:
    if op.inputs.binary_output:
        return ZerosLike.create(scope, op.inputs.weights)
    rows = size_between(scope, op.inputs.input, 0, -1)
    columns = size_between(scope, op.inputs.input, -1, None)
    return _weights(scope, op, grad, Reshape.create(scope, op.inputs.input, vector(scope, [rows, columns])))


def _weights(scope: Scope, op: Any, grad: AnyOperand, integers: AnyOperand) -> AnyOperand:
    """For each weight, the gradient of its bin, where there are weights."""
    weights, size = op.inputs.weights, Cast.create(scope, op.inputs.size, TInt32)
    integers = Cast.create(scope, integers, TInt32).as_output()
    count = size_between(scope, integers, 0, 1)
    row = ExpandDims.create(scope, Range.create(scope, 0, count, 1), 1) + ZerosLike.create(scope, integers)
    points = Stack.create(scope, [row, integers], axis=2)
    table = Reshape.create(scope, grad, vector(scope, [count, size]))
    gradients = Reshape.create(scope, GatherNd.create(scope, table, points, bad_indices_policy="IGNORE"), [-1])
    used = Slice.create(scope, gradients, [0], Reshape.create(scope, Size.create(scope, weights), [1]))
    return Reshape.create(scope, used, shape_of(scope, weights))
