"""Gradients of `ops/activation.yaml`.

Each activation has a gradient operation, which is linear in the gradient. `EluGrad` and `SeluGrad` also depend smoothly
on the activation, which is how a second derivative gets its curvature.
"""

from __future__ import annotations

from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import Select
from typegrad.op.math import Abs, Sigmoid, SigmoidGrad, Sign, Softplus, SoftplusGrad
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
from typegrad.rules.common import F, Gradients, N, conj


def relu(scope: Scope, op: Relu[F], grad: Output[F]) -> Gradients:
    return ReluGrad.create(scope, grad, op)


def relu_grad(scope: Scope, op: ReluGrad[F], grad: Output[F]) -> Gradients:
    return ReluGrad.create(scope, grad, op.inputs.features)


def relu6(scope: Scope, op: Relu6[F], grad: Output[F]) -> Gradients:
    return Relu6Grad.create(scope, grad, op)


def relu6_grad(scope: Scope, op: Relu6Grad[F], grad: Output[F]) -> Gradients:
    return Relu6Grad.create(scope, grad, op.inputs.features)


def leaky_relu(scope: Scope, op: LeakyRelu[F] | LeakyReluGrad[F], grad: Output[F]) -> Gradients:
    """The gradient of `LeakyRelu`, and of `LeakyReluGrad` with respect to the gradients that it takes."""
    return LeakyReluGrad.create(scope, grad, op.inputs.features, alpha=op.inputs.alpha)


def elu(scope: Scope, op: Elu[F], grad: Output[F]) -> Gradients:
    return EluGrad.create(scope, grad, op)


def elu_grad(scope: Scope, op: EluGrad[F], grad: Output[F]) -> Gradients:
    gradients, y = op.inputs.gradients, op.inputs.outputs
    return lambda: EluGrad.create(scope, grad, y), lambda: Select.create(scope, y < 0, grad * gradients, 0)


def selu(scope: Scope, op: Selu[F], grad: Output[F]) -> Gradients:
    return SeluGrad.create(scope, grad, op)


def selu_grad(scope: Scope, op: SeluGrad[F], grad: Output[F]) -> Gradients:
    gradients, y = op.inputs.gradients, op.inputs.outputs
    return lambda: SeluGrad.create(scope, grad, y), lambda: Select.create(scope, y < 0, grad * gradients, 0)


def sigmoid(scope: Scope, op: Sigmoid[N], grad: Output[N]) -> Gradients:
    return SigmoidGrad.create(scope, conj(op), grad)


def sigmoid_grad(scope: Scope, op: SigmoidGrad[N], grad: Output[N]) -> Gradients:
    y = conj(op.inputs.y)

    def grad_y() -> Operand[N]:
        product = grad * conj(op.inputs.dy)
        return product - 2 * (product * y)

    return grad_y, lambda: SigmoidGrad.create(scope, y, grad)


def softplus(scope: Scope, op: Softplus[F], grad: Output[F]) -> Gradients:
    return SoftplusGrad.create(scope, grad, op.inputs.features)


def softplus_grad(scope: Scope, op: SoftplusGrad[F], grad: Output[F]) -> Gradients:
    """The slope of the sigmoid is computed as sigmoid(x) sigmoid(-x), as 1 - sigmoid(x) loses digits."""
    dy, x = op.inputs.gradients, op.inputs.features

    def grad_features() -> Operand[F]:
        return grad * dy * (Sigmoid.create(scope, x) * Sigmoid.create(scope, -x))

    return lambda: SoftplusGrad.create(scope, grad, x), grad_features


def softsign(scope: Scope, op: Softsign[F], grad: Output[F]) -> Gradients:
    return SoftsignGrad.create(scope, grad, op.inputs.features)


def softsign_grad(scope: Scope, op: SoftsignGrad[F], grad: Output[F]) -> Gradients:
    dy, x = op.inputs.gradients, op.inputs.features
    return (
        lambda: SoftsignGrad.create(scope, grad, x),
        lambda: -2 * Sign.create(scope, x) * (SoftsignGrad.create(scope, grad * dy, x) / (1 + Abs.create(scope, x))),
    )
