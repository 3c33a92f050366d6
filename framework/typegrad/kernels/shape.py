"""Kernels of `ops/shape.yaml`."""

from __future__ import annotations

import math
from itertools import accumulate

from typegrad.kernels.checks import axis_of, check_indices, ints
from typegrad.kernels.namespace import Array, DType, Namespace


def shape(xp: Namespace, x: Array, *, out_type: DType) -> Array:
    """The sizes of the dimensions."""
    return xp.asarray(x.shape, dtype=out_type)


def shape_n(xp: Namespace, xs: tuple[Array, ...], *, out_type: DType) -> tuple[Array, ...]:
    """The sizes of the dimensions of each input."""
    return tuple(xp.asarray(x.shape, dtype=out_type) for x in xs)


def size(xp: Namespace, x: Array, *, out_type: DType) -> Array:
    """The number of elements."""
    return xp.asarray(math.prod(x.shape), dtype=out_type)


def rank(xp: Namespace, x: Array) -> Array:
    """The number of dimensions."""
    return xp.asarray(len(x.shape), dtype=xp.int32)


def ensure_shape(xp: Namespace, x: Array) -> Array:
    """The input, unchanged: the shape function checks its shape."""
    return x


def broadcast_gradient_args(xp: Namespace, s0: Array, s1: Array) -> tuple[Array, Array]:
    """The dimensions that broadcasting repeats, of each shape."""
    a, b = ints(s0), ints(s1)
    if a == b:
        return xp.zeros(0, s0.dtype), xp.zeros(0, s0.dtype)
    rank = max(len(a), len(b))
    pairs = list(zip((1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b, strict=True))
    reduced = ([i for i, pair in enumerate(pairs) if pair[side] == 1] for side in (0, 1))
    first, second = (xp.asarray(axes, dtype=s0.dtype) for axes in reduced)
    return first, second


def broadcast_args(xp: Namespace, s0: Array, s1: Array) -> Array:
    """The shape that two shapes broadcast to."""
    a, b = ints(s0), ints(s1)
    rank = max(len(a), len(b))
    pairs = zip((1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b, strict=True)
    return xp.asarray([y if x == 1 else x for x, y in pairs], dtype=s0.dtype)


def concat_offset(xp: Namespace, concat_dim: Array, shape: tuple[Array, ...]) -> tuple[Array, ...]:
    """Where each array begins in the concatenation."""
    first = shape[0]
    is_joined = xp.arange(first.size) == axis_of(concat_dim, first.size)
    starts = accumulate(shape[:-1], initial=xp.zeros_like(first))
    return tuple(xp.where(is_joined, start, xp.zeros_like(first)) for start in starts)


def unravel_index(xp: Namespace, indices: Array, dims: Array) -> Array:
    """The coordinates of indices into a flat array."""
    sizes = ints(dims)
    check_indices("indices", indices, math.prod(sizes), f"the number of elements of an array of shape {list(sizes)}")
    steps = [math.prod(sizes[axis + 1 :]) for axis in range(len(sizes))]
    rows = [indices // step % size for step, size in zip(steps, sizes, strict=True)]
    return xp.stack(rows) if rows else xp.zeros((0, *indices.shape), indices.dtype)
