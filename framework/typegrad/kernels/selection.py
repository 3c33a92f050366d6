"""Kernels of `ops/selection.yaml`. `where` writes into an array, and is NumPy's only."""

from __future__ import annotations

import numpy as np

from typegrad.kernels.namespace import Array, Namespace


def select_v2(xp: Namespace, condition: Array, t: Array, e: Array) -> Array:
    """t where the condition holds, e elsewhere."""
    return xp.where(condition, t, e)


def where(xp: Namespace, x: Array) -> Array:
    """The positions of elements that are true or not zero, one a row."""
    flat = np.flatnonzero(x if x.dtype == bool else x != 0)
    result = np.empty((len(flat), x.ndim), np.int64)
    for axis in reversed(range(1, x.ndim)):
        rest = flat // x.shape[axis]
        np.subtract(flat, rest * x.shape[axis], out=result[:, axis])
        flat = rest
    result[:, :1] = flat[:, None]
    return result
