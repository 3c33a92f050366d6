"""What kernels read from small integer inputs, and what they check of data."""

from __future__ import annotations

from collections.abc import Callable

from typegrad.base.errors import InvalidArgumentError, ShapeError
from typegrad.kernels.namespace import Array


def axis_of(axis: Array, rank: int) -> int:
    """A scalar array as an axis from 0 up."""
    return int(axis) % rank


def axes_of(axes: Array) -> tuple[int, ...]:
    """A scalar or vector as axes."""
    return tuple(axes.reshape(-1).tolist())


def ints(vector: Array) -> tuple[int, ...]:
    """The elements of an integer vector."""
    return tuple(vector.tolist())


def check_indices(indices: Array, size: int, what: str) -> None:
    """Refuse indices outside [0, size); negative ones do not count from the end."""
    if indices.size and (indices.min() < 0 or indices.max() >= size):
        wrong = indices[(indices < 0) | (indices >= size)].reshape(-1)[0]
        raise InvalidArgumentError(f"an index is {wrong}, but must be in [0, {size}), {what}")


def refuse(check: Callable[..., None], *values: Array) -> None:
    """Apply a check of the shape functions to values of a run; its error is an `InvalidArgumentError`."""
    try:
        check(*values)
    except ShapeError as error:
        raise InvalidArgumentError(str(error)) from None


def is_integral(x: Array) -> bool:
    """Whether the elements are integers."""
    return x.dtype.kind in "iu"
