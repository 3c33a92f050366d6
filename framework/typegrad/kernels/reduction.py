"""Kernels of `ops/reduction.yaml`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from typegrad.kernels.checks import axes_of
from typegrad.kernels.precision import NARROW


def accumulated(function: Callable[..., Any], x: Any, axes: tuple[int, ...], keep_dims: bool) -> Any:
    """A reduction that accumulates in x's own dtype, or in float32 if that is narrow."""
    work = np.float32 if x.dtype in NARROW else x.dtype
    return function(x, axis=axes, keepdims=keep_dims, dtype=work).astype(x.dtype, copy=False)


def sum(xp: Any, x: Any, axes: Any, *, keep_dims: bool) -> Any:
    """The sum; 0 of nothing. Integers wrap."""
    return accumulated(xp.sum, x, axes_of(axes, x.ndim), keep_dims)


def prod(xp: Any, x: Any, axes: Any, *, keep_dims: bool) -> Any:
    """The product; 1 of nothing. Integers wrap."""
    return accumulated(xp.prod, x, axes_of(axes, x.ndim), keep_dims)


def max(xp: Any, x: Any, axes: Any, *, keep_dims: bool) -> Any:
    """The largest element, nan if there is one; the lowest value of the dtype for nothing."""
    lowest = xp.iinfo(x.dtype).min if x.dtype.kind in "iu" else -xp.inf
    return xp.max(x, axis=axes_of(axes, x.ndim), keepdims=keep_dims, initial=lowest)


def min(xp: Any, x: Any, axes: Any, *, keep_dims: bool) -> Any:
    """The smallest element, nan if there is one; the highest value of the dtype for nothing."""
    highest = xp.iinfo(x.dtype).max if x.dtype.kind in "iu" else xp.inf
    return xp.min(x, axis=axes_of(axes, x.ndim), keepdims=keep_dims, initial=highest)


def all(xp: Any, x: Any, axes: Any, *, keep_dims: bool) -> Any:
    """Whether every element is true."""
    return xp.all(x, axis=axes_of(axes, x.ndim), keepdims=keep_dims)


def any(xp: Any, x: Any, axes: Any, *, keep_dims: bool) -> Any:
    """Whether an element is true."""
    return xp.any(x, axis=axes_of(axes, x.ndim), keepdims=keep_dims)
