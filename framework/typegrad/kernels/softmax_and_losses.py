"""Kernels of `ops/softmax_and_losses.yaml`.

Rows are computed in place, as many at a time as fit into a cache: the kernels of softmax run on NumPy only.
"""

from __future__ import annotations

import math
from typing import Final, TypeAlias

import numpy as np

from typegrad.base.workers import for_each
from typegrad.kernels.checks import check_indices
from typegrad.kernels.namespace import NUMPY, Array, Namespace
from typegrad.kernels.precision import wide, widened
from typegrad.kernels.reduction import extreme, sum, sums_of_rows

_Rows: TypeAlias = tuple[Array, ...]

PART: Final = 2**19
"""How many elements are computed at once."""


def softmax(xp: Namespace, logits: Array) -> Array:
    """exp(x) / sum(exp(x)) along the last axis."""

    def function(x: Array) -> Array:
        result = xp.empty(x.shape, x.dtype)

        def work(rows: _Rows) -> None:
            logits, y = rows
            _shift(logits, y)
            np.exp(y, out=y)
            np.multiply(y, np.reciprocal(sums_of_rows(xp, y)), out=y)

        for_each(_parts(x, result), work)
        return result

    return widened(xp, function, logits)


def _parts(*arrays: Array) -> list[_Rows]:
    """Some rows at a time of arrays that have the same dimensions before the last one."""
    count = math.prod(arrays[0].shape[:-1])
    matrices = [array.reshape(count, array.shape[-1]) for array in arrays]
    step = max(1, PART // max(1, arrays[0].shape[-1]))
    starts = range(0, count, step)
    return [tuple([matrix[first : first + step] for matrix in matrices]) for first in starts]


def _shift(x: Array, out: Array) -> None:
    """`x` minus its maximum along the last axis, so that no exponential overflows."""
    np.subtract(x, extreme(np.maximum, -np.inf, x, (x.ndim - 1,), keep_dims=True, is_block=True), out=out)


def log_softmax(xp: Namespace, logits: Array) -> Array:
    """x - log(sum(exp(x))) along the last axis."""

    def function(x: Array) -> Array:
        result = xp.empty(x.shape, x.dtype)

        def work(rows: _Rows) -> None:
            logits, y = rows
            _shift(logits, y)
            np.subtract(y, np.log(sums_of_rows(xp, np.exp(y))), out=y)

        for_each(_parts(x, result), work)
        return result

    return widened(xp, function, logits)


def softmax_cross_entropy_with_logits(xp: Namespace, features: Array, labels: Array) -> tuple[Array, Array]:
    """The cross entropy of each row, and its gradient with respect to the logits."""
    shape = xp.broadcast_shapes(features.shape, labels.shape)
    x, y = xp.broadcast_to(wide(features), shape), xp.broadcast_to(wide(labels), shape)
    loss, backprop = xp.empty((shape[0], 1), x.dtype), xp.empty(shape, x.dtype)

    def work(rows: _Rows) -> None:
        logits, probabilities, entropy, result = rows
        shifted, total = _exponentials(logits, result)
        np.subtract(np.log(total), shifted, out=shifted)
        shifted *= probabilities
        entropy[...] = sums_of_rows(NUMPY, shifted)
        np.divide(result, total, out=result)
        np.subtract(result, probabilities, out=result)

    for_each(_parts(x, y, loss, backprop), work)
    return loss[:, 0].astype(features.dtype), backprop.astype(features.dtype, copy=False)


def _exponentials(x: Array, out: Array) -> tuple[Array, Array]:
    """The rows of `x` shifted to maximum 0, and the sums of their exponentials, which `out` is filled with."""
    shifted = np.empty(x.shape, x.dtype)
    _shift(x, shifted)
    np.exp(shifted, out=out)
    return shifted, sums_of_rows(NUMPY, out)


def sparse_softmax_cross_entropy_with_logits(xp: Namespace, features: Array, labels: Array) -> tuple[Array, Array]:
    """The cross entropy of each row with its label's class, and its gradient with respect to the logits."""
    classes = features.shape[1]
    check_indices("labels", labels, classes, "the number of classes")
    x = wide(features)
    loss, backprop = xp.empty((len(x), 1), x.dtype), xp.empty(x.shape, x.dtype)

    def work(rows: _Rows) -> None:
        logits, label, entropy, result = rows
        _shift(logits, result)
        of_label = np.take_along_axis(result, label, axis=1)
        np.exp(result, out=result)
        total = sums_of_rows(xp, result)
        np.subtract(np.log(total), of_label, out=entropy)
        np.divide(result, total, out=result)
        result[np.arange(len(label)), label[:, 0]] -= 1

    for_each(_parts(x, labels[:, None], loss, backprop), work)
    return loss[:, 0].astype(features.dtype), backprop.astype(features.dtype, copy=False)


def l2_loss(xp: Namespace, t: Array) -> Array:
    """Half the sum of squares."""
    return widened(xp, lambda x: sum(xp, x * x, xp.arange(x.ndim), keep_dims=False) / x.dtype.type(2), t)
