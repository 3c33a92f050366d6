"""Kernels of `ops/softmax_and_losses.yaml`."""

from __future__ import annotations

from typing import Any

import numpy as np

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.precision import NARROW, widened


def softmax(xp: Any, logits: Any) -> Any:
    """exp(x) / sum(exp(x)) along the last axis."""

    def function(x: Any) -> Any:
        powers = xp.exp(_shifted(xp, x))
        return powers / xp.sum(powers, axis=-1, keepdims=True)

    return widened(xp, function, logits)


def _shifted(xp: Any, x: Any) -> Any:
    """`x` minus its maximum along the last axis, which no exponential can overflow from."""
    return x - xp.max(x, axis=-1, keepdims=True, initial=-xp.inf)


def log_softmax(xp: Any, logits: Any) -> Any:
    """x - log(sum(exp(x))) along the last axis."""

    def function(x: Any) -> Any:
        shifted = _shifted(xp, x)
        return shifted - xp.log(xp.sum(xp.exp(shifted), axis=-1, keepdims=True))

    return widened(xp, function, logits)


def softmax_cross_entropy_with_logits(xp: Any, features: Any, labels: Any) -> tuple[Any, Any]:
    """The cross entropy of each row, and its gradient with respect to the logits."""
    shape = xp.broadcast_shapes(features.shape, labels.shape)
    x, y = xp.broadcast_to(_wide(features), shape), xp.broadcast_to(_wide(labels), shape)
    shifted, powers, total = _exponentials(xp, x)
    loss = xp.sum(y * (xp.log(total) - shifted), axis=1)
    return loss.astype(features.dtype), (powers / total - y).astype(features.dtype)


def _exponentials(xp: Any, x: Any) -> tuple[Any, Any, Any]:
    """The rows of `x` shifted to maximum 0, their exponentials, and the sums of these."""
    shifted = _shifted(xp, x)
    powers = xp.exp(shifted)
    return shifted, powers, xp.sum(powers, axis=1, keepdims=True)


def _wide(x: Any) -> Any:
    return x.astype(np.float32) if x.dtype in NARROW else x


def sparse_softmax_cross_entropy_with_logits(xp: Any, features: Any, labels: Any) -> tuple[Any, Any]:
    """The cross entropy of each row with the class that its label names, and its gradient with respect to the logits."""
    classes = features.shape[1]
    outside = labels[(labels < 0) | (labels >= classes)]
    if outside.size:
        raise InvalidArgumentError(f"`labels` contains {int(outside[0])}, which is outside [0, {classes})")
    shifted, powers, total = _exponentials(xp, _wide(features))
    chosen = labels[:, None] == xp.arange(classes)
    loss = xp.log(total[:, 0]) - xp.take_along_axis(shifted, labels[:, None], axis=1)[:, 0]
    return loss.astype(features.dtype), (powers / total - chosen).astype(features.dtype)


def l2_loss(xp: Any, t: Any) -> Any:
    """Half the sum of squares."""
    return widened(xp, lambda x: xp.sum(x * x) / x.dtype.type(2), t)
