"""Axes and indices that arrive as arrays: checked against what they index, axes made non-negative."""

from __future__ import annotations

from typing import Any

from typegrad.base.errors import InvalidArgumentError


def axis_of(axis: Any, rank: int, name: str = "axis") -> int:
    """A scalar array as an axis from 0 up."""
    if axis.ndim:
        raise InvalidArgumentError(f"`{name}` must be a scalar, but has shape {list(axis.shape)}")
    return axis_in(int(axis), rank, name)


def axis_in(axis: int, rank: int, name: str = "axis") -> int:
    """An axis from 0 up."""
    if not -rank <= axis < rank:
        raise InvalidArgumentError(f"`{name}` is {axis}, but must be in [{-rank}, {rank})")
    return axis % rank


def axes_of(axes: Any, rank: int, name: str = "axis") -> tuple[int, ...]:
    """A scalar or vector as distinct axes from 0 up."""
    found = tuple(axis_of(axis, rank, name) for axis in axes.reshape(-1))
    if len(set(found)) < len(found):
        raise InvalidArgumentError(f"`{name}` is {axes.tolist()}, which names an axis twice")
    return found


def check_indices(indices: Any, size: int, what: str) -> None:
    """Refuse indices outside [0, size); negative ones do not count from the end."""
    if indices.size and (indices.min() < 0 or indices.max() >= size):
        wrong = indices[(indices < 0) | (indices >= size)].reshape(-1)[0]
        raise InvalidArgumentError(f"an index is {wrong}, but must be in [0, {size}), {what}")
