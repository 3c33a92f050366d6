"""Gradients of `ops/space_to_batch.yaml`. Each operation moves elements, and the inverse moves their gradients back."""

from __future__ import annotations

from typegrad.graph.operand import Output
from typegrad.graph.scope import Scope
from typegrad.op.core import BatchToSpace, BatchToSpaceNd, SpaceToBatchNd
from typegrad.op.nn import DepthToSpace, SpaceToBatch, SpaceToDepth
from typegrad.rules.common import Gradients, N


def space_to_batch_nd(scope: Scope, op: SpaceToBatchNd[N], grad: Output[N]) -> Gradients:
    return BatchToSpaceNd.create(scope, grad, op.inputs.block_shape, op.inputs.paddings)


def batch_to_space_nd(scope: Scope, op: BatchToSpaceNd[N], grad: Output[N]) -> Gradients:
    return SpaceToBatchNd.create(scope, grad, op.inputs.block_shape, op.inputs.crops)


def space_to_batch(scope: Scope, op: SpaceToBatch[N], grad: Output[N]) -> Gradients:
    return BatchToSpace.create(scope, grad, op.inputs.paddings, block_size=op.inputs.block_size)


def batch_to_space(scope: Scope, op: BatchToSpace[N], grad: Output[N]) -> Gradients:
    return SpaceToBatch.create(scope, grad, op.inputs.crops, block_size=op.inputs.block_size)


def space_to_depth(scope: Scope, op: SpaceToDepth[N], grad: Output[N]) -> Gradients:
    return DepthToSpace.create(scope, grad, block_size=op.inputs.block_size, data_format=op.inputs.data_format)


def depth_to_space(scope: Scope, op: DepthToSpace[N], grad: Output[N]) -> Gradients:
    return SpaceToDepth.create(scope, grad, block_size=op.inputs.block_size, data_format=op.inputs.data_format)
