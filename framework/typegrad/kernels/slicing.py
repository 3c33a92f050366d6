"""Kernels of `ops/slicing.yaml`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.checks import axis_of, check_indices


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


def _taken(x: Any, index: Any) -> Any:
    try:
        return x[index]
    except IndexError as error:
        raise InvalidArgumentError(f"`begin` is out of range: {error}") from None


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


def gather_v2(xp: Any, params: Any, indices: Any, axis: Any, *, batch_dims: int) -> Any:
    """The slices of params at the indices, along one axis, for each of the batch dimensions by itself."""
    dim = axis_of(axis, params.ndim)
    batch = _batch_dims(params, indices, dim, batch_dims)
    shape = (*params.shape[:dim], *indices.shape[batch:], *params.shape[dim + 1 :])
    if 0 in shape:  # nothing is looked up, so no index is out of range
        return xp.zeros(shape, params.dtype)
    check_indices(indices, params.shape[dim], f"the size of axis {dim} of `params`")
    if batch == 0:
        return xp.asarray(xp.take(params, indices, axis=dim), dtype=params.dtype)
    count, blocks = math.prod(params.shape[:batch]), math.prod(params.shape[batch:dim])
    table = params.reshape(count, blocks, params.shape[dim], -1)
    chosen = indices.reshape(count, 1, math.prod(indices.shape[batch:]))
    rows, columns = xp.arange(count)[:, None, None], xp.arange(blocks)[None, :, None]
    return table[rows, columns, chosen].reshape(shape)


def _batch_dims(params: Any, indices: Any, axis: int, batch_dims: int) -> int:
    if not -indices.ndim <= batch_dims <= indices.ndim:
        raise InvalidArgumentError(f"`batch_dims` is {batch_dims}, but must be in [{-indices.ndim}, {indices.ndim}]")
    batch = batch_dims + indices.ndim if batch_dims < 0 else batch_dims
    if batch > axis:
        raise InvalidArgumentError(f"`batch_dims` is {batch_dims}, but must not exceed `axis`, which is {axis}")
    if params.shape[:batch] != indices.shape[:batch]:
        raise InvalidArgumentError(
            f"the first {batch} dimensions of `params` and `indices` differ: {list(params.shape)} and {list(indices.shape)}"
        )
    return batch


def one_hot(xp: Any, indices: Any, depth: Any, on_value: Any, off_value: Any, *, axis: int) -> Any:
    """on_value at each index along a new axis, off_value elsewhere."""
    for name, value in (("depth", depth), ("on_value", on_value), ("off_value", off_value)):
        if value.ndim:
            raise InvalidArgumentError(f"`{name}` must be a scalar, but has shape {list(value.shape)}")
    if depth < 0:
        raise InvalidArgumentError(f"`depth` is {depth}, but cannot be negative")
    if not -1 <= axis <= indices.ndim:
        raise InvalidArgumentError(f"`axis` is {axis}, but must be -1 or in [0, {indices.ndim}]")
    position = indices.ndim if axis == -1 else axis
    places = xp.arange(int(depth)).reshape(-1, *(1,) * (indices.ndim - position))
    return xp.where(xp.expand_dims(indices, position) == places, on_value, off_value)


def select_v2(xp: Any, condition: Any, t: Any, e: Any) -> Any:
    """t where the condition holds, e elsewhere."""
    return xp.where(condition, t, e)


def where(xp: Any, x: Any) -> Any:
    """The positions of elements that are true or not zero, one a row."""
    if x.ndim == 0:
        raise InvalidArgumentError("`condition` must have rank 1 or more, but is a scalar")
    return xp.stack(xp.nonzero(x), axis=1).astype(xp.int64)
