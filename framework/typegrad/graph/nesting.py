"""Nested lists as values: refused where NumPy would make something else of them than was written."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any, Final

import numpy as np

from typegrad.base.array import has_masked, masked_array
from typegrad.base.brief import brief, counted
from typegrad.base.errors import DTypeError, ShapeError
from typegrad.base.sameness import NO_VALUES, Sameness
from typegrad.base.shape import SHAPE_AS_VALUE, Shape

__all__ = ["MASKED", "check_nesting", "first_leaf", "unequal"]

MASKED: Final = (
    "elements of a masked array are masked, so they have no value; say with `filled` what they are, "
    "as in array.filled(0)"
)
"""The error message for an array whose elements have no value."""

_MOST_DIMENSIONS: Final = 64
"""NumPy's limit."""

_BOOLS: Final = frozenset({bool, np.bool_})
_NUMBERS: Final = (int, float, complex, np.number)


def first_leaf(value: Any) -> Any:
    """The first value that is no list."""
    for _ in range(_MOST_DIMENSIONS + 1):
        if not isinstance(value, (list, tuple)) or not value:
            return value
        value = value[0]
    raise _too_deep()


def check_nesting(value: Any) -> frozenset[type]:
    """The types of what is in nested lists. A `DTypeError` if they are too deep, or hold what is no value.

    NumPy would use the values under the mask of a masked element, and make numbers of bools that are beside some.
    """
    if not isinstance(value, (list, tuple)):
        return frozenset({type(value)})
    first_leaf(value)  # of a list that contains itself, a level would be twice as large as the one above it
    kinds = frozenset(_leaf_kinds(value, value, 1))
    numbers = kinds - _BOOLS
    if len(numbers) < len(kinds) and any(issubclass(kind, _NUMBERS) for kind in numbers):
        raise DTypeError(f"{brief(value)} holds bools and numbers; write bools only, or numbers only, as 1 for True")
    return kinds


def _leaf_kinds(value: Any, level: Iterable[Any], depth: int) -> set[type]:
    """The types in one level of a list and in those below it. A whole level at a time: an array has few of them."""
    if depth > _MOST_DIMENSIONS:
        raise _too_deep()
    kinds = set(map(type, level))
    if Sameness in kinds:
        raise DTypeError(f"{brief(value)} is no value here: {NO_VALUES}")
    if Shape in kinds:
        raise ShapeError(SHAPE_AS_VALUE.format(next(item for item in level if isinstance(item, Shape))))
    masked = masked_array()
    if any(issubclass(kind, masked) for kind in kinds) and any(map(has_masked, level)):
        raise DTypeError(MASKED)
    lists = {kind for kind in kinds if issubclass(kind, (list, tuple))}
    if kinds and lists == kinds:
        return _leaf_kinds(value, list(chain.from_iterable(level)), depth + 1)
    below = (_leaf_kinds(value, item, depth + 1) for item in level if type(item) in lists)
    return (kinds - lists).union(*below) if lists else kinds


def unequal(value: Any) -> str:
    """Which parts of a nested list differ in size: "[0] has 1 element, [1] has 2"; "" if none do."""
    parts = [("", value)]
    while parts:
        sizes = [len(part) if isinstance(part, (list, tuple)) or np.ndim(part) else None for _, part in parts]
        odd = next((i for i, size in enumerate(sizes) if size != sizes[0]), None)
        if odd is not None:
            return ", ".join(f"{parts[i][0]} {_sized(sizes[i])}" for i in (0, odd))
        parts = [
            (f"{place}[{i}]", item) for place, part in parts if sizes[0] is not None for i, item in enumerate(part)
        ]
    return ""


def _sized(size: int | None) -> str:
    return "is no list" if size is None else f"has {counted(size, 'element')}"


def _too_deep() -> DTypeError:
    return DTypeError(
        f"a list that is nested more than {_MOST_DIMENSIONS} deep, or contains itself, is not a value: "
        f"an array has at most {_MOST_DIMENSIONS} dimensions"
    )
