"""Kernels of `ops/joining.yaml`. The kernel of `ConcatV2` looks at the order in memory, so it runs on NumPy only."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Final

from typegrad.kernels.checks import axis_of, ints
from typegrad.kernels.namespace import Array, Index, Namespace

MANY: Final = 1 << 13
"""From so many elements on it is worth looking at them as rows."""


def pack(xp: Namespace, values: tuple[Array, ...], *, axis: int) -> Array:
    """Arrays of one shape along a new dimension."""
    return xp.stack(values, axis=axis)


def unpack(xp: Namespace, value: Array, *, num: int, axis: int) -> tuple[Array, ...]:
    """The slices along one dimension, without that dimension."""
    before = (slice(None),) * (axis % value.ndim)
    indices: Iterable[Index] = ((*before, i, ...) for i in range(num))
    return tuple(value[index] for index in indices)


def concat_v2(xp: Namespace, values: tuple[Array, ...], axis: Array) -> Array:
    """Arrays joined along an existing dimension."""
    at = axis_of(axis, values[0].ndim)
    size = math.prod(values[0].shape[:at])
    is_fast = size > 1 and all(
        each.size >= MANY and each.flags.c_contiguous and each.dtype != object for each in values
    )
    return _joined(xp, values, at, size) if is_fast else xp.concatenate(values, axis=at)


def _joined(xp: Namespace, values: tuple[Array, ...], axis: int, rows: int) -> Array:
    """Matrices side by side. A row of each is one element of so many bytes, which NumPy copies at once."""
    sizes = [value.size // rows for value in values]
    table = xp.empty((rows, sum(sizes)), values[0].dtype)
    for value, columns in zip(values, _parts(table, sizes, 1), strict=True):
        row = f"V{columns.shape[1] * value.itemsize}"
        columns.view(row)[...] = value.reshape(columns.shape).view(row)
    before, after = values[0].shape[:axis], values[0].shape[axis + 1 :]
    return table.reshape(*before, -1, *after)


def split(xp: Namespace, axis: Array, value: Array, *, num_split: int) -> tuple[Array, ...]:
    """Equal parts along one dimension."""
    at = axis_of(axis, len(value.shape))
    return _parts(value, [value.shape[at] // num_split] * num_split, at)


def _parts(value: Array, sizes: Sequence[int], axis: int) -> tuple[Array, ...]:
    before = (slice(None),) * axis
    return tuple(value[(*before, slice(end - size, end))] for size, end in zip(sizes, accumulate(sizes), strict=True))


def split_v(xp: Namespace, value: Array, size_splits: Array, axis: Array, *, num_split: int) -> tuple[Array, ...]:
    """Parts of the listed sizes along one dimension."""
    at, sizes = axis_of(axis, value.ndim), ints(size_splits)
    if -1 in sizes:
        rest = value.shape[at] - sum(sizes) - 1
        sizes = tuple(rest if size == -1 else size for size in sizes)
    return _parts(value, sizes, at)


def parallel_concat(xp: Namespace, values: tuple[Array, ...]) -> Array:
    """Rows, one after the other."""
    return xp.concatenate(values, axis=0)
