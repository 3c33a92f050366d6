"""Kernels of `ops/bitwise.yaml`."""

from __future__ import annotations

from typegrad.kernels.namespace import Array, Namespace


def bitwise_and(xp: Namespace, x: Array, y: Array) -> Array:
    """The bits that both have."""
    return xp.bitwise_and(x, y)


def bitwise_or(xp: Namespace, x: Array, y: Array) -> Array:
    """The bits that at least one has."""
    return xp.bitwise_or(x, y)


def bitwise_xor(xp: Namespace, x: Array, y: Array) -> Array:
    """The bits that exactly one has."""
    return xp.bitwise_xor(x, y)


def invert(xp: Namespace, x: Array) -> Array:
    """The bits that x has not."""
    return xp.invert(x)


def left_shift(xp: Namespace, x: Array, y: Array) -> Array:
    """The bits moved up, out at the top."""
    return xp.left_shift(x, _count(xp, y))


def right_shift(xp: Namespace, x: Array, y: Array) -> Array:
    """The bits moved down; the sign stays."""
    return xp.right_shift(x, _count(xp, y))


def _count(xp: Namespace, y: Array) -> Array:
    """How far to shift: from 0 to one less than there are bits."""
    return xp.clip(y, 0, y.dtype.itemsize * 8 - 1)
