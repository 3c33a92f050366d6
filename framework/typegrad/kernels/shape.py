"""Kernels of `ops/shape.yaml`."""

from __future__ import annotations

import math

from typegrad.kernels.checks import ints
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
