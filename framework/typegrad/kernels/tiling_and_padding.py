"""Kernels of `ops/tiling_and_padding.yaml`."""

from __future__ import annotations

from typegrad.kernels.checks import ints
from typegrad.kernels.namespace import Array, Namespace


def tile(xp: Namespace, x: Array, multiples: Array) -> Array:
    """Repeat the input along each dimension."""
    return xp.tile(x, ints(multiples))


def broadcast_to(xp: Namespace, x: Array, shape: Array) -> Array:
    """Repeat the input along dimensions of size 1 and new leading ones."""
    return xp.broadcast_to(x, ints(shape))


def pad_v2(xp: Namespace, x: Array, paddings: Array, constant_values: Array) -> Array:
    """Put a border of one value around the input."""
    return xp.pad(x, paddings.tolist(), constant_values=constant_values) if x.ndim else x
