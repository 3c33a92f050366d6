"""Kernels of `ops/creation.yaml`. They write to arrays, so they run on NumPy only."""

from __future__ import annotations

import math

import numpy as np

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.checks import ints, is_integral, refuse
from typegrad.kernels.namespace import Array, DType, Namespace
from typegrad.kernels.updating import blank
from typegrad.shapes.creation import MAX_LENGTH, check_range


def const(xp: Namespace, *, value: Array) -> Array:
    """The array that the operation holds."""
    return value


def fill(xp: Namespace, dims: Array, value: Array) -> Array:
    """An array of one value."""
    return xp.full(ints(dims), value, dtype=value.dtype)


def zeros_like(xp: Namespace, x: Array) -> Array:
    """Zeros, false, or empty strings."""
    if x.dtype == object:
        return xp.full(x.shape, b"", dtype=object)
    return xp.zeros(x.shape, dtype=x.dtype)


def ones_like(xp: Namespace, x: Array) -> Array:
    """Ones, or true."""
    return xp.ones(x.shape, dtype=x.dtype)


def arange(xp: Namespace, start: Array, limit: Array, delta: Array) -> Array:
    """start, start + delta, ... below limit; each element is computed from its index, so errors do not accumulate."""
    if not is_integral(start):
        refuse(check_range, start, limit, delta)
    is_wide = is_integral(start) and start.itemsize >= 4
    count = _range_length(xp, start, limit, delta)
    # An index may exceed a narrow type, which then wraps.
    result = np.arange(count, dtype=start.dtype if is_wide else np.int64).astype(start.dtype, copy=False)
    result *= delta
    result += start
    return result


def _range_length(xp: Namespace, start: Array, limit: Array, delta: Array) -> int:
    if is_integral(start):
        steps: float = -(-abs(int(limit) - int(start)) // abs(int(delta)))
    else:
        steps = float(abs((limit - start) / delta))
    if not steps <= MAX_LENGTH:
        raise InvalidArgumentError(
            f"`delta` is {delta!s}, which makes too many elements from `start` {start!s} to `limit` {limit!s}; give "
            "larger steps"
        )
    return math.ceil(steps)


def lin_space(xp: Namespace, start: Array, stop: Array, num: Array) -> Array:
    """Evenly spaced values; the first is exactly `start`, the last exactly `stop`."""
    count = int(num)
    start, stop = start.reshape(1), stop.reshape(1)
    if count == 1:
        return start
    step = (stop - start) / xp.asarray(count - 1).astype(start.dtype)
    return xp.concatenate((start, start + step * xp.arange(1, count - 1).astype(start.dtype), stop))


def one_hot(xp: Namespace, indices: Array, depth: Array, on_value: Array, off_value: Array, *, axis: int) -> Array:
    """on_value at each index along a new axis, off_value elsewhere."""
    position, size = indices.ndim if axis == -1 else axis, int(depth)
    before, after = indices.shape[:position], indices.shape[position:]
    rows, columns = math.prod(before), math.prod(after)
    result = np.full((rows, size, columns), off_value, off_value.dtype)
    chosen = indices.reshape(-1)
    is_within = (chosen >= 0) & (chosen < size)
    firsts = np.arange(rows)[:, None] * (size * columns) + np.arange(columns)
    result.reshape(-1)[(firsts.reshape(-1) + chosen.astype(np.int64) * columns)[is_within]] = on_value
    return result.reshape(*before, size, *after)


def empty(xp: Namespace, shape: Array, *, dtype: DType) -> Array:
    """Zeros, false, or empty strings."""
    return blank(xp, ints(shape), dtype)


def fact(xp: Namespace) -> Array:
    """The fact that TensorFlow states."""
    return xp.full((), b"0! == 1", object)
