"""Gradients of `ops/bias.yaml`."""

from __future__ import annotations

from typing_extensions import TypeVar

from typegrad.base.types import TComplex, TFloating
from typegrad.graph.operand import Output
from typegrad.graph.scope import Scope
from typegrad.op.core import ZerosLike
from typegrad.op.nn import BiasAdd, BiasAddGrad
from typegrad.rules.common import Gradients

N = TypeVar("N", bound=TFloating | TComplex)


def bias_add(scope: Scope, op: BiasAdd[N], grad: Output[N]) -> Gradients:
    """The bias was added everywhere: its gradient is the sum."""
    return grad, lambda: BiasAddGrad.create(scope, grad, data_format=op.inputs.data_format)


def bias_add_grad(scope: Scope, op: BiasAddGrad[N], grad: Output[N]) -> Gradients:
    """The gradient of each channel, everywhere in that channel."""
    return BiasAdd.create(
        scope, ZerosLike.create(scope, op.inputs.out_backprop), grad, data_format=op.inputs.data_format
    )
