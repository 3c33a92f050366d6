"""Gradients of `ops/variable_parts.yaml`."""

from __future__ import annotations

from typegrad.graph.operand import Output
from typegrad.graph.scope import Scope
from typegrad.op.core import GatherNd, ReadVariableOp, ResourceGatherNd
from typegrad.rules.common import Gradients, N
from typegrad.rules.gather_and_scatter import gather_nd


def resource_gather_nd(scope: Scope, op: ResourceGatherNd[N], grad: Output[N]) -> Gradients:
    """As if the whole value were read first. Only its shape is used, and computed only where it is not known."""
    value = ReadVariableOp.create(scope, op.inputs.resource, grad.dtype)
    return gather_nd(scope, GatherNd.create(scope, value, op.inputs.indices), grad)
