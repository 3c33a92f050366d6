"""What kernels check of their inputs: axes and indices against what they index, sizes, scalars."""

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


def ints(vector: Any) -> list[int]:
    """The elements of an integer vector."""
    return [int(element) for element in vector]


def require_scalar(x: Any, name: str) -> None:
    """Refuse anything but a scalar."""
    if x.shape:
        raise InvalidArgumentError(f"`{name}` must be a scalar, but has shape {list(x.shape)}")


def sizes_of(vector: Any, name: str) -> tuple[int, ...]:
    """The elements of a vector of sizes."""
    if len(vector.shape) != 1:
        raise InvalidArgumentError(f"`{name}` must be a vector, but has shape {list(vector.shape)}")
    sizes = tuple(ints(vector))
    if any(size < 0 for size in sizes):
        raise InvalidArgumentError(f"`{name}` is {list(sizes)}, but a size cannot be negative")
    return sizes


def is_integral(x: Any) -> bool:
    """Whether the elements are integers."""
    return x.dtype.kind in "iu"


def shape_list(x: Any) -> list[int]:
    """A shape as messages show it."""
    return list(x.shape)
