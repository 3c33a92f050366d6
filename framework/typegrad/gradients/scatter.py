"""Gradients of `ops/scatter.yaml`."""

from __future__ import annotations

from typing_extensions import TypeVar

from typegrad.gradients.common import Gradients
from typegrad.gradients.slicing import gather_v2
from typegrad.op.core import Gather, ReadVariableOp, ResourceGather
from typegrad.operand import Output
from typegrad.scope import Scope
from typegrad.types import TComplex, TFloating

N = TypeVar("N", bound=TFloating | TComplex)


def resource_gather(scope: Scope, op: ResourceGather[N], grad: Output[N]) -> Gradients:
    """What it would be if the whole value were read first. Only the shape of that is used, and it is computed only if it is not known."""
    batch = op.inputs.batch_dims
    value = ReadVariableOp.create(scope, op.inputs.resource, grad.dtype)
    return gather_v2(scope, Gather.create(scope, value, op.inputs.indices, batch, batch_dims=batch), grad)
