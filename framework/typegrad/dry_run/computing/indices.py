"""Indices that are not known, between known ends: where the nearest one is out of range, so is every other one."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import numpy as np

from typegrad.dry_run.computing.open_values import is_open
from typegrad.dry_run.known.arrays import StandIn, check_change, is_open_integer
from typegrad.dry_run.known.ends import ends
from typegrad.dry_run.known.unknown import has_unknown
from typegrad.dry_run.known.unsized import of_one_size

__all__ = ["at_first", "check_change_at", "nearest_index", "refusing"]

_OUT_OF_RANGE: Final = re.compile(r"^index (?P<index>-?\d+) is (?=out of bounds)")
"""What NumPy says of one of them."""


def nearest_index(index: Any) -> Any:
    """An index with the number nearest to the first item in the place of each that is not known."""
    if isinstance(index, tuple):
        return tuple(map(nearest_index, index))
    if not isinstance(index, StandIn) or index.dtype.kind not in "iu":
        return index
    number = _number_of(index)
    return number if index.is_python else np.broadcast_to(index.dtype.type(number), index.shape)[()]


def at_first(index: Any) -> Any:
    """An index with the first item in the place of any one."""
    parts = index if isinstance(index, tuple) else (index,)
    is_open_slice = any(isinstance(each, slice) and has_unknown(each, is_open) for each in parts)
    return index if is_open_slice else of_one_size(nearest_index(index), 0, is_open_integer)


def _number_of(index: StandIn) -> int:
    least, largest = ends(index) or (0, 0)
    return int(least if least > 0 else min(largest, 0))


@contextmanager
def refusing(index: Any) -> Generator[None]:
    """Name the ends of an index that is out of range, in the error of the one that was tried."""
    try:
        yield
    except IndexError as error:
        found = _OUT_OF_RANGE.match(str(error))
        parts = index if isinstance(index, tuple) else (index,)
        arrays = [each for each in parts if isinstance(each, StandIn) and each.dtype.kind in "iu"]
        tried = [each for each in arrays if found is not None and _number_of(each) == int(found["index"])]
        if found is None or not tried:
            raise
        least, largest = ends(tried[0]) or (0, 0)
        text = f"all indices from {least} to {largest} are {str(error)[found.end() :]}"
        raise IndexError(text) from error


def check_change_at(indices: Sequence[Any], change: Callable[..., Any], array: np.ndarray, *args: Any) -> None:
    """Refuse a change of an array at such an index, if there is one."""
    with refusing(indices[0] if indices else None):
        check_change(change, array, *args)
