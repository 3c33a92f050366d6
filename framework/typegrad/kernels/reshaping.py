"""Kernels of `ops/reshaping.yaml`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from typegrad.base.errors import InvalidArgumentError, ShapeError
from typegrad.kernels.checks import axis_in, ints
from typegrad.shapes.values import reshape_sizes


def reshape(xp: Any, tensor: Any, shape: Any) -> Any:
    """The same elements, row by row, in another shape."""
    if len(shape.shape) != 1:
        raise InvalidArgumentError(f"`shape` must be a vector, but has shape {list(shape.shape)}")
    try:
        return tensor.reshape(reshape_sizes(tensor.shape, ints(shape)))
    except ShapeError as error:
        raise InvalidArgumentError(f"cannot reshape: {error}") from None


def expand_dims(xp: Any, x: Any, axis: Any) -> Any:
    """One more dimension, of size 1."""
    if math.prod(axis.shape) != 1:
        raise InvalidArgumentError(f"`axis` must have a single element, but has shape {list(axis.shape)}")
    return xp.expand_dims(x, axis_in(int(axis.reshape(())), len(x.shape) + 1))


def squeeze(xp: Any, x: Any, *, axis: Sequence[int]) -> Any:
    """Without the given dimensions of size 1; without all of them if none are given."""
    axes = {axis_in(each, len(x.shape)) for each in axis}
    wrong = next((each for each in axes if x.shape[each] != 1), None)
    if wrong is not None:
        raise InvalidArgumentError(f"dimension {wrong} of `input`, of shape {list(x.shape)}, is not of size 1")
    return xp.squeeze(x, axis=tuple(sorted(axes)) if axes else None)


def transpose(xp: Any, x: Any, perm: Any) -> Any:
    """Dimension `perm[i]` of the input becomes dimension i."""
    axes = [int(axis) for axis in perm]
    if sorted(axis % max(x.ndim, 1) for axis in axes) != list(range(x.ndim)) or any(
        not -x.ndim <= a < x.ndim for a in axes
    ):
        raise InvalidArgumentError(
            f"`perm` is {axes}, but must name each dimension of `x`, of shape {list(x.shape)}, once"
        )
    return xp.transpose(x, axes)


def invert_permutation(xp: Any, x: Any) -> Any:
    """Where each of 0 .. n-1 stands in x."""
    if x.ndim != 1:
        raise InvalidArgumentError(f"`x` must be a vector, but has shape {list(x.shape)}")
    inverse = xp.argsort(x)
    if not xp.array_equal(x[inverse], xp.arange(x.size)):
        raise InvalidArgumentError(f"`x` is {x.tolist()}, which does not hold each of 0 .. {x.size - 1} once")
    return inverse.astype(x.dtype)


def reverse_v2(xp: Any, tensor: Any, axis: Any) -> Any:
    """The order of the elements turned around in the given dimensions."""
    if len(axis.shape) != 1:
        raise InvalidArgumentError(f"`axis` must be a vector, but has shape {list(axis.shape)}")
    axes = [axis_in(each, len(tensor.shape)) for each in ints(axis)]
    if len(set(axes)) != len(axes):
        raise InvalidArgumentError(f"`axis` names a dimension twice: {ints(axis)}")
    return xp.flip(tensor, axis=tuple(axes)) if axes else tensor
