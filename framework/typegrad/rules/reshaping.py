"""Gradients of `ops/reshaping.yaml`."""

from __future__ import annotations

from typegrad.graph.operand import AnyOutput, Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import ExpandDims, Reshape, Reverse, ReverseSequence, Roll, Size, Squeeze
from typegrad.op.linalg import ConjugateTranspose, Transpose
from typegrad.op.math import InvertPermutation
from typegrad.rules.common import Gradients, N, conj
from typegrad.rules.sizes import shape_of


def reshape(scope: Scope, op: Reshape[N], grad: Output[N]) -> Gradients:
    return Reshape.create(scope, grad, shape_of(scope, op.inputs.tensor))


def expand_dims(scope: Scope, op: ExpandDims[N], grad: Output[N]) -> Gradients:
    return Reshape.create(scope, grad, shape_of(scope, op.inputs.input))


def squeeze(scope: Scope, op: Squeeze[N], grad: Output[N]) -> Gradients:
    return Reshape.create(scope, grad, shape_of(scope, op.inputs.input))


def transpose(scope: Scope, op: Transpose[N], grad: Output[N]) -> Gradients:
    return _transposed_back(scope, grad, op.inputs.perm)


def conjugate_transpose(scope: Scope, op: ConjugateTranspose[N], grad: Output[N]) -> Gradients:
    return _transposed_back(scope, conj(grad), op.inputs.perm)


def _transposed_back(scope: Scope, grad: Operand[N], perm: AnyOutput) -> Operand[N]:
    """Transpose by the inverse permutation."""
    value = perm.static_value
    if value is not None and None not in value:
        axes = [axis % len(value) for axis in value]
        return Transpose.create(scope, grad, [axes.index(axis) for axis in range(len(axes))])
    rank = Size.create(scope, perm, out_type=perm.dtype)
    return Transpose.create(scope, grad, InvertPermutation.create(scope, perm % rank))


def reverse_v2(scope: Scope, op: Reverse[N], grad: Output[N]) -> Gradients:
    return Reverse.create(scope, grad, op.inputs.axis)


def reverse_sequence(scope: Scope, op: ReverseSequence[N], grad: Output[N]) -> Gradients:
    dims = {"seq_dim": op.inputs.seq_dim, "batch_dim": op.inputs.batch_dim}
    return ReverseSequence.create(scope, grad, op.inputs.seq_lengths, **dims)


def roll(scope: Scope, op: Roll[N], grad: Output[N]) -> Gradients:
    return Roll.create(scope, grad, -op.inputs.shift, op.inputs.axis)
