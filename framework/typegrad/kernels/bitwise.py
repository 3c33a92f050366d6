"""Kernels of `ops/bitwise.yaml`."""

from __future__ import annotations

from typing import Any


def bitwise_and(xp: Any, x: Any, y: Any) -> Any:
    """The bits that both have."""
    return xp.bitwise_and(x, y)


def bitwise_or(xp: Any, x: Any, y: Any) -> Any:
    """The bits that at least one has."""
    return xp.bitwise_or(x, y)


def bitwise_xor(xp: Any, x: Any, y: Any) -> Any:
    """The bits that exactly one has."""
    return xp.bitwise_xor(x, y)


def invert(xp: Any, x: Any) -> Any:
    """The bits that x has not."""
    return xp.invert(x)


def left_shift(xp: Any, x: Any, y: Any) -> Any:
    """The bits moved up, out at the top."""
    return xp.left_shift(x, _count(xp, y))


def right_shift(xp: Any, x: Any, y: Any) -> Any:
    """The bits moved down; the sign stays."""
    return xp.right_shift(x, _count(xp, y))


def _count(xp: Any, y: Any) -> Any:
    """How far to shift: from 0 to one less than there are bits."""
    return xp.clip(y, 0, y.dtype.itemsize * 8 - 1)
