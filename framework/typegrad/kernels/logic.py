"""Kernels of `ops/logic.yaml`."""

from __future__ import annotations

from typing import Any


def logical_and(xp: Any, x: Any, y: Any) -> Any:
    """Whether both are true."""
    return xp.logical_and(x, y)


def logical_or(xp: Any, x: Any, y: Any) -> Any:
    """Whether at least one is true."""
    return xp.logical_or(x, y)


def logical_not(xp: Any, x: Any) -> Any:
    """The opposite."""
    return xp.logical_not(x)
