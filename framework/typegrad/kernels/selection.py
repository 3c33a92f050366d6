"""Kernels of `ops/selection.yaml`."""

from __future__ import annotations

from typegrad.kernels.namespace import Array, Namespace


def select_v2(xp: Namespace, condition: Array, t: Array, e: Array) -> Array:
    """t where the condition holds, e elsewhere."""
    return xp.where(condition, t, e)


def where(xp: Namespace, x: Array) -> Array:
    """The positions of elements that are true or not zero, one a row."""
    return xp.stack(xp.nonzero(x), axis=1).astype(xp.int64)
