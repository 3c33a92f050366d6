"""Kernels of `ops/scan.yaml`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.checks import axes_of, axis_of
from typegrad.kernels.precision import NARROW, widened
from typegrad.kernels.reduction import accumulated
from typegrad.kernels.updating import at_rows


def mean(xp: Any, x: Any, axes: Any, *, keep_dims: bool) -> Any:
    """The sum over the count; integers are summed in 64 bits and truncated towards zero."""
    reduced = axes_of(axes, x.ndim)
    count = math.prod(x.shape[axis] for axis in reduced)
    if count == 0 and x.dtype.kind in "iuc":
        return accumulated(xp.sum, x, reduced, keep_dims)
    if x.dtype.kind in "iu":
        total = xp.sum(x, axis=reduced, keepdims=keep_dims, dtype=xp.uint64 if x.dtype.kind == "u" else xp.int64)
        return ((total - xp.fmod(total, count)) // count).astype(x.dtype)
    return widened(xp, lambda wide: accumulated(xp.sum, wide, reduced, keep_dims) / count, x)


def cumsum(xp: Any, x: Any, axis: Any, *, exclusive: bool, reverse: bool) -> Any:
    """Running sums."""
    return _scan(xp, xp.cumsum, 0, x, axis, exclusive=exclusive, reverse=reverse)


def cumprod(xp: Any, x: Any, axis: Any, *, exclusive: bool, reverse: bool) -> Any:
    """Running products."""
    return _scan(xp, xp.cumprod, 1, x, axis, exclusive=exclusive, reverse=reverse)


def _scan(
    xp: Any, function: Callable[..., Any], identity: int, x: Any, axis: Any, *, exclusive: bool, reverse: bool
) -> Any:
    index = axis_of(axis, x.ndim)
    if x.size == 0:
        return x
    steps = x.astype(np.float32) if x.dtype in NARROW else x
    steps = xp.flip(steps, index) if reverse else steps
    if exclusive:
        first, rest = ((slice(None),) * index + (part,) for part in (slice(0, 1), slice(0, -1)))
        steps = xp.concatenate([xp.full_like(steps[first], identity), steps[rest]], axis=index)
    result = function(steps, axis=index, dtype=steps.dtype).astype(x.dtype)
    return xp.flip(result, index) if reverse else result


def arg_max(xp: Any, x: Any, dimension: Any, *, output_type: Any) -> Any:
    """The position of the largest element, the first if there are several."""
    return _position(xp, xp.argmax, -xp.inf, x, dimension, output_type)


def arg_min(xp: Any, x: Any, dimension: Any, *, output_type: Any) -> Any:
    """The position of the smallest element, the first if there are several."""
    return _position(xp, xp.argmin, xp.inf, x, dimension, output_type)


def _position(xp: Any, function: Callable[..., Any], worst: float, x: Any, dimension: Any, output_type: Any) -> Any:
    axis = axis_of(dimension, x.ndim, "dimension")
    if x.shape[axis] == 0:
        raise InvalidArgumentError(f"`input` has shape {list(x.shape)}: axis {axis} is empty, so there is no position")
    if x.dtype.kind not in "biu":
        wide = x.astype(np.float32) if x.dtype in NARROW else x
        x = xp.where(xp.isnan(wide), wide.dtype.type(worst), wide)
    return function(x, axis=axis).astype(output_type)


def unsorted_segment_sum(xp: Any, data: Any, segment_ids: Any, num_segments: Any) -> Any:
    """Each row of data added to the segment that its id names; rows with a negative id are dropped."""
    if num_segments.ndim:
        raise InvalidArgumentError(f"`num_segments` must be a scalar, but has shape {list(num_segments.shape)}")
    count, rank = int(num_segments), segment_ids.ndim
    if count < 0:
        raise InvalidArgumentError(f"`num_segments` is {count}, but cannot be negative")
    if data.shape[:rank] != segment_ids.shape:
        raise InvalidArgumentError(
            f"`data` has shape {list(data.shape)}, which does not start with that of `segment_ids`, {list(segment_ids.shape)}"
        )
    ids = segment_ids.reshape(-1)
    rows = data.reshape(ids.size, *data.shape[rank:])
    if rows.size and ids.max() >= count:
        raise InvalidArgumentError(f"a segment id is {ids.max()}, but there are {count} segments")
    return widened(xp, lambda wide: _segment_sum(wide, ids, count), rows)


def _segment_sum(rows: Any, ids: Any, count: int) -> Any:
    result = np.zeros((count, *rows.shape[1:]), rows.dtype)
    if not rows.size:
        return result
    if ids.min() < 0:
        rows, ids = rows[ids >= 0], ids[ids >= 0]
    at_rows(np.add, result, ids, rows)
    return result


def invert_permutation(xp: Any, x: Any) -> Any:
    """Where each of 0 .. n-1 stands in x."""
    if x.ndim != 1:
        raise InvalidArgumentError(f"`x` must be a vector, but has shape {list(x.shape)}")
    inverse = xp.argsort(x)
    if not xp.array_equal(x[inverse], xp.arange(x.size)):
        raise InvalidArgumentError(f"`x` is {x.tolist()}, which does not hold each of 0 .. {x.size - 1} once")
    return inverse.astype(x.dtype)
