"""Gradients of `ops/inplace.yaml`."""

from __future__ import annotations

from typing import Any

from typegrad.graph.operand import AnyOperand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import (
    ExpandDims,
    Gather,
    InplaceAdd,
    InplaceSub,
    InplaceUpdate,
    TensorScatterNdUpdate,
)
from typegrad.op.math import Maximum
from typegrad.rules.common import Gradients, N
from typegrad.rules.gather_and_scatter import tensor_scatter_update
from typegrad.rules.sizes import size_between


def inplace_add(scope: Scope, op: InplaceAdd[N], grad: Output[N]) -> Gradients:
    return Gather.create(scope, grad, _rows(scope, op), 0)


def inplace_sub(scope: Scope, op: InplaceSub[N], grad: Output[N]) -> Gradients:
    return -Gather.create(scope, grad, _rows(scope, op), 0)


def inplace_update(scope: Scope, op: InplaceUpdate[N], grad: Output[N]) -> Gradients:
    points = ExpandDims.create(scope, _rows(scope, op), 1)
    return tensor_scatter_update(scope, TensorScatterNdUpdate.create(scope, op.inputs.x, points, op.inputs.v), grad)


def _rows(scope: Scope, op: Any) -> AnyOperand:
    """The indices from 0 up."""
    rows: AnyOperand = op.inputs.i
    return rows % Maximum.create(scope, size_between(scope, op.inputs.x, 0, 1), 1)
