"""Kernels of `ops/logic.yaml`."""

from __future__ import annotations

from typegrad.kernels.namespace import Array, Namespace


def logical_and(xp: Namespace, x: Array, y: Array) -> Array:
    """Whether both are true."""
    return xp.logical_and(x, y)


def logical_or(xp: Namespace, x: Array, y: Array) -> Array:
    """Whether at least one is true."""
    return xp.logical_or(x, y)


def logical_not(xp: Namespace, x: Array) -> Array:
    """The opposite."""
    return xp.logical_not(x)
