"""Kernels of `ops/reshaping.yaml`. `invert_permutation` writes into an array, so it runs on NumPy only."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from typegrad.base.brief import counted
from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.checks import axes_of, check_indices, first, ints
from typegrad.kernels.complex import conjugated
from typegrad.kernels.namespace import Array, Namespace
from typegrad.shapes.values import reshape_sizes


def reshape(xp: Namespace, tensor: Array, shape: Array) -> Array:
    """The same elements, row by row, in another shape."""
    sizes = ints(shape)
    if -1 in sizes:
        sizes = reshape_sizes(tensor.shape, sizes)
    # NumPy's error says that it is too big; to reshape an empty array that is too big is another error.
    return xp.reshape(tensor, sizes) if tensor.size else xp.empty(sizes, dtype=tensor.dtype)


def expand_dims(xp: Namespace, x: Array, axis: Array) -> Array:
    """Insert a dimension of size 1."""
    return xp.expand_dims(x, int(axis.reshape(())))


def squeeze(xp: Namespace, x: Array, *, axis: Sequence[int]) -> Array:
    """Remove the listed dimensions of size 1, or all of them if none is listed."""
    axes = {each % x.ndim for each in axis}
    return xp.squeeze(x, axis=tuple(sorted(axes)) if axes else None)


def transpose(xp: Namespace, x: Array, perm: Array) -> Array:
    """Dimension `perm[i]` of the input becomes dimension i."""
    return xp.transpose(x, ints(perm))


def conjugate_transpose(xp: Namespace, x: Array, perm: Array) -> Array:
    """The same, conjugated."""
    return conjugated(xp, transpose(xp, x, perm))


def invert_permutation(xp: Namespace, x: Array) -> Array:
    """The position of each of 0 .. n-1 in x."""
    inverse = np.full_like(x, -1)
    if is_inside := not x.size or bool(x.min() >= 0 and x.max() < x.size):
        inverse[x] = np.arange(x.size)
    if not is_inside or (inverse < 0).any():
        raise InvalidArgumentError(f"`x` must hold each of 0 .. {x.size - 1} once, but {_misplaced(x)}")
    return inverse


def _misplaced(x: Array) -> str:
    """The first element of x that is out of range or equal to one before it."""
    is_outside = (x < 0) | (x >= x.size)
    if is_outside.any():
        return first("x", x, is_outside)
    is_repeated = np.full(x.shape, True)
    is_repeated[np.unique(x, return_index=True)[1]] = False
    return f"{first('x', x, is_repeated)} again"


def reverse_v2(xp: Namespace, tensor: Array, axis: Array) -> Array:
    """Reverse the order of the elements along the listed dimensions."""
    axes = {each % tensor.ndim for each in ints(axis)}
    if not axes:
        return tensor
    if tensor.ndim - 1 not in axes or not tensor.flags.c_contiguous:
        return xp.flip(tensor, axis=tuple(axes))
    # NumPy reverses all elements faster than each row. The view puts the elements along the other axes back in order.
    backwards = xp.reshape(xp.reshape(tensor, (-1,))[::-1].copy(), tensor.shape)
    return xp.flip(backwards, axis=tuple({*range(tensor.ndim)} - axes))


def reverse_sequence(xp: Namespace, x: Array, seq_lengths: Array, *, seq_dim: int, batch_dim: int) -> Array:
    """Take the elements of each sequence up to its length from the other end."""
    size = x.shape[seq_dim]
    check_indices("seq_lengths", seq_lengths, size + 1, f"as sequences have {counted(size, 'element')}")
    lengths, places = seq_lengths[:, None], xp.arange(size)
    sources = xp.where(places < lengths, lengths - 1 - places, places)
    sources = sources if batch_dim < seq_dim else sources.T
    sizes = [each if axis in (seq_dim, batch_dim) else 1 for axis, each in enumerate(x.shape)]
    return xp.take_along_axis(x, sources.reshape(sizes), axis=seq_dim)


def roll(xp: Namespace, x: Array, shift: Array, axis: Array) -> Array:
    """The elements in the order of another beginning, along the listed dimensions."""
    return xp.roll(x, axes_of(shift), axes_of(axis))
