"""What kernels read from small integer inputs, and what they check of data."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from typegrad.base.errors import InvalidArgumentError, ShapeError
from typegrad.kernels.namespace import Array
from typegrad.shapes.values import element_name


def axis_of(axis: Array, rank: int) -> int:
    """A scalar array as an axis from 0 up."""
    return int(axis) % rank


def axes_of(axes: Array) -> tuple[int, ...]:
    """A scalar or vector as axes."""
    return tuple(axes.reshape(-1).tolist())


def ints(vector: Array) -> tuple[int, ...]:
    """The elements of an integer vector."""
    return tuple(vector.tolist())


def check_indices(name: str, indices: Array, size: int, what: str) -> None:
    """Refuse elements of input `name` outside [0, size); negative ones do not count from the end."""
    if indices.size and (indices.min() < 0 or indices.max() >= size):
        wrong = first(name, indices, (indices < 0) | (indices >= size))
        raise InvalidArgumentError(f"{wrong}, but must be in [0, {size}), {what}")


def check_not_negative(name: str, x: Array) -> None:
    """Refuse negative elements of input `name`."""
    if x.size and x.min() < 0:
        raise InvalidArgumentError(f"{first(name, x, x < 0)}, but must not be negative")


def outside(name: str, points: Array, is_outside: Array, sizes: tuple[int, ...]) -> InvalidArgumentError:
    """The error for rows of input `name` that are no points in an array of these sizes."""
    return InvalidArgumentError(f"{first(name, points, is_outside)}, which is not within shape {list(sizes)}")


def first(name: str, x: Array, is_wrong: Array) -> str:
    """The first element of input `name` that is wrong, for an error: "`x[1]` is 3".

    `is_wrong` has the shape of `x`, or what `x` is broadcast to; or it says which rows of `x` are wrong.
    """
    place = np.unravel_index(int(is_wrong.argmax()), is_wrong.shape)
    own = tuple(int(i) if size > 1 else 0 for i, size in zip(place[-x.ndim :], x.shape, strict=False))
    return f"{element_name(name, own)} is {x[own].tolist() if len(own) < x.ndim else str(x[own])}"


def refuse(check: Callable[..., None], *values: Array) -> None:
    """Apply a check of the shape functions to values of a run; its error is an `InvalidArgumentError`."""
    try:
        check(*values)
    except ShapeError as error:
        raise InvalidArgumentError(str(error)) from None


def is_integral(x: Array) -> bool:
    """Whether the elements are integers."""
    return x.dtype.kind in "iu"
