"""Kernels of `ops/variable_rows.yaml`. A handle arrives as the state that the session keeps for the variable.

Rows are written in place: the kernels run on NumPy only.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.checks import check_indices, first
from typegrad.kernels.division import div
from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.updating import at_rows, in_rounds

if TYPE_CHECKING:
    from typegrad.base.variable_state import VariableState


def resource_gather(xp: Namespace, state: VariableState, indices: Array, *, batch_dims: int) -> Array:
    """Rows of a variable, for each of the batch dimensions by itself."""
    sizes = state.sizes
    lead, length = sizes[:batch_dims], sizes[batch_dims]
    check_indices("indices", indices, length, f"the size of axis {batch_dims} of the variable")
    if batch_dims:
        offsets = xp.arange(math.prod(lead)).reshape(*lead, *(1,) * (indices.ndim - batch_dims)) * length
        indices = indices + offsets
    return state.take(indices, batch_dims + 1)


def resource_scatter_update(xp: Namespace, state: VariableState, indices: Array, updates: Array) -> tuple[()]:
    """Replace rows; of repeated rows the last update remains."""
    return _scatter(state, indices, updates, _assign)


def resource_scatter_add(xp: Namespace, state: VariableState, indices: Array, updates: Array) -> tuple[()]:
    """Add to rows."""
    return _scatter(state, indices, updates, partial(at_rows, np.add))


def resource_scatter_sub(xp: Namespace, state: VariableState, indices: Array, updates: Array) -> tuple[()]:
    """Subtract from rows."""
    return _scatter(state, indices, updates, partial(at_rows, np.subtract))


def resource_scatter_mul(xp: Namespace, state: VariableState, indices: Array, updates: Array) -> tuple[()]:
    """Multiply rows."""
    return _scatter(state, indices, updates, partial(at_rows, np.multiply))


def resource_scatter_div(xp: Namespace, state: VariableState, indices: Array, updates: Array) -> tuple[()]:
    """Divide rows; zero divisors are refused."""
    if xp.any(updates == 0):
        raise InvalidArgumentError(f"{first('updates', updates, updates == 0)}, by which nothing can be divided")
    return _scatter(state, indices, updates, in_rounds(lambda row, update: div(xp, row, update)))


def resource_scatter_min(xp: Namespace, state: VariableState, indices: Array, updates: Array) -> tuple[()]:
    """Replace elements by smaller ones, which nan is not."""
    return _scatter(state, indices, updates, in_rounds(lambda row, update: xp.where(update < row, update, row)))


def resource_scatter_max(xp: Namespace, state: VariableState, indices: Array, updates: Array) -> tuple[()]:
    """Replace elements by larger ones, which nan is not."""
    return _scatter(state, indices, updates, in_rounds(lambda row, update: xp.where(update > row, update, row)))


def _scatter(
    state: VariableState, indices: Array, updates: Array, write: Callable[[Array, Array, Array], None]
) -> tuple[()]:
    """Write rows; everything is checked first."""
    shape = state.sizes
    check_indices("indices", indices, shape[0], "the rows of the variable")
    rows = np.broadcast_to(updates, (*indices.shape, *shape[1:])).reshape(indices.size, *shape[1:])
    write(state.rows_to_write(indices), indices.reshape(-1), rows)
    return ()


def _assign(table: Array, indices: Array, updates: Array) -> None:
    table[indices] = updates
