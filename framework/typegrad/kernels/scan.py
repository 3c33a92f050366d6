"""Kernels of `ops/scan.yaml`. `cumulative_logsumexp` accumulates by a function of two arrays: on NumPy only."""

from __future__ import annotations

import numpy as np

from typegrad.kernels.checks import axis_of
from typegrad.kernels.namespace import Array, Function, Namespace
from typegrad.kernels.precision import wide


def cumsum(xp: Namespace, x: Array, axis: Array, *, exclusive: bool, reverse: bool) -> Array:
    """Running sums, which begin with 0, so that none is -0."""
    return _scan(xp, xp.cumsum, 0, x, axis, exclusive=exclusive, reverse=reverse) + xp.zeros((), x.dtype)


def _scan(
    xp: Namespace, function: Function, identity: float, x: Array, axis: Array, *, exclusive: bool, reverse: bool
) -> Array:
    index = axis_of(axis, x.ndim)
    if x.size == 0:
        return x
    steps = wide(x)
    steps = xp.flip(steps, index) if reverse else steps
    if exclusive:
        first, rest = ((slice(None),) * index + (part,) for part in (slice(0, 1), slice(0, -1)))
        steps = xp.concatenate([xp.full_like(steps[first], identity), steps[rest]], axis=index)
    result = function(steps, axis=index, dtype=steps.dtype).astype(x.dtype)
    return xp.flip(result, index) if reverse else result


def cumprod(xp: Namespace, x: Array, axis: Array, *, exclusive: bool, reverse: bool) -> Array:
    """Running products."""
    return _scan(xp, xp.cumprod, 1, x, axis, exclusive=exclusive, reverse=reverse)


def cumulative_logsumexp(xp: Namespace, x: Array, axis: Array, *, exclusive: bool, reverse: bool) -> Array:
    """The logarithms of running sums of exponentials."""
    return _scan(xp, np.logaddexp.accumulate, -xp.inf, x, axis, exclusive=exclusive, reverse=reverse)
