"""Kernels of `ops/slicing.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from typegrad.base.errors import InvalidArgumentError


def slice_(xp: Any, x: Any, begin: Any, size: Any) -> Any:
    """A block of x. Unlike Python's slices, it may not overrun."""
    if not begin.shape == size.shape == (x.ndim,):
        raise InvalidArgumentError(
            f"`begin` and `size` must be vectors of length {x.ndim}, the rank of `input`, "
            f"but have shapes {list(begin.shape)} and {list(size.shape)}"
        )
    block = []
    for axis, (first, count, length) in enumerate(zip(begin.tolist(), size.tolist(), x.shape, strict=True)):
        if not 0 <= first <= length:
            raise InvalidArgumentError(f"`begin[{axis}]` is {first}, but must be in [0, {length}]")
        stop = length if count == -1 else first + count
        if not first <= stop <= length:
            raise InvalidArgumentError(f"`size[{axis}]` is {count}, but must be -1 or in [0, {length - first}]")
        block.append(slice(first, stop))
    return x[(*block, ...)]  # the ellipsis keeps a string scalar an array


def _index(shape: tuple[int, ...], begin: Any, end: Any, strides: Any, masks: tuple[int, int, int, int, int]) -> Any:
    """The masks and vectors of a strided slice as the index that NumPy takes; NumPy clamps ranges just as TensorFlow does."""
    if not (begin.ndim == 1 and begin.shape == end.shape == strides.shape):
        raise InvalidArgumentError("`begin`, `end` and `strides` must be vectors of the same length")
    index = tuple(_index_items(begin.tolist(), end.tolist(), strides.tolist(), masks))
    if index.count(...) > 1:
        raise InvalidArgumentError("`ellipsis_mask` has several bits set, but there can be one ellipsis")
    used = sum(item is not None and item is not ... for item in index)
    if used > len(shape):
        raise InvalidArgumentError(f"{used} dimensions are indexed, but `input` has shape {list(shape)}")
    return index if ... in index else (*index, ...)


def _taken(x: Any, index: Any) -> Any:
    try:
        return x[index]
    except IndexError as error:
        raise InvalidArgumentError(f"`begin` is out of range: {error}") from None


def _index_items(
    begin: list[int], end: list[int], strides: list[int], masks: tuple[int, int, int, int, int]
) -> Iterator[Any]:
    for i, (first, last, step) in enumerate(zip(begin, end, strides, strict=True)):
        open_begin, open_end, ellipsis, new_axis, shrink = (mask >> i & 1 for mask in masks)
        if ellipsis:
            yield ...
        elif new_axis:
            yield None
        elif shrink:
            if step <= 0:
                raise InvalidArgumentError(
                    f"`strides[{i}]` is {step}, but must be positive where a single index is taken"
                )
            yield first
        elif step == 0:
            raise InvalidArgumentError(f"`strides[{i}]` must not be 0")
        else:
            yield slice(None if open_begin else first, None if open_end else last, step)


def strided_slice(
    xp: Any,
    x: Any,
    begin: Any,
    end: Any,
    strides: Any,
    *,
    begin_mask: int,
    end_mask: int,
    ellipsis_mask: int,
    new_axis_mask: int,
    shrink_axis_mask: int,
) -> Any:
    """x[begin:end:strides], with the masks that say what each position means."""
    masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    return _taken(x, _index(x.shape, begin, end, strides, masks))


def strided_slice_grad(
    xp: Any,
    shape: Any,
    begin: Any,
    end: Any,
    strides: Any,
    dy: Any,
    *,
    begin_mask: int,
    end_mask: int,
    ellipsis_mask: int,
    new_axis_mask: int,
    shrink_axis_mask: int,
) -> Any:
    """An array of zeros with dy where the slice was."""
    sizes = tuple(shape.tolist())
    masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    index = _index(sizes, begin, end, strides, masks)
    result = xp.full(sizes, b"" if dy.dtype == object else 0, dtype=dy.dtype)
    expected = _taken(result, index).shape
    if dy.shape != expected:
        raise InvalidArgumentError(f"`dy` has shape {list(dy.shape)}, but the slice has shape {list(expected)}")
    result[index] = dy
    return result
