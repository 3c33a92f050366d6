"""How a step of an optimizer is applied to variables: to all of their elements, or to some rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import update_wrapper, wraps
from inspect import signature
from typing import Any, Final, TypeAlias, final

import numpy as np

from typegrad.base.errors import InvalidArgumentError
from typegrad.base.variable_state import VariableState
from typegrad.kernels.checks import check_indices
from typegrad.kernels.namespace import Array, DType, Namespace
from typegrad.kernels.precision import wide_type

__all__ = [
    "Step",
    "Whole",
    "at_rows",
    "blank",
    "check_penalties",
    "in_rounds",
    "moving_average",
    "rounds",
    "shrink",
    "some_rows",
]

Step: TypeAlias = Callable[..., tuple[Array, ...]]
"""The formula of an optimizer. Its parameters are the array namespace and the operation's inputs, in order, the values
of the variables first; it returns the new values of the variables.
"""
Kernel: TypeAlias = Callable[..., tuple[()]]
CHUNK: Final = 1 << 16
"""About how many elements `at_rows` makes indices for at once."""


@final
class Whole:
    """The kernel that updates all elements of the variables, each by itself."""

    def __init__(self, step: Step, *, rounds_each: bool = False) -> None:
        """The kernel has the parameters of the step.

        Args:
            step: The formula.
            rounds_each: Whether narrow floats are rounded after each operation, not only at the end.
        """
        self.step: Final = step
        self._rounds_each: Final = rounds_each
        update_wrapper(self, step)

    def __call__(self, xp: Namespace, *inputs: Any, **options: bool) -> tuple[()]:
        """Assign the new values."""
        arguments = [each.read() if isinstance(each, VariableState) else each for each in inputs]
        dtype = arguments[0].dtype
        wide = dtype if self._rounds_each else wide_type(dtype)
        for state, value in zip(inputs, _stepped(xp, self.step, arguments, options, wide), strict=False):
            state.assign(value)
        return ()


def some_rows(step: Step) -> Kernel:
    """The kernel that updates the rows that have a gradient. A row that is listed repeatedly takes several steps.

    The indices are the input after the gradient. It runs on NumPy only: the rows are written in place.
    """
    position = list(signature(step).parameters).index("grad") - 1  # without the namespace

    @wraps(step)
    def kernel(xp: Namespace, *inputs: Any, **options: bool) -> tuple[()]:
        states = [each for each in inputs if isinstance(each, VariableState)]
        before, (grad, indices, *after) = inputs[len(states) : position], inputs[position:]
        check_indices("indices", indices, states[0].sizes[0], "the rows of the variable")
        tables = [state.rows_to_write(indices) for state in states]
        for chosen in rounds(indices):
            rows = indices[chosen]
            arguments = [*(table[rows] for table in tables), *before, grad[chosen], *after]
            wide = wide_type(tables[0].dtype)
            for table, value in zip(tables, _stepped(xp, step, arguments, options, wide), strict=True):
                table[rows] = value
        return ()

    return kernel


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


def in_rounds(function: Callable[[Array, Array], Array]) -> Callable[[Array, Array, Array], None]:
    """Replace each row by a function of it and its update, one update after the other."""

    def write(table: Array, indices: Array, updates: Array) -> None:
        for chosen in rounds(indices):
            rows = indices[chosen]
            table[rows] = function(table[rows], updates[chosen])

    return write


def blank(xp: Namespace, sizes: tuple[int, ...], dtype: DType) -> Array:
    """An array of zeros, or of empty strings, to write to."""
    return xp.full(sizes, b"", object) if dtype.kind == "O" else xp.zeros(sizes, dtype)


def _stepped(
    xp: Namespace, step: Step, arguments: list[Array], options: dict[str, bool], wide: DType
) -> Iterator[Array]:
    """The new values, of the type of the old ones, computed in the type `wide`."""
    dtype = arguments[0].dtype
    for value in step(xp, *(xp.asarray(each).astype(wide, copy=False) for each in arguments), **options):
        yield xp.asarray(value).astype(dtype, copy=False)


def check_penalties(*, lr: Array, zero_rate: bool = False, **penalties: Array) -> None:
    """Refuse a learning rate that is not positive (or 0, if that is allowed), and negative penalties."""
    if not lr > 0 and not (zero_rate and lr == 0):
        raise InvalidArgumentError(f"`lr` is {lr!s}, but must be {'0 or more' if zero_rate else 'greater than 0'}")
    for name, penalty in penalties.items():
        if not penalty >= 0:
            raise InvalidArgumentError(f"`{name}` is {penalty!s}, but must not be negative")


def moving_average(average: Array, value: Array, decay: Array) -> Array:
    """A moving average after one more value."""
    change: Array = (value - average) * (1 - decay)
    return average + change


def shrink(xp: Namespace, x: Array, l1: Array, rate: Array) -> Array:
    """x moved toward zero by `l1 * rate`, and zero where it would cross it; x itself where `l1` is negative."""
    return xp.where(l1 > 0, xp.sign(x) * xp.maximum(xp.abs(x) - l1 * rate, 0), x)
