"""Gradients of `ops/activation.yaml`.

Each activation has a gradient operation of its own, which is linear in the gradient. Those of `EluGrad` and `SeluGrad` also depend
smoothly on the activation, which is how a second derivative gets its curvature.
"""

from __future__ import annotations

from typing_extensions import TypeVar

from typegrad.base.types import TComplex, TFloating
from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import Select, ZerosLike
from typegrad.op.math import Abs, AddV2, Less, Mul, RealDiv, Sigmoid, SigmoidGrad, Sign, Softplus, SoftplusGrad, Sub
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
    Softsign,
    SoftsignGrad,
)
from typegrad.rules.common import Gradients, conj, scalar_like, scaled

F = TypeVar("F", bound=TFloating)
N = TypeVar("N", bound=TFloating | TComplex)


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


def _below_zero(scope: Scope, y: Operand[F], grad: Operand[F], gradients: Operand[F]) -> Operand[F]:
    """The product of both gradients where y is below 0, zero elsewhere."""
    product = Mul.create(scope, grad, gradients)
    return Select.create(
        scope, Less.create(scope, y, scalar_like(scope, 0, y)), product, ZerosLike.create(scope, product)
    )


def selu_grad(scope: Scope, op: SeluGrad[F], grad: Output[F]) -> Gradients:
    """Linear in the gradient; below 0 it is gradient (y + scale alpha)."""
    gradients, outputs = op.inputs.gradients, op.inputs.outputs
    return lambda: SeluGrad.create(scope, grad, outputs), lambda: _below_zero(scope, outputs, grad, gradients)


def sigmoid(scope: Scope, op: Sigmoid[N], grad: Output[N]) -> Gradients:
    """The derivative of the sigmoid y is y (1 - y)."""
    return SigmoidGrad.create(scope, conj(scope, op.as_output()), grad)


def sigmoid_grad(scope: Scope, op: SigmoidGrad[N], grad: Output[N]) -> Gradients:
    """Of z = dy y (1 - y)."""
    y = conj(scope, op.inputs.y)

    def grad_y() -> Operand[N]:
        product = Mul.create(scope, grad, conj(scope, op.inputs.dy))
        return Sub.create(scope, product, scaled(scope, 2, Mul.create(scope, product, y)))

    return grad_y, lambda: SigmoidGrad.create(scope, y, grad)


def softplus(scope: Scope, op: Softplus[F], grad: Output[F]) -> Gradients:
    """The derivative of the softplus is the sigmoid."""
    return SoftplusGrad.create(scope, grad, op.inputs.features)


def softplus_grad(scope: Scope, op: SoftplusGrad[F], grad: Output[F]) -> Gradients:
    """Of z = gradients sigmoid(features)."""
    gradients, features = op.inputs.gradients, op.inputs.features

    def grad_features() -> Operand[F]:
        return SigmoidGrad.create(scope, Sigmoid.create(scope, features), Mul.create(scope, grad, gradients))

    return lambda: SoftplusGrad.create(scope, grad, features), grad_features


def softsign(scope: Scope, op: Softsign[F], grad: Output[F]) -> Gradients:
    """The derivative is 1 / (1 + |x|)^2."""
    return SoftsignGrad.create(scope, grad, op.inputs.features)


def softsign_grad(scope: Scope, op: SoftsignGrad[F], grad: Output[F]) -> Gradients:
    """Of z = dy / (1 + |x|)^2: the derivative for x is -2 sign(x) z / (1 + |x|)."""
    dy, x = op.inputs.gradients, op.inputs.features

    def grad_features() -> Operand[F]:
        size = AddV2.create(scope, Abs.create(scope, x), scalar_like(scope, 1, x))
        ratio = RealDiv.create(scope, SoftsignGrad.create(scope, Mul.create(scope, grad, dy), x), size)
        return Mul.create(scope, Mul.create(scope, scalar_like(scope, -2, x), Sign.create(scope, x)), ratio)

    return lambda: SoftsignGrad.create(scope, grad, x), grad_features
