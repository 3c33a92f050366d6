"""`owned`: what a run returns is the caller's alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from typegrad.base.variable_state import VariableState
from typegrad.graph.explain import located
from typegrad.session.arrays import LARGE

if TYPE_CHECKING:
    from typegrad.base.array import Array
    from typegrad.graph.operand import AnyOutput

__all__ = ["owned"]

_COLUMNS: Final = 64
"""How many columns are copied at once: what is read of a row stays in a cache for the next ones."""


def owned(values: Sequence[object], fetches: Sequence[AnyOutput], feeds: Sequence[Array] = ()) -> list[Array]:
    """The fetched arrays, writable by the caller: copies where a feed, constant, variable or other fetch shares memory.

    A variable is its handle's value. Under the lock that the run has, it holds what it does at the end of the run.

    Args:
        values: What the fetches are.
        fetches: Where they come from, for errors.
        feeds: What was fed, but for arrays that are read-only.
    """
    alone = len(values) == 1
    results: list[Array] = []
    seen = set(map(id, feeds))
    for value, fetch in zip(values, fetches, strict=True):
        array = value.copy() if isinstance(value, VariableState) else np.asarray(value)
        if id(value) in seen or _is_shared(array, feeds, alone=alone):
            try:
                array = _copied(array)
            except MemoryError as error:
                raise located(fetch.op, error) from error
        seen.add(id(value))
        results.append(array)
    return results


def _copied(array: Array) -> Array:
    """A copy that lies in memory row by row, of what may lie there column by column."""
    if array.ndim < 2 or array.strides[-2] != array.itemsize or array.size < LARGE:
        return array.copy()
    result = np.empty_like(array, order="C")
    for first in range(0, array.shape[-1], _COLUMNS):
        columns = (..., slice(first, first + _COLUMNS))
        result[columns] = array[columns]
    return result


def _is_shared(array: Array, feeds: Sequence[Array], *, alone: bool) -> bool:
    """Whether a feed, constant or variable, or another of several fetches, may share this array's memory."""
    base = array.base
    if base is None or not array.flags.writeable:
        return not array.flags.writeable
    if not alone or (isinstance(base, np.ndarray) and not base.flags.writeable):
        return True
    return any(np.may_share_memory(array, feed) for feed in feeds)
