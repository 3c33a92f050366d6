"""Kernels of `ops/reduction.yaml`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from typegrad.kernels.checks import axes_of
from typegrad.kernels.precision import NARROW, widened


def accumulated(function: Callable[..., Any], x: Any, axes: tuple[int, ...], keep_dims: bool) -> Any:
    """A reduction that accumulates in x's own dtype, or in float32 if that is narrow."""
    work = np.float32 if x.dtype in NARROW else x.dtype
    return function(x, axis=axes, keepdims=keep_dims, dtype=work).astype(x.dtype, copy=False)


def sum(xp: Any, x: Any, axes: Any, *, keep_dims: bool) -> Any:
    """The sum; 0 of nothing. Integers wrap."""
    return accumulated(xp.sum, x, axes_of(axes), keep_dims)


def mean(xp: Any, x: Any, axes: Any, *, keep_dims: bool) -> Any:
    """The sum over the count; integers are summed in 64 bits and truncated towards zero."""
    reduced = axes_of(axes)
    count = math.prod(x.shape[axis] for axis in reduced)
    if count == 0 and x.dtype.kind in "iuc":
        return accumulated(xp.sum, x, reduced, keep_dims)
    if x.dtype.kind in "iu":
        total = xp.sum(x, axis=reduced, keepdims=keep_dims, dtype=xp.uint64 if x.dtype.kind == "u" else xp.int64)
        return ((total - xp.fmod(total, count)) // count).astype(x.dtype)
    return widened(xp, lambda wide: accumulated(xp.sum, wide, reduced, keep_dims) / count, x)


def prod(xp: Any, x: Any, axes: Any, *, keep_dims: bool) -> Any:
    """The product; 1 of nothing. Integers wrap."""
    return accumulated(xp.prod, x, axes_of(axes), keep_dims)


def max(xp: Any, x: Any, axes: Any, *, keep_dims: bool) -> Any:
    """The largest element, nan if there is one; the lowest value of the dtype for nothing."""
    lowest = xp.iinfo(x.dtype).min if x.dtype.kind in "iu" else -xp.inf
    return xp.max(x, axis=axes_of(axes), keepdims=keep_dims, initial=lowest)


def min(xp: Any, x: Any, axes: Any, *, keep_dims: bool) -> Any:
    """The smallest element, nan if there is one; the highest value of the dtype for nothing."""
    highest = xp.iinfo(x.dtype).max if x.dtype.kind in "iu" else xp.inf
    return xp.min(x, axis=axes_of(axes), keepdims=keep_dims, initial=highest)


def all(xp: Any, x: Any, axes: Any, *, keep_dims: bool) -> Any:
    """Whether every element is true."""
    return xp.all(x, axis=axes_of(axes), keepdims=keep_dims)


def any(xp: Any, x: Any, axes: Any, *, keep_dims: bool) -> Any:
    """Whether an element is true."""
    return xp.any(x, axis=axes_of(axes), keepdims=keep_dims)


def arg_max(xp: Any, x: Any, dimension: Any, *, output_type: Any) -> Any:
    """The position of the largest element, the first if there are several."""
    return _position(xp, xp.argmax, -xp.inf, x, dimension, output_type)


def _position(xp: Any, function: Callable[..., Any], worst: float, x: Any, dimension: Any, output_type: Any) -> Any:
    axis = int(dimension)
    if x.dtype.kind not in "biu":
        wide = x.astype(np.float32) if x.dtype in NARROW else x
        x = xp.where(xp.isnan(wide), wide.dtype.type(worst), wide)
    return function(x, axis=axis).astype(output_type)


def arg_min(xp: Any, x: Any, dimension: Any, *, output_type: Any) -> Any:
    """The position of the smallest element, the first if there are several."""
    return _position(xp, xp.argmin, xp.inf, x, dimension, output_type)
