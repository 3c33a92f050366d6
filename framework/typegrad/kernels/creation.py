"""Kernels of `ops/creation.yaml`."""

from __future__ import annotations

import math
from typing import Any, Final

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.checks import ints, is_integral, refuse
from typegrad.shapes.creation import check_range

MAX_LENGTH: Final = 2**63 - 1


def const(xp: Any, *, value: Any) -> Any:
    """The array that the operation holds."""
    return value


def fill(xp: Any, dims: Any, value: Any) -> Any:
    """An array of one value."""
    return xp.full(ints(dims), value, dtype=value.dtype)


def zeros_like(xp: Any, x: Any) -> Any:
    """Zeros, false, or empty strings."""
    if x.dtype == object:
        return xp.full(x.shape, b"", dtype=object)
    return xp.zeros(x.shape, dtype=x.dtype)


def ones_like(xp: Any, x: Any) -> Any:
    """Ones, or true."""
    return xp.ones(x.shape, dtype=x.dtype)


def arange(xp: Any, start: Any, limit: Any, delta: Any) -> Any:
    """start, start + delta, ... up to but without limit; each element is computed from its index, so errors do not add up."""
    if not is_integral(start):
        refuse(check_range, start, limit, delta)
    index = xp.arange(_range_length(xp, start, limit, delta)).astype(start.dtype)
    return start + index * delta


def _range_length(xp: Any, start: Any, limit: Any, delta: Any) -> int:
    if is_integral(start):
        return -(-abs(int(limit) - int(start)) // abs(int(delta)))
    steps = float(abs((limit - start) / delta))
    if not steps <= MAX_LENGTH:
        raise InvalidArgumentError(f"from {start} to {limit} by {delta} there are too many elements")
    return math.ceil(steps)


def lin_space(xp: Any, start: Any, stop: Any, num: Any) -> Any:
    """Evenly spaced values; the first is exactly `start`, the last exactly `stop`."""
    count = int(num)
    start, stop = start.reshape(1), stop.reshape(1)
    if count == 1:
        return start
    step = (stop - start) / xp.asarray(count - 1).astype(start.dtype)
    return xp.concatenate((start, start + step * xp.arange(1, count - 1).astype(start.dtype), stop))


def one_hot(xp: Any, indices: Any, depth: Any, on_value: Any, off_value: Any, *, axis: int) -> Any:
    """on_value at each index along a new axis, off_value elsewhere."""
    position = indices.ndim if axis == -1 else axis
    places = xp.arange(int(depth)).reshape(-1, *(1,) * (indices.ndim - position))
    return xp.where(xp.expand_dims(indices, position) == places, on_value, off_value)
