"""How a step of an optimizer is applied to variables: to all of their elements, or to some rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.checks import check_indices
from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import wide_type

if TYPE_CHECKING:
    from typegrad.base.variable_state import VariableState

__all__ = ["apply", "apply_rows", "at_rows", "check_penalties", "moving_average", "rounds", "shrink"]

Step: TypeAlias = Callable[..., tuple[Array, ...]]
"""The formula of an optimizer: the namespace, the values of the variables, the gradient and the scalars -> the new
values of the variables."""
CHUNK: Final = 1 << 16
"""About how many elements `at_rows` makes indices for at once."""


def apply(
    xp: Namespace,
    states: tuple[VariableState, ...],
    grad: Array,
    numbers: tuple[Array, ...],
    step: Step,
    **options: bool,
) -> tuple[()]:
    """Replace the values of variables that all have the gradient's shape."""
    values = [state.read() for state in states]
    for state, value in zip(states, _stepped(xp, step, values, grad, numbers, options), strict=True):
        state.assign(value)
    return ()


def apply_rows(
    xp: Namespace,
    states: tuple[VariableState, ...],
    grad: Array,
    indices: Array,
    numbers: tuple[Array, ...],
    step: Step,
    **options: bool,
) -> tuple[()]:
    """Update only the rows that have a gradient. A row that is listed repeatedly takes several steps.

    NumPy's only: the rows are written in place.
    """
    check_indices(indices, states[0].sizes[0], "the rows of the variable")
    tables = [state.rows_to_write(indices) for state in states]
    for chosen in rounds(indices):
        rows = indices[chosen]
        values = [table[rows] for table in tables]
        for table, value in zip(tables, _stepped(xp, step, values, grad[chosen], numbers, options), strict=True):
            table[rows] = value
    return ()


def rounds(indices: Array) -> Iterator[Array | slice]:
    """Positions in a vector of indices, in groups of distinct indices; equal indices keep their order."""
    order = np.argsort(indices, kind="stable")
    ordered = indices[order]
    is_first = np.concatenate(([True], ordered[1:] != ordered[:-1]))[: ordered.size]
    if is_first.all():
        yield slice(None)
        return
    starts = np.flatnonzero(is_first)
    occurrence = np.arange(ordered.size) - starts[np.cumsum(is_first) - 1]
    by_occurrence = order[np.argsort(occurrence, kind="stable")]
    yield from np.split(by_occurrence, np.cumsum(np.bincount(occurrence))[:-1])


def at_rows(function: np.ufunc, table: Array, indices: Array, updates: Array) -> None:
    """`function.at(table, indices, updates)` element by element, which NumPy does much faster than row by row."""
    width = math.prod(table.shape[1:])
    if table.ndim == 1 or not width or not table.flags.c_contiguous:
        function.at(table, indices, updates)
        return
    elements, columns, step = table.reshape(-1), np.arange(width), max(CHUNK // width, 1)
    for start in range(0, indices.size, step):
        starts = indices[start : start + step].astype(np.int64) * width
        function.at(elements, (starts[:, None] + columns).reshape(-1), updates[start : start + step].reshape(-1))


def _stepped(
    xp: Namespace, step: Step, values: list[Array], grad: Array, numbers: tuple[Array, ...], options: dict[str, bool]
) -> Iterator[Array]:
    """The new values, of the type of the old ones; narrow floats are computed wide."""
    dtype = grad.dtype
    wide = wide_type(dtype)
    arguments = [xp.asarray(value).astype(wide, copy=False) for value in (*values, grad, *numbers)]
    for value in step(xp, *arguments, **options):
        yield xp.asarray(value).astype(dtype, copy=False)


def check_penalties(*, lr: Array, zero_rate: bool = False, **penalties: Array) -> None:
    """Refuse a learning rate that is not positive (or 0, if that is allowed), and negative penalties."""
    if not lr > 0 and not (zero_rate and lr == 0):
        raise InvalidArgumentError(f"`lr` is {lr}, but must be greater than 0")
    for name, penalty in penalties.items():
        if not penalty >= 0:
            raise InvalidArgumentError(f"`{name}` is {penalty}, but must not be negative")


def moving_average(average: Array, value: Array, decay: Array) -> Array:
    """A moving average after one more value."""
    change: Array = (value - average) * (1 - decay)
    return average + change


def shrink(xp: Namespace, x: Array, by: Array) -> Array:
    """x moved toward zero, and zero where it would cross it; x itself where `by` is negative."""
    return xp.where(by > 0, xp.sign(x) * xp.maximum(xp.abs(x) - by, 0), x)
