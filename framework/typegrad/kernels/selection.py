"""Kernels of `ops/selection.yaml`. `where` writes into an array, so it runs on NumPy only."""

from __future__ import annotations

from typing import Final

import numpy as np

from typegrad.kernels.namespace import Array, Namespace

AT_ONCE: Final = 1 << 14
"""The positions of so many elements are computed at once, in the processor's cache."""


def select_v2(xp: Namespace, condition: Array, t: Array, e: Array) -> Array:
    """t where the condition holds, e elsewhere."""
    return xp.where(condition, t, e)


def where(xp: Namespace, x: Array) -> Array:
    """The positions of elements that are true or not zero, one a row."""
    flat = np.flatnonzero(x if x.dtype == bool else x != 0)
    result = np.empty((len(flat), x.ndim), np.int64)
    for first in range(0, len(flat), AT_ONCE):
        _unravel(flat[first : first + AT_ONCE], x.shape, result[first : first + AT_ONCE])
    return result


def _unravel(flat: Array, shape: tuple[int, ...], positions: Array) -> None:
    """Write positions in an array of this shape, given as indices of its elements."""
    for axis in reversed(range(1, len(shape))):
        rest = flat // shape[axis]
        np.subtract(flat, rest * shape[axis], out=positions[:, axis])
        flat = rest
    positions[:, :1] = flat[:, None]
