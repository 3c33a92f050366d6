"""Kernels of `ops/variable_parts.yaml`. A handle arrives as the state that the session keeps for the variable.

Parts are written in place: the kernels run on NumPy only.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from typegrad.kernels.gather_and_scatter import Write, gather_nd, good_points, replace, write_at
from typegrad.kernels.namespace import Array, Index, Namespace
from typegrad.kernels.slicing import at_slice
from typegrad.kernels.updating import at_rows, in_rounds

if TYPE_CHECKING:
    from typegrad.base.variable_state import VariableState


def resource_gather_nd(xp: Namespace, state: VariableState, indices: Array) -> Array:
    """The element or slice at each point."""
    # The result is a view only where a point has no coordinates; reading makes sure that no later write changes it.
    value = state.expect(state.current) if indices.shape[-1] else state.read()
    return gather_nd(xp, value, indices, bad_indices_policy="")


def _scattering(write: Write) -> Callable[..., tuple[()]]:
    """The kernel that writes updates into a variable. Everything is checked first."""

    def kernel(
        xp: Namespace, state: VariableState, indices: Array, updates: Array, *, bad_indices_policy: str
    ) -> tuple[()]:
        points, values = good_points(xp, indices, updates, state.sizes, bad_indices_policy)
        write_at(write, state.part_to_write((*points.T, ...)), points, values)
        return ()

    return kernel


def _subtract(table: Array, rows: Array, updates: Array) -> None:
    function = np.logical_xor if table.dtype == bool else np.subtract
    at_rows(function, table, rows, updates)


resource_scatter_nd_update = _scattering(replace)
resource_scatter_nd_add = _scattering(partial(at_rows, np.add))
resource_scatter_nd_sub = _scattering(_subtract)
resource_scatter_nd_min = _scattering(in_rounds(lambda row, update: np.where(update < row, update, row)))
resource_scatter_nd_max = _scattering(in_rounds(lambda row, update: np.where(update > row, update, row)))


@at_slice
def resource_strided_slice_assign(xp: Namespace, state: VariableState, index: Index, value: Array) -> tuple[()]:
    """Replace a slice."""
    state.part_to_write(index)[index] = value
    return ()
