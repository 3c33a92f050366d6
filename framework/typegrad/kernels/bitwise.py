"""Kernels of `ops/bitwise.yaml`."""

from __future__ import annotations

from typegrad.kernels.namespace import Array, Namespace


def bitwise_and(xp: Namespace, x: Array, y: Array) -> Array:
    """The bits that are set in x and y."""
    return xp.bitwise_and(x, y)


def bitwise_or(xp: Namespace, x: Array, y: Array) -> Array:
    """The bits that are set in x, y or both."""
    return xp.bitwise_or(x, y)


def bitwise_xor(xp: Namespace, x: Array, y: Array) -> Array:
    """The bits that are set in exactly one of x and y."""
    return xp.bitwise_xor(x, y)


def invert(xp: Namespace, x: Array) -> Array:
    """The complement of the bits of x."""
    return xp.invert(x)


def left_shift(xp: Namespace, x: Array, y: Array) -> Array:
    """The bits moved up; bits beyond the top are lost."""
    return xp.left_shift(x, _count(xp, y))


def right_shift(xp: Namespace, x: Array, y: Array) -> Array:
    """The bits moved down; the sign is kept."""
    return xp.right_shift(x, _count(xp, y))


def _count(xp: Namespace, y: Array) -> Array:
    """The positions to shift by, clamped to 0 .. number of bits - 1."""
    return xp.clip(y, 0, y.dtype.itemsize * 8 - 1)


def population_count(xp: Namespace, x: Array) -> Array:
    """How many bits are set, in negative numbers as they are stored."""
    return xp.bitwise_count(x.view(f"u{x.dtype.itemsize}"))
