"""Kernels of `ops/variable_rows.yaml`. A handle arrives as the state that the session keeps for the variable."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.checks import check_indices
from typegrad.kernels.division import div
from typegrad.kernels.updating import at_rows, rounds

if TYPE_CHECKING:
    from typegrad.base.variable_state import VariableState


def resource_gather(xp: Any, state: VariableState, indices: Any, *, batch_dims: int) -> Any:
    """Rows of a variable, for each of the batch dimensions by itself."""
    sizes = state.sizes
    if not 0 <= batch_dims <= indices.ndim or batch_dims >= len(sizes):
        raise InvalidArgumentError(
            f"`batch_dims` is {batch_dims}, but must not be negative, at most the rank of `indices`, {indices.ndim}, and "
            f"less than that of the variable, {len(sizes)}"
        )
    lead, length = sizes[:batch_dims], sizes[batch_dims]
    if indices.shape[:batch_dims] != lead:
        raise InvalidArgumentError(
            f"the first {batch_dims} dimensions of the variable and `indices` differ: {list(sizes)} and {list(indices.shape)}"
        )
    check_indices(indices, length, f"the size of axis {batch_dims} of the variable")
    if batch_dims:
        offsets = xp.arange(math.prod(lead)).reshape(*lead, *(1,) * (indices.ndim - batch_dims)) * length
        indices = indices + offsets
    return state.take(indices, batch_dims + 1)


def resource_scatter_update(xp: Any, state: VariableState, indices: Any, updates: Any) -> tuple[()]:
    """Replace rows; the last one counts."""
    return _scatter(state, indices, updates, _assign)


def resource_scatter_add(xp: Any, state: VariableState, indices: Any, updates: Any) -> tuple[()]:
    """Add to rows."""
    return _scatter(state, indices, updates, partial(at_rows, np.add))


def resource_scatter_sub(xp: Any, state: VariableState, indices: Any, updates: Any) -> tuple[()]:
    """Subtract from rows."""
    return _scatter(state, indices, updates, partial(at_rows, np.subtract))


def resource_scatter_mul(xp: Any, state: VariableState, indices: Any, updates: Any) -> tuple[()]:
    """Multiply rows."""
    return _scatter(state, indices, updates, partial(at_rows, np.multiply))


def resource_scatter_div(xp: Any, state: VariableState, indices: Any, updates: Any) -> tuple[()]:
    """Divide rows, by nothing that is zero."""
    if xp.any(updates == 0):
        raise InvalidArgumentError("`updates` has a zero, by which nothing can be divided")
    return _scatter(state, indices, updates, _in_rounds(lambda row, update: div(xp, row, update)))


def resource_scatter_min(xp: Any, state: VariableState, indices: Any, updates: Any) -> tuple[()]:
    """Replace elements by smaller ones, which nan is not."""
    return _scatter(state, indices, updates, _in_rounds(lambda row, update: xp.where(update < row, update, row)))


def resource_scatter_max(xp: Any, state: VariableState, indices: Any, updates: Any) -> tuple[()]:
    """Replace elements by larger ones, which nan is not."""
    return _scatter(state, indices, updates, _in_rounds(lambda row, update: xp.where(update > row, update, row)))


def _scatter(state: VariableState, indices: Any, updates: Any, write: Callable[[Any, Any, Any], None]) -> tuple[()]:
    """Write rows; everything is checked first."""
    shape = state.sizes
    if not shape:
        raise InvalidArgumentError("the variable is a scalar, which has no rows")
    if updates.ndim and updates.shape != (*indices.shape, *shape[1:]):
        raise InvalidArgumentError(
            f"`updates` has shape {list(updates.shape)}, but with indices of shape {list(indices.shape)} and a variable "
            f"of shape {list(shape)} it must be {[*indices.shape, *shape[1:]]}, or a scalar"
        )
    check_indices(indices, shape[0], "the rows of the variable")
    rows = np.broadcast_to(updates, (*indices.shape, *shape[1:])).reshape(indices.size, *shape[1:])
    write(state.rows_to_write(indices), indices.reshape(-1), rows)
    return ()


def _assign(table: Any, indices: Any, updates: Any) -> None:
    table[indices] = updates


def _in_rounds(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any, Any], None]:
    """Replace each row by a function of it and its update, one update after the other."""

    def write(table: Any, indices: Any, updates: Any) -> None:
        for chosen in rounds(indices):
            rows = indices[chosen]
            table[rows] = function(table[rows], updates[chosen])

    return write
