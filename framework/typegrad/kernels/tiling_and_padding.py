"""Kernels of `ops/tiling_and_padding.yaml`."""

from __future__ import annotations

from typing import Any

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.checks import ints, require_scalar, sizes_of


def tile(xp: Any, x: Any, multiples: Any) -> Any:
    """Copies side by side in every dimension."""
    counts = sizes_of(multiples, "multiples")
    if len(counts) != len(x.shape):
        raise InvalidArgumentError(f"`multiples` has {len(counts)} elements, but `input` has shape {list(x.shape)}")
    return xp.tile(x, counts)


def broadcast_to(xp: Any, x: Any, shape: Any) -> Any:
    """The input, repeated along dimensions of size 1 and new ones in front."""
    target = sizes_of(shape, "shape")
    lead = len(target) - len(x.shape)
    if lead < 0 or any(size not in (1, wanted) for size, wanted in zip(x.shape, target[lead:], strict=True)):
        raise InvalidArgumentError(f"`input` of shape {list(x.shape)} cannot be broadcast to {list(target)}")
    return xp.broadcast_to(x, target)


def pad_v2(xp: Any, x: Any, paddings: Any, constant_values: Any) -> Any:
    """A border of one value around the input."""
    require_scalar(constant_values, "constant_values")
    rank = len(x.shape)
    if paddings.shape != (rank, 2):
        raise InvalidArgumentError(f"`paddings` must have shape {[rank, 2]}, but has {list(paddings.shape)}")
    widths = [ints(pair) for pair in paddings]
    if any(width < 0 for pair in widths for width in pair):
        raise InvalidArgumentError(f"`paddings` must not be negative, but is {widths}")
    return xp.pad(x, widths, constant_values=constant_values) if rank else x
