"""Kernels of `ops/shape.yaml`."""

from __future__ import annotations

import math
from typing import Any

from typegrad.kernels.checks import ints


def shape(xp: Any, x: Any, *, out_type: Any) -> Any:
    """The sizes of the dimensions."""
    return xp.asarray(x.shape, dtype=out_type)


def shape_n(xp: Any, xs: tuple[Any, ...], *, out_type: Any) -> tuple[Any, ...]:
    """The sizes of the dimensions of each input."""
    return tuple(xp.asarray(x.shape, dtype=out_type) for x in xs)


def size(xp: Any, x: Any, *, out_type: Any) -> Any:
    """The number of elements."""
    return xp.asarray(math.prod(x.shape), dtype=out_type)


def rank(xp: Any, x: Any) -> Any:
    """The number of dimensions."""
    return xp.asarray(len(x.shape), dtype=xp.int32)


def ensure_shape(xp: Any, x: Any) -> Any:
    """The input, unchanged: the shape function makes sure of its shape."""
    return x


def broadcast_gradient_args(xp: Any, s0: Any, s1: Any) -> tuple[Any, Any]:
    """The dimensions that broadcasting repeats, of each shape."""
    a, b = ints(s0), ints(s1)
    if a == b:
        return xp.zeros(0, s0.dtype), xp.zeros(0, s0.dtype)
    rank = max(len(a), len(b))
    pairs = list(zip((1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b, strict=True))
    reduced = ([i for i, pair in enumerate(pairs) if pair[side] == 1] for side in (0, 1))
    first, second = (xp.asarray(axes, dtype=s0.dtype) for axes in reduced)
    return first, second
