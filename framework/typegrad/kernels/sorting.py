"""Kernels of `ops/sorting.yaml`. To order a part of an array is enough, so they run on NumPy only.

Bfloat16 is compared as float32: NumPy sorts it wrongly beside nan.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from typegrad.kernels.namespace import Array, DType, Namespace
from typegrad.kernels.precision import wide

FEW: Final = 4
"""If one element in so many is asked for, finding the smallest of them first takes less time than sorting all."""
LONG: Final = 1 << 12
"""The length of rows that are searched one by one."""
GROUPS: Final = 1 << 8
"""The number of groups of elements in such a row, at least."""
_FIRST_CLASSES: Final = 32
"""How many classes are compared with the target's at first."""
_MORE_CLASSES: Final = 8
"""By which factor more are compared the next time."""
_TOGETHER: Final = 32
"""How many truth values are counted together."""


def top_kv2(xp: Namespace, x: Array, k: Array, *, index_type: DType) -> tuple[Array, Array]:
    """The largest elements of each row and where they are, in descending order."""
    positions = _largest(xp, x, int(k))
    return xp.take_along_axis(x, positions, axis=-1), positions.astype(index_type)


def _largest(xp: Namespace, x: Array, count: int) -> Array:
    """The positions of the largest elements of each row, in descending order."""
    x, length = wide(x), x.shape[-1]
    if count == 1 < length and x.size:
        return xp.argmax(x, axis=-1)[..., None]
    if not 0 < count * FEW <= length or not x.size or _has_nan(x):
        return _descending(xp, x)[..., :count]
    rows = x.reshape(-1, length)
    if length < LONG:
        positions = _largest_of_rows(xp, rows, count)
    else:
        positions = xp.stack([_largest_of_row(xp, row, count) for row in rows])
    return positions.reshape(*x.shape[:-1], count)


def _largest_of_row(xp: Namespace, row: Array, count: int) -> Array:
    """The same for a long row: none of them is below the largest elements of `count` groups."""
    groups = min(max(GROUPS, 2 * FEW * count), len(row))
    largest = row[: len(row) // groups * groups].reshape(-1, groups).max(axis=0)
    near = np.flatnonzero(row >= np.partition(largest, groups - count)[groups - count])
    return np.asarray(near[_largest_of_rows(xp, row[None, near], count)[0]])


def _largest_of_rows(xp: Namespace, rows: Array, count: int) -> Array:
    """The same for the rows of a matrix, without nan."""
    length = rows.shape[1]
    if count * FEW > length:
        return _descending(xp, rows)[:, :count]
    least = np.partition(rows, length - count, axis=-1)[:, length - count, None]
    is_chosen = rows >= least
    if np.count_nonzero(is_chosen) > count * len(rows):  # of those equal to the least, the first ones
        is_above, is_least = rows > least, rows == least
        rest = count - is_above.sum(axis=-1, keepdims=True)
        is_chosen = is_above | is_least & (is_least.cumsum(axis=-1) <= rest)
    positions = np.nonzero(is_chosen)[1].reshape(len(rows), count)
    order = _descending(xp, xp.take_along_axis(rows, positions, axis=-1))
    return xp.take_along_axis(positions, order, axis=-1)


def smallest(xp: Namespace, x: Array, count: int) -> Array:
    """The positions of the smallest floats of each row, in ascending order, nan last."""
    return xp.argsort(x, axis=-1, stable=True)[..., :count] if _has_nan(x) else _largest(xp, -x, count)


def _has_nan(x: Array) -> bool:
    return x.dtype.kind not in "iu" and bool(np.isnan(x).any())


def _descending(xp: Namespace, x: Array) -> Array:
    """The positions of the elements of each row in descending order; of equal elements, the first one is first."""
    # It is ascending order, backwards, of the array backwards.
    backwards = xp.argsort(wide(x)[..., ::-1], axis=-1, stable=True)[..., ::-1]
    return xp.subtract(x.shape[-1] - 1, backwards)


def approx_top_k(xp: Namespace, x: Array, *, k: int, reduction_dimension: int, is_max_k: bool) -> tuple[Array, Array]:
    """The largest or smallest elements along a dimension, exactly, and where they are."""
    rows = xp.moveaxis(x, reduction_dimension, -1)
    order = _largest(xp, rows, k) if is_max_k else smallest(xp, wide(rows), k)
    positions = xp.moveaxis(order, -1, reduction_dimension)
    return xp.take_along_axis(x, positions, axis=reduction_dimension), positions.astype(xp.int32)


def in_top_kv2(xp: Namespace, predictions: Array, targets: Array, k: Array) -> Array:
    """Whether fewer than `k` predictions are strictly above the target's, in rows where all are finite.

    A few classes decide most rows, so ever more classes of ever fewer rows are compared.
    """
    count, classes = predictions.shape
    result = np.zeros(count, bool)
    (rows,) = np.nonzero((targets >= 0) & (targets < classes))
    chosen = predictions[rows, targets[rows]][:, None]
    higher = np.zeros(len(rows), np.int32)
    first, last = 0, _FIRST_CLASSES
    while first < classes and len(rows):
        part = predictions[rows if len(rows) < count else slice(None), first:last]
        higher += _counts(part > chosen)
        (is_open,) = np.nonzero(higher < k)
        rows, chosen, higher = rows[is_open], chosen[is_open], higher[is_open]
        first, last = last, _MORE_CLASSES * last
    result[rows] = np.isfinite(predictions[rows]).all(axis=1)
    return result


def _counts(rows: Array) -> Array:
    """How many elements of each row are true. As bits, they are counted together."""
    if rows.shape[1] % _TOGETHER:
        return np.asarray(rows.view(np.int8).sum(axis=1, dtype=np.int32))
    bits = np.packbits(rows).view(np.uint32).reshape(len(rows), rows.shape[1] // _TOGETHER)
    return np.asarray(np.bitwise_count(bits).sum(axis=1, dtype=np.int32))


def nth_element(xp: Namespace, x: Array, n: Array, *, reverse: bool) -> Array:
    """The element at position `n` in order. A partial sort is enough."""
    place = x.shape[-1] - 1 - int(n) if reverse else int(n)
    if not x.size:
        return xp.zeros(x.shape[:-1], x.dtype)
    return np.partition(wide(x), place, axis=-1)[..., place].astype(x.dtype)
