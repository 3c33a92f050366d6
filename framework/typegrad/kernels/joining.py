"""Kernels of `ops/joining.yaml`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.checks import axis_in, axis_of, ints


def pack(xp: Any, values: tuple[Any, ...], *, axis: int) -> Any:
    """Arrays of one shape along a new dimension."""
    wrong = next((value for value in values if value.shape != values[0].shape), None)
    if wrong is not None:
        raise InvalidArgumentError(
            f"`values` must have one shape, but have {list(values[0].shape)} and {list(wrong.shape)}"
        )
    return xp.stack(values, axis=axis_in(axis, len(values[0].shape) + 1))


def unpack(xp: Any, value: Any, *, num: int, axis: int) -> tuple[Any, ...]:
    """The slices along one dimension, without that dimension."""
    axis = axis_in(axis, len(value.shape))
    if value.shape[axis] != num:
        raise InvalidArgumentError(
            f"dimension {axis} of `value`, of shape {list(value.shape)}, is not of size `num`, {num}"
        )
    before = (slice(None),) * axis
    return tuple(value[(*before, i, ...)] for i in range(num))


def concat_v2(xp: Any, values: tuple[Any, ...], axis: Any) -> Any:
    """Arrays joined along an existing dimension."""
    shape = values[0].shape
    if not shape:
        raise InvalidArgumentError("`values` are scalars, which cannot be concatenated; stack them")
    index = axis_of(axis, len(shape))
    for value in values[1:]:
        given = value.shape
        if len(given) != len(shape) or any(given[i] != size for i, size in enumerate(shape) if i != index):
            raise InvalidArgumentError(
                f"`values` must agree in all dimensions but {index}, but have {list(shape)} and {list(given)}"
            )
    return xp.concatenate(values, axis=index)


def split(xp: Any, axis: Any, value: Any, *, num_split: int) -> tuple[Any, ...]:
    """Equal parts along one dimension."""
    at = axis_of(axis, len(value.shape))
    size, rest = divmod(value.shape[at], num_split)
    if rest:
        raise InvalidArgumentError(
            f"dimension {at} of `value`, of shape {list(value.shape)}, cannot be split into {num_split}"
        )
    return _parts(value, [size] * num_split, at)


def _parts(value: Any, sizes: Sequence[int], axis: int) -> tuple[Any, ...]:
    before = (slice(None),) * axis
    return tuple(value[(*before, slice(end - size, end))] for size, end in zip(sizes, accumulate(sizes), strict=True))


def split_v(xp: Any, value: Any, size_splits: Any, axis: Any, *, num_split: int) -> tuple[Any, ...]:
    """Parts of given sizes along one dimension."""
    at = axis_of(axis, len(value.shape))
    if size_splits.shape != (num_split,):
        raise InvalidArgumentError(
            f"`size_splits` must be a vector of {num_split}, but has shape {list(size_splits.shape)}"
        )
    given, size = ints(size_splits), value.shape[at]
    sizes = given
    if num_split > 1 and given.count(-1) == 1:
        sizes = [size - sum(given) - 1 if part == -1 else part for part in given]
    if min(sizes) < 0 or sum(sizes) != size:
        raise InvalidArgumentError(f"dimension {at} of `value`, of size {size}, cannot be split into {given}")
    return _parts(value, sizes, at)
