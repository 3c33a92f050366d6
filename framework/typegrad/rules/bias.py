"""Gradients of `ops/bias.yaml`."""

from __future__ import annotations

from typegrad.graph.operand import Output
from typegrad.graph.scope import Scope
from typegrad.op.core import ZerosLike
from typegrad.op.nn import BiasAdd, BiasAddGrad
from typegrad.rules.common import Gradients, N


def bias_add(scope: Scope, op: BiasAdd[N], grad: Output[N]) -> Gradients:
    return grad, lambda: BiasAddGrad.create(scope, grad, data_format=op.inputs.data_format)


def bias_add_grad(scope: Scope, op: BiasAddGrad[N], grad: Output[N]) -> Gradients:
    """The gradient of each channel, repeated over the channel."""
    zeros = ZerosLike.create(scope, op.inputs.out_backprop)
    return BiasAdd.create(scope, zeros, grad, data_format=op.inputs.data_format)
