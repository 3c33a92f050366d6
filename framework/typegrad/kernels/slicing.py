"""Kernels of `ops/slicing.yaml`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import EllipsisType
from typing import TypeVar

from typegrad.kernels.namespace import Array, Index, Namespace

_Result = TypeVar("_Result")


def slice_(xp: Namespace, x: Array, begin: Array, size: Array) -> Array:
    """A block of x. Unlike Python's slices, it may not overrun."""
    bounds = zip(begin.tolist(), size.tolist(), x.shape, strict=True)
    block = (slice(first, length if count == -1 else first + count) for first, count, length in bounds)
    index: Index = (*block, ...)
    return x[index]


def at_slice(kernel: Callable[..., _Result]) -> Callable[..., _Result]:
    """A kernel, which takes vectors and masks, of a function that takes the NumPy index that they say, after the array.

    NumPy clamps ranges as TensorFlow does.
    """

    def with_masks(
        xp: Namespace,
        x: Array,
        begin: Array,
        end: Array,
        strides: Array,
        *rest: Array,
        begin_mask: int,
        end_mask: int,
        ellipsis_mask: int,
        new_axis_mask: int,
        shrink_axis_mask: int,
    ) -> _Result:
        masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
        index = tuple(_index_items(begin.tolist(), end.tolist(), strides.tolist(), masks))
        return kernel(xp, x, index if ... in index else (*index, ...), *rest)

    return with_masks


def _index_items(
    begin: list[int], end: list[int], strides: list[int], masks: tuple[int, ...]
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


@at_slice
def strided_slice(xp: Namespace, x: Array, index: Index) -> Array:
    """x[begin:end:strides], with masks that change what a position means."""
    return x[index]


@at_slice
def strided_slice_grad(xp: Namespace, shape: Array, index: Index, dy: Array) -> Array:
    """An array of zeros with dy where the slice was."""
    result = xp.full(tuple(shape.tolist()), b"" if dy.dtype == object else 0, dtype=dy.dtype)
    result[index] = dy
    return result


@at_slice
def tensor_strided_slice_update(xp: Namespace, x: Array, index: Index, value: Array) -> Array:
    """A copy of x with another slice."""
    result = x.copy()
    result[index] = value
    return result
