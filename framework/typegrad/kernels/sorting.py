"""Kernels of `ops/sorting.yaml`. Bfloat16 is compared as float32: NumPy sorts it wrongly beside nan."""

from __future__ import annotations

import numpy as np

from typegrad.kernels.namespace import Array, DType, Namespace
from typegrad.kernels.precision import wide


def top_kv2(xp: Namespace, x: Array, k: Array, *, index_type: DType) -> tuple[Array, Array]:
    """The largest elements of each row and where they are, in descending order."""
    positions = _descending(xp, x)[..., : int(k)]
    return xp.take_along_axis(x, positions, axis=-1), positions.astype(index_type)


def _descending(xp: Namespace, x: Array) -> Array:
    """The positions of the elements of each row in descending order; of equal elements, the first one is first."""
    # It is ascending order, backwards, of the array backwards.
    backwards = xp.argsort(wide(x)[..., ::-1], axis=-1, stable=True)[..., ::-1]
    return xp.subtract(x.shape[-1] - 1, backwards)


def approx_top_k(xp: Namespace, x: Array, *, k: int, reduction_dimension: int, is_max_k: bool) -> tuple[Array, Array]:
    """The largest or smallest elements along a dimension, exactly, and where they are."""
    rows = xp.moveaxis(x, reduction_dimension, -1)
    order = _descending(xp, rows) if is_max_k else xp.argsort(wide(rows), axis=-1, stable=True)
    positions = xp.moveaxis(order[..., :k], -1, reduction_dimension)
    return xp.take_along_axis(x, positions, axis=reduction_dimension), positions.astype(xp.int32)


def in_top_kv2(xp: Namespace, predictions: Array, targets: Array, k: Array) -> Array:
    """Whether fewer than `k` predictions are strictly above the target's, in rows where all are finite."""
    classes = predictions.shape[1]
    if classes == 0:
        return xp.zeros(targets.shape, bool)
    is_class = (targets >= 0) & (targets < classes)
    chosen = xp.take_along_axis(predictions, xp.where(is_class, targets, 0)[:, None], axis=1)
    higher = xp.sum(predictions > chosen, axis=1)
    return xp.logical_and(is_class & xp.all(xp.isfinite(predictions), axis=1), higher < k)


def nth_element(xp: Namespace, x: Array, n: Array, *, reverse: bool) -> Array:
    """The element at position `n` in order. A partial sort is enough: NumPy's only."""
    place = x.shape[-1] - 1 - int(n) if reverse else int(n)
    if not x.size:
        return xp.zeros(x.shape[:-1], x.dtype)
    return np.partition(wide(x), place, axis=-1)[..., place].astype(x.dtype)
