"""Gradients of `ops/variable_rows.yaml`."""

from __future__ import annotations

from typing_extensions import TypeVar

from typegrad.base.types import TComplex, TFloating
from typegrad.graph.operand import Output
from typegrad.graph.scope import Scope
from typegrad.op.core import Gather, ReadVariableOp, ResourceGather
from typegrad.rules.common import Gradients
from typegrad.rules.gather_and_scatter import gather_v2

N = TypeVar("N", bound=TFloating | TComplex)


def resource_gather(scope: Scope, op: ResourceGather[N], grad: Output[N]) -> Gradients:
    """What it would be if the whole value were read first. Only the shape of that is used, and it is computed only if it is not known."""
    batch = op.inputs.batch_dims
    value = ReadVariableOp.create(scope, op.inputs.resource, grad.dtype)
    return gather_v2(scope, Gather.create(scope, value, op.inputs.indices, batch, batch_dims=batch), grad)
