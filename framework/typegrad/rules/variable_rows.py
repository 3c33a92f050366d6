"""Gradients of `ops/variable_rows.yaml`."""

from __future__ import annotations

from typegrad.graph.operand import Output
from typegrad.graph.scope import Scope
from typegrad.op.core import Gather, ReadVariableOp, ResourceGather
from typegrad.rules.common import Gradients, N
from typegrad.rules.gather_and_scatter import gather_v2


def resource_gather(scope: Scope, op: ResourceGather[N], grad: Output[N]) -> Gradients:
    """As if the whole value were read first. Only its shape is used, and computed only where it is not known."""
    batch = op.inputs.batch_dims
    value = ReadVariableOp.create(scope, op.inputs.resource, grad.dtype)
    return gather_v2(scope, Gather.create(scope, value, op.inputs.indices, batch, batch_dims=batch), grad)
