"""Gradients of `ops/softmax_and_losses.yaml`."""

from __future__ import annotations

from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import BroadcastTo, ExpandDims, Shape, Sum
from typegrad.op.math import Exp
from typegrad.op.nn import (
    L2Loss,
    LogSoftmax,
    Softmax,
    SoftmaxCrossEntropyWithLogits,
    SparseSoftmaxCrossEntropyWithLogits,
)
from typegrad.rules.broadcasting import sum_to_shape
from typegrad.rules.common import F, Gradients, OutputGradients


def softmax(scope: Scope, op: Softmax[F], grad: Output[F]) -> Gradients:
    return _through_softmax(scope, op, grad)


def _through_softmax(scope: Scope, y: Operand[F], grad: Operand[F]) -> Operand[F]:
    return (grad - Sum.create(scope, grad * y, -1, keep_dims=True)) * y


def log_softmax(scope: Scope, op: LogSoftmax[F], grad: Output[F]) -> Gradients:
    return grad - Sum.create(scope, grad, -1, keep_dims=True) * Exp.create(scope, op)


def softmax_cross_entropy_with_logits(
    scope: Scope, op: SoftmaxCrossEntropyWithLogits[F], grads: OutputGradients
) -> Gradients:
    """The second output, softmax - labels, is the gradient of the loss; it is differentiated only if it is used."""
    features, labels = op.inputs.features, op.inputs.labels

    def logits() -> Operand[F]:
        """The features, broadcast as the operation does."""
        if features.shape.is_static and features.shape == op.backprop.shape:
            return features
        return BroadcastTo.create(scope, features, Shape.create(scope, op.backprop))

    def grad_features() -> Operand[F] | None:
        parts = [_times_rows(scope, grads[0], op.backprop)] if grads.connected(0) else []
        if grads.connected(1):
            parts.append(_through_softmax(scope, Softmax.create(scope, logits()), grads[1]))
        return _sum_to(scope, parts, features)

    def grad_labels() -> Operand[F] | None:
        parts: list[Operand[F]] = []
        if grads.connected(0):
            parts.append(_times_rows(scope, grads[0], -LogSoftmax.create(scope, logits())))
        if grads.connected(1):
            parts.append(-grads[1])
        return _sum_to(scope, parts, labels)

    return grad_features, grad_labels


def _times_rows(scope: Scope, row: Operand[F], matrix: Operand[F]) -> Operand[F]:
    """Each row of a matrix times an element of a vector."""
    return ExpandDims.create(scope, row, -1) * matrix


def _sum_to(scope: Scope, parts: list[Operand[F]], target: Output[F]) -> Operand[F] | None:
    """The sum of at most two gradients, summed over the dimensions in which `target` was broadcast."""
    if not parts:
        return None
    total = parts[0] if len(parts) == 1 else parts[0] + parts[1]
    return sum_to_shape(scope, total.as_output(), target)


def sparse_softmax_cross_entropy_with_logits(
    scope: Scope, op: SparseSoftmaxCrossEntropyWithLogits[F], grads: OutputGradients
) -> Gradients:
    """As for dense labels."""
    features = op.inputs.features

    def grad_features() -> Operand[F] | None:
        parts = [_times_rows(scope, grads[0], op.backprop)] if grads.connected(0) else []
        if grads.connected(1):
            parts.append(_through_softmax(scope, Softmax.create(scope, features), grads[1]))
        return _sum_to(scope, parts, features)

    return grad_features


def l2_loss(scope: Scope, op: L2Loss[F], grad: Output[F]) -> Gradients:
    return op.inputs.t * grad
