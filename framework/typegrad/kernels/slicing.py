"""Kernels of `ops/slicing.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from types import EllipsisType

from typegrad.kernels.namespace import Array, Index, Namespace


def slice_(xp: Namespace, x: Array, begin: Array, size: Array) -> Array:
    """A block of x. Unlike Python's slices, it may not overrun."""
    bounds = zip(begin.tolist(), size.tolist(), x.shape, strict=True)
    block = (slice(first, length if count == -1 else first + count) for first, count, length in bounds)
    index: Index = (*block, ...)
    return x[index]


def index_of(begin: Array, end: Array, strides: Array, masks: tuple[int, int, int, int, int]) -> Index:
    """The NumPy index for the masks and vectors of a strided slice; NumPy clamps ranges as TensorFlow does."""
    index = tuple(_index_items(begin.tolist(), end.tolist(), strides.tolist(), masks))
    return index if ... in index else (*index, ...)


def _index_items(
    begin: list[int], end: list[int], strides: list[int], masks: tuple[int, int, int, int, int]
) -> Iterator[int | slice | EllipsisType | None]:
    for i, (first, last, step) in enumerate(zip(begin, end, strides, strict=True)):
        open_begin, open_end, ellipsis, new_axis, shrink = (mask >> i & 1 for mask in masks)
        if ellipsis:
            yield ...
        elif new_axis:
            yield None
        elif shrink:
            yield first
        else:
            yield slice(None if open_begin else first, None if open_end else last, step)


def strided_slice(
    xp: Namespace,
    x: Array,
    begin: Array,
    end: Array,
    strides: Array,
    *,
    begin_mask: int,
    end_mask: int,
    ellipsis_mask: int,
    new_axis_mask: int,
    shrink_axis_mask: int,
) -> Array:
    """x[begin:end:strides], with masks that change what a position means."""
    masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    return x[index_of(begin, end, strides, masks)]


def strided_slice_grad(
    xp: Namespace,
    shape: Array,
    begin: Array,
    end: Array,
    strides: Array,
    dy: Array,
    *,
    begin_mask: int,
    end_mask: int,
    ellipsis_mask: int,
    new_axis_mask: int,
    shrink_axis_mask: int,
) -> Array:
    """An array of zeros with dy where the slice was."""
    masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    result = xp.full(tuple(shape.tolist()), b"" if dy.dtype == object else 0, dtype=dy.dtype)
    result[index_of(begin, end, strides, masks)] = dy
    return result


def tensor_strided_slice_update(
    xp: Namespace,
    x: Array,
    begin: Array,
    end: Array,
    strides: Array,
    value: Array,
    *,
    begin_mask: int,
    end_mask: int,
    ellipsis_mask: int,
    new_axis_mask: int,
    shrink_axis_mask: int,
) -> Array:
    """A copy of x with another slice."""
    masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    result = x.copy()
    result[index_of(begin, end, strides, masks)] = value
    return result
