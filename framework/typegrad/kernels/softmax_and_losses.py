"""Kernels of `ops/softmax_and_losses.yaml`."""

from __future__ import annotations

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import wide, widened


def softmax(xp: Namespace, logits: Array) -> Array:
    """exp(x) / sum(exp(x)) along the last axis."""

    def function(x: Array) -> Array:
        powers = xp.exp(_shifted(xp, x))
        return powers / xp.sum(powers, axis=-1, keepdims=True)

    return widened(xp, function, logits)


def _shifted(xp: Namespace, x: Array) -> Array:
    """`x` minus its maximum along the last axis, which no exponential can overflow from."""
    return x - xp.max(x, axis=-1, keepdims=True, initial=-xp.inf)


def log_softmax(xp: Namespace, logits: Array) -> Array:
    """x - log(sum(exp(x))) along the last axis."""

    def function(x: Array) -> Array:
        shifted = _shifted(xp, x)
        return shifted - xp.log(xp.sum(xp.exp(shifted), axis=-1, keepdims=True))

    return widened(xp, function, logits)


def softmax_cross_entropy_with_logits(xp: Namespace, features: Array, labels: Array) -> tuple[Array, Array]:
    """The cross entropy of each row, and its gradient with respect to the logits."""
    shape = xp.broadcast_shapes(features.shape, labels.shape)
    x, y = xp.broadcast_to(wide(features), shape), xp.broadcast_to(wide(labels), shape)
    shifted, powers, total = _exponentials(xp, x)
    loss = xp.sum(y * (xp.log(total) - shifted), axis=1)
    return loss.astype(features.dtype), (powers / total - y).astype(features.dtype)


def _exponentials(xp: Namespace, x: Array) -> tuple[Array, Array, Array]:
    """The rows of `x` shifted to maximum 0, their exponentials, and the sums of these."""
    shifted = _shifted(xp, x)
    powers = xp.exp(shifted)
    return shifted, powers, xp.sum(powers, axis=1, keepdims=True)


def sparse_softmax_cross_entropy_with_logits(xp: Namespace, features: Array, labels: Array) -> tuple[Array, Array]:
    """The cross entropy of each row with its label's class, and its gradient with respect to the logits."""
    classes = features.shape[1]
    outside = labels[(labels < 0) | (labels >= classes)]
    if outside.size:
        raise InvalidArgumentError(f"`labels` contains {int(outside[0])}, which is outside [0, {classes})")
    shifted, powers, total = _exponentials(xp, wide(features))
    chosen = labels[:, None] == xp.arange(classes)
    loss = xp.log(total[:, 0]) - xp.take_along_axis(shifted, labels[:, None], axis=1)[:, 0]
    return loss.astype(features.dtype), (powers / total - chosen).astype(features.dtype)


def l2_loss(xp: Namespace, t: Array) -> Array:
    """Half the sum of squares."""
    return widened(xp, lambda x: xp.sum(x * x) / x.dtype.type(2), t)
