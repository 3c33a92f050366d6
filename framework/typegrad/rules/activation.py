"""Gradients of `ops/activation.yaml`.

Each activation has a gradient operation of its own, which is linear in the gradient. Those of `EluGrad` and `SeluGrad` also depend
smoothly on the activation, which is how a second derivative gets its curvature.
"""

from __future__ import annotations

from typing_extensions import TypeVar

from typegrad.base.types import TFloating
from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import Select, ZerosLike
from typegrad.op.math import Less, Mul
from typegrad.op.nn import (
    Elu,
    EluGrad,
    LeakyRelu,
    LeakyReluGrad,
    Relu,
    Relu6,
    Relu6Grad,
    ReluGrad,
    Selu,
    SeluGrad,
)
from typegrad.rules.common import Gradients, scalar_like

F = TypeVar("F", bound=TFloating)


def relu(scope: Scope, op: Relu[F], grad: Output[F]) -> Gradients:
    """Passes where the activation is above 0."""
    return ReluGrad.create(scope, grad, op)


def relu6(scope: Scope, op: Relu6[F], grad: Output[F]) -> Gradients:
    """Passes where the activation is between 0 and 6."""
    return Relu6Grad.create(scope, grad, op)


def leaky_relu(scope: Scope, op: LeakyRelu[F], grad: Output[F]) -> Gradients:
    """Passes where the feature is above 0, times alpha elsewhere."""
    return LeakyReluGrad.create(scope, grad, op.inputs.features, alpha=op.inputs.alpha)


def elu(scope: Scope, op: Elu[F], grad: Output[F]) -> Gradients:
    """exp(x) below 0 is the activation plus 1."""
    return EluGrad.create(scope, grad, op)


def selu(scope: Scope, op: Selu[F], grad: Output[F]) -> Gradients:
    """As for `Elu`, scaled."""
    return SeluGrad.create(scope, grad, op)


def relu_grad(scope: Scope, op: ReluGrad[F], grad: Output[F]) -> Gradients:
    """Linear in the gradient."""
    return ReluGrad.create(scope, grad, op.inputs.features)


def relu6_grad(scope: Scope, op: Relu6Grad[F], grad: Output[F]) -> Gradients:
    """Linear in the gradient."""
    return Relu6Grad.create(scope, grad, op.inputs.features)


def leaky_relu_grad(scope: Scope, op: LeakyReluGrad[F], grad: Output[F]) -> Gradients:
    """Linear in the gradient."""
    return LeakyReluGrad.create(scope, grad, op.inputs.features, alpha=op.inputs.alpha)


def elu_grad(scope: Scope, op: EluGrad[F], grad: Output[F]) -> Gradients:
    """Linear in the gradient; below 0 it is gradient (y + 1)."""
    gradients, outputs = op.inputs.gradients, op.inputs.outputs
    return lambda: EluGrad.create(scope, grad, outputs), lambda: _below_zero(scope, outputs, grad, gradients)


def selu_grad(scope: Scope, op: SeluGrad[F], grad: Output[F]) -> Gradients:
    """Linear in the gradient; below 0 it is gradient (y + scale alpha)."""
    gradients, outputs = op.inputs.gradients, op.inputs.outputs
    return lambda: SeluGrad.create(scope, grad, outputs), lambda: _below_zero(scope, outputs, grad, gradients)


def _below_zero(scope: Scope, y: Operand[F], grad: Operand[F], gradients: Operand[F]) -> Operand[F]:
    """The product of both gradients where y is below 0, zero elsewhere."""
    product = Mul.create(scope, grad, gradients)
    return Select.create(
        scope, Less.create(scope, y, scalar_like(scope, 0, y)), product, ZerosLike.create(scope, product)
    )
