"""Kernels of `ops/arrays.yaml`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, Final

from typegrad.base.errors import InvalidArgumentError, ShapeError
from typegrad.kernels.checks import axis_in, axis_of
from typegrad.shapes.values import reshape_sizes

MAX_LENGTH: Final = 2**63 - 1


def ints(vector: Any) -> list[int]:
    """The elements of an integer vector."""
    return [int(element) for element in vector]


def require_scalar(x: Any, name: str) -> None:
    """Refuse anything but a scalar."""
    if x.shape:
        raise InvalidArgumentError(f"`{name}` must be a scalar, but has shape {list(x.shape)}")


def sizes_of(vector: Any, name: str) -> tuple[int, ...]:
    """The elements of a vector of sizes."""
    if len(vector.shape) != 1:
        raise InvalidArgumentError(f"`{name}` must be a vector, but has shape {list(vector.shape)}")
    sizes = tuple(ints(vector))
    if any(size < 0 for size in sizes):
        raise InvalidArgumentError(f"`{name}` is {list(sizes)}, but a size cannot be negative")
    return sizes


# One array in another shape


def reshape(xp: Any, tensor: Any, shape: Any) -> Any:
    """The same elements, row by row, in another shape."""
    if len(shape.shape) != 1:
        raise InvalidArgumentError(f"`shape` must be a vector, but has shape {list(shape.shape)}")
    try:
        return tensor.reshape(reshape_sizes(tensor.shape, ints(shape)))
    except ShapeError as error:
        raise InvalidArgumentError(f"cannot reshape: {error}") from None


def expand_dims(xp: Any, x: Any, axis: Any) -> Any:
    """One more dimension, of size 1."""
    if math.prod(axis.shape) != 1:
        raise InvalidArgumentError(f"`axis` must have a single element, but has shape {list(axis.shape)}")
    return xp.expand_dims(x, axis_in(int(axis.reshape(())), len(x.shape) + 1))


def squeeze(xp: Any, x: Any, *, axis: Sequence[int]) -> Any:
    """Without the given dimensions of size 1; without all of them if none are given."""
    axes = {axis_in(each, len(x.shape)) for each in axis}
    wrong = next((each for each in axes if x.shape[each] != 1), None)
    if wrong is not None:
        raise InvalidArgumentError(f"dimension {wrong} of `input`, of shape {list(x.shape)}, is not of size 1")
    return xp.squeeze(x, axis=tuple(sorted(axes)) if axes else None)


# Arrays from scratch


def fill(xp: Any, dims: Any, value: Any) -> Any:
    """An array of one value."""
    require_scalar(value, "value")
    return xp.full(sizes_of(dims, "dims"), value, dtype=value.dtype)


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
    for name, x in (("start", start), ("limit", limit), ("delta", delta)):
        require_scalar(x, name)
    if delta == 0:
        raise InvalidArgumentError("`delta` must not be 0")
    if not (start <= limit if delta > 0 else start >= limit):
        raise InvalidArgumentError(f"`delta` is {delta}, which does not lead from `start` {start} to `limit` {limit}")
    index = xp.arange(_range_length(xp, start, limit, delta)).astype(start.dtype)
    return start + index * delta


def _range_length(xp: Any, start: Any, limit: Any, delta: Any) -> int:
    if start.dtype.kind in "iu":
        return -(-abs(int(limit) - int(start)) // abs(int(delta)))
    steps = float(abs((limit - start) / delta))
    if not steps <= MAX_LENGTH:
        raise InvalidArgumentError(f"from {start} to {limit} by {delta} there are too many elements")
    return math.ceil(steps)


def lin_space(xp: Any, start: Any, stop: Any, num: Any) -> Any:
    """Evenly spaced values; the first is exactly `start`, the last exactly `stop`."""
    for name, x in (("start", start), ("stop", stop), ("num", num)):
        require_scalar(x, name)
    count = int(num)
    if count < 1:
        raise InvalidArgumentError(f"`num` must be at least 1, but is {count}")
    start, stop = start.reshape(1), stop.reshape(1)
    if count == 1:
        return start
    step = (stop - start) / xp.asarray(count - 1).astype(start.dtype)
    return xp.concatenate((start, start + step * xp.arange(1, count - 1).astype(start.dtype), stop))


# Several arrays to one and back


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


def _parts(value: Any, sizes: Sequence[int], axis: int) -> tuple[Any, ...]:
    before = (slice(None),) * axis
    return tuple(value[(*before, slice(end - size, end))] for size, end in zip(sizes, accumulate(sizes), strict=True))


# Repetition and order


def tile(xp: Any, x: Any, multiples: Any) -> Any:
    """Copies side by side in every dimension."""
    counts = sizes_of(multiples, "multiples")
    if len(counts) != len(x.shape):
        raise InvalidArgumentError(f"`multiples` has {len(counts)} elements, but `input` has shape {list(x.shape)}")
    return xp.tile(x, counts)


def broadcast_to(xp: Any, x: Any, shape: Any) -> Any:
    """The input, repeated along dimensions of size 1 and new ones in front."""
    target = sizes_of(shape, "shape")
    lead = len(target) - len(x.shape)
    if lead < 0 or any(size not in (1, wanted) for size, wanted in zip(x.shape, target[lead:], strict=True)):
        raise InvalidArgumentError(f"`input` of shape {list(x.shape)} cannot be broadcast to {list(target)}")
    return xp.broadcast_to(x, target)


def reverse_v2(xp: Any, tensor: Any, axis: Any) -> Any:
    """The order of the elements turned around in the given dimensions."""
    if len(axis.shape) != 1:
        raise InvalidArgumentError(f"`axis` must be a vector, but has shape {list(axis.shape)}")
    axes = [axis_in(each, len(tensor.shape)) for each in ints(axis)]
    if len(set(axes)) != len(axes):
        raise InvalidArgumentError(f"`axis` names a dimension twice: {ints(axis)}")
    return xp.flip(tensor, axis=tuple(axes)) if axes else tensor


def pad_v2(xp: Any, x: Any, paddings: Any, constant_values: Any) -> Any:
    """A border of one value around the input."""
    require_scalar(constant_values, "constant_values")
    rank = len(x.shape)
    if paddings.shape != (rank, 2):
        raise InvalidArgumentError(f"`paddings` must have shape {[rank, 2]}, but has {list(paddings.shape)}")
    widths = [ints(pair) for pair in paddings]
    if any(width < 0 for pair in widths for width in pair):
        raise InvalidArgumentError(f"`paddings` must not be negative, but is {widths}")
    return xp.pad(x, widths, constant_values=constant_values) if rank else x


def broadcast_gradient_args(xp: Any, s0: Any, s1: Any) -> tuple[Any, Any]:
    """The dimensions that broadcasting repeats, of each shape."""
    for name, shape in (("s0", s0), ("s1", s1)):
        if len(shape.shape) != 1:
            raise InvalidArgumentError(f"`{name}` must be a vector, but has shape {list(shape.shape)}")
    a, b = ints(s0), ints(s1)
    if a == b:
        return xp.zeros(0, s0.dtype), xp.zeros(0, s0.dtype)
    rank = max(len(a), len(b))
    pairs = list(zip([1] * (rank - len(a)) + a, [1] * (rank - len(b)) + b, strict=True))
    if any(x != y and 1 not in (x, y) for x, y in pairs):
        raise InvalidArgumentError(f"shapes {a} and {b} do not broadcast")
    reduced = ([i for i, pair in enumerate(pairs) if pair[side] == 1] for side in (0, 1))
    first, second = (xp.asarray(axes, dtype=s0.dtype) for axes in reduced)
    return first, second
