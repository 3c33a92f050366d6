"""How a step of an optimizer is applied to variables: to all of their elements, or to some rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.checks import check_indices
from typegrad.kernels.precision import NARROW

if TYPE_CHECKING:
    from typegrad.base.variable_state import VariableState

__all__ = ["apply", "apply_rows", "at_rows", "check_penalties", "rounds"]

Step: TypeAlias = Callable[..., tuple[Any, ...]]
WIDE: Final = np.dtype(np.float32)
CHUNK: Final = 1 << 16
"""About how many elements `at_rows` makes indices for at once."""


def apply(
    xp: Any, states: tuple[VariableState, ...], grad: Any, numbers: tuple[Any, ...], step: Step, **options: bool
) -> tuple[()]:
    """Replace the values of variables that all have the gradient's shape."""
    values = [state.read() for state in states]
    _check_numbers(numbers)
    _check_shapes(values, [grad.shape] * len(values))
    for state, value in zip(states, _stepped(xp, step, values, grad, numbers, options), strict=True):
        state.assign(value)
    return ()


def apply_rows(
    xp: Any,
    states: tuple[VariableState, ...],
    grad: Any,
    indices: Any,
    numbers: tuple[Any, ...],
    step: Step,
    **options: bool,
) -> tuple[()]:
    """Change the rows of variables that a gradient is given for. A row that is named several times takes several steps."""
    _check_numbers(numbers)
    _check_rows(states, grad, indices)
    tables = [state.rows_to_write(indices) for state in states]
    for chosen in rounds(indices):
        rows = indices[chosen]
        values = [table[rows] for table in tables]
        for table, value in zip(tables, _stepped(xp, step, values, grad[chosen], numbers, options), strict=True):
            table[rows] = value
    return ()


def rounds(indices: Any) -> Iterator[Any]:
    """Positions in a vector of indices, so grouped that no group has an index twice and equal indices keep their order."""
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


def at_rows(function: np.ufunc, table: Any, indices: Any, updates: Any) -> None:
    """What `function.at(table, indices, updates)` does with whole rows, but element by element, for which NumPy is much faster."""
    width = math.prod(table.shape[1:])
    if table.ndim == 1 or not width or not table.flags.c_contiguous:
        function.at(table, indices, updates)
        return
    elements, columns, step = table.reshape(-1), np.arange(width), max(CHUNK // width, 1)
    for start in range(0, indices.size, step):
        starts = indices[start : start + step].astype(np.int64) * width
        function.at(elements, (starts[:, None] + columns).reshape(-1), updates[start : start + step].reshape(-1))


def _stepped(
    xp: Any, step: Step, values: list[Any], grad: Any, numbers: tuple[Any, ...], options: dict[str, bool]
) -> Iterator[Any]:
    """The new values, of the type of the old ones; narrow floats are computed wide."""
    dtype = grad.dtype
    wide = WIDE if dtype in NARROW else dtype
    arguments = [np.asarray(value).astype(wide, copy=False) for value in (*values, grad, *numbers)]
    for value in step(xp, *arguments, **options):
        yield xp.asarray(value).astype(dtype, copy=False)


def check_penalties(*, lr: Any, zero_rate: bool = False, **penalties: Any) -> None:
    """Refuse a learning rate that is not positive (or 0, if that is allowed), and negative penalties."""
    if not lr.ndim and not lr > 0 and not (zero_rate and lr == 0):
        raise InvalidArgumentError(f"`lr` is {lr}, but must be greater than 0")
    for name, penalty in penalties.items():
        if not penalty.ndim and not penalty >= 0:
            raise InvalidArgumentError(f"`{name}` is {penalty}, but must not be negative")


def _check_numbers(numbers: tuple[Any, ...]) -> None:
    for number in numbers:
        if number.ndim:
            raise InvalidArgumentError(
                f"the numbers that steer a step must be scalars, but one has shape {list(number.shape)}"
            )


def _check_shapes(values: list[Any], expected: list[tuple[int, ...]]) -> None:
    for value, shape in zip(values, expected, strict=True):
        if value.shape != shape:
            raise InvalidArgumentError(
                f"all variables must have the shape of the gradient, which is {list(shape)}, but one has {list(value.shape)}"
            )


def _check_rows(states: tuple[VariableState, ...], grad: Any, indices: Any) -> None:
    first = states[0].sizes
    for state in states[1:]:
        if state.sizes != first:
            raise InvalidArgumentError(
                f"the variables must have one shape, but have {list(first)} and {list(state.sizes)}"
            )
    if not first:
        raise InvalidArgumentError("the variable is a scalar, which has no rows to update")
    if indices.ndim != 1 or grad.shape != (*indices.shape, *first[1:]):
        raise InvalidArgumentError(
            f"`indices` must be a vector, and `grad` have one row for each of them, of the shape of the variables' rows: "
            f"they have shapes {list(indices.shape)} and {list(grad.shape)}, the variables {list(first)}"
        )
    check_indices(indices, first[0], "the rows of the variable")
