"""Kernels of `ops/tiling_and_padding.yaml`. `mirror_pad_grad` adds in place, so it runs on NumPy only."""

from __future__ import annotations

from typegrad.kernels.checks import ints
from typegrad.kernels.namespace import Array, Index, Namespace


def tile(xp: Namespace, x: Array, multiples: Array) -> Array:
    """Repeat the input along each dimension."""
    return xp.tile(x, ints(multiples))


def broadcast_to(xp: Namespace, x: Array, shape: Array) -> Array:
    """Repeat the input along dimensions of size 1 and new leading ones."""
    return xp.broadcast_to(x, ints(shape))


def pad_v2(xp: Namespace, x: Array, paddings: Array, constant_values: Array) -> Array:
    """Put a border of one value around the input."""
    return xp.pad(x, paddings.tolist(), constant_values=constant_values) if x.ndim else x


def mirror_pad(xp: Namespace, x: Array, paddings: Array, *, mode: str) -> Array:
    """Put a border of mirrored elements around the input."""
    for axis, (before, after) in enumerate(paddings.tolist()):
        first, last = _mirrored(x.shape[axis], axis, before, after, mode)
        x = xp.concatenate([xp.flip(x[first], axis), x, xp.flip(x[last], axis)], axis=axis)
    return x


def _mirrored(size: int, axis: int, before: int, after: int, mode: str) -> tuple[Index, Index]:
    """The parts of a dimension of this size that are mirrored at its begin and its end."""
    skipped = 1 if mode == "REFLECT" else 0
    end = size - skipped
    rest = (slice(None),) * axis
    return (*rest, slice(skipped, skipped + before)), (*rest, slice(end - after, end))


def mirror_pad_grad(xp: Namespace, x: Array, paddings: Array, *, mode: str) -> Array:
    """Add the border to the elements that it mirrors."""
    for axis, (before, after) in enumerate(paddings.tolist()):
        rest, end = (slice(None),) * axis, x.shape[axis] - after
        inner = x[(*rest, slice(before, end))].copy()
        first, last = _mirrored(end - before, axis, before, after, mode)
        inner[first] += xp.flip(x[(*rest, slice(0, before))], axis)
        inner[last] += xp.flip(x[(*rest, slice(end, None))], axis)
        x = inner
    return x
