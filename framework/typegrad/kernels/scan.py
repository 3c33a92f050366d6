"""Kernels of `ops/scan.yaml`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from typegrad.kernels.checks import axis_of
from typegrad.kernels.precision import NARROW


def cumsum(xp: Any, x: Any, axis: Any, *, exclusive: bool, reverse: bool) -> Any:
    """Running sums."""
    return _scan(xp, xp.cumsum, 0, x, axis, exclusive=exclusive, reverse=reverse)


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


def cumprod(xp: Any, x: Any, axis: Any, *, exclusive: bool, reverse: bool) -> Any:
    """Running products."""
    return _scan(xp, xp.cumprod, 1, x, axis, exclusive=exclusive, reverse=reverse)
