"""Kernels of `ops/joining.yaml`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

from typegrad.kernels.checks import axis_of, ints
from typegrad.kernels.namespace import Array, Index, Namespace


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
    return xp.concatenate(values, axis=int(axis))


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
