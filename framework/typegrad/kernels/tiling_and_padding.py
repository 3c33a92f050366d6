"""Kernels of `ops/tiling_and_padding.yaml`."""

from __future__ import annotations

from typing import Any

from typegrad.kernels.checks import ints


def tile(xp: Any, x: Any, multiples: Any) -> Any:
    """Repeat the input along each dimension."""
    return xp.tile(x, ints(multiples))


def broadcast_to(xp: Any, x: Any, shape: Any) -> Any:
    """Repeat the input along dimensions of size 1 and new leading ones."""
    return xp.broadcast_to(x, ints(shape))


def pad_v2(xp: Any, x: Any, paddings: Any, constant_values: Any) -> Any:
    """Put a border of one value around the input."""
    return xp.pad(x, paddings.tolist(), constant_values=constant_values) if x.ndim else x
