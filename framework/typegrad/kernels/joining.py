"""Kernels of `ops/joining.yaml`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from typegrad.kernels.checks import axis_of, ints


def pack(xp: Any, values: tuple[Any, ...], *, axis: int) -> Any:
    """Arrays of one shape along a new dimension."""
    return xp.stack(values, axis=axis)


def unpack(xp: Any, value: Any, *, num: int, axis: int) -> tuple[Any, ...]:
    """The slices along one dimension, without that dimension."""
    before = (slice(None),) * (axis % value.ndim)
    return tuple(value[(*before, i, ...)] for i in range(num))


def concat_v2(xp: Any, values: tuple[Any, ...], axis: Any) -> Any:
    """Arrays joined along an existing dimension."""
    return xp.concatenate(values, axis=int(axis))


def split(xp: Any, axis: Any, value: Any, *, num_split: int) -> tuple[Any, ...]:
    """Equal parts along one dimension."""
    at = axis_of(axis, len(value.shape))
    return _parts(value, [value.shape[at] // num_split] * num_split, at)


def _parts(value: Any, sizes: Sequence[int], axis: int) -> tuple[Any, ...]:
    before = (slice(None),) * axis
    return tuple(value[(*before, slice(end - size, end))] for size, end in zip(sizes, accumulate(sizes), strict=True))


def split_v(xp: Any, value: Any, size_splits: Any, axis: Any, *, num_split: int) -> tuple[Any, ...]:
    """Parts of given sizes along one dimension."""
    at, sizes = axis_of(axis, value.ndim), ints(size_splits)
    if -1 in sizes:
        rest = value.shape[at] - sum(sizes) - 1
        sizes = tuple(rest if size == -1 else size for size in sizes)
    return _parts(value, sizes, at)
