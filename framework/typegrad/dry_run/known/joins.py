"""What is known of a value that is one of several, as it is not known which: a number of their type, an array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from typegrad.dry_run.known.arrays import StandIn, integer, is_integer
from typegrad.dry_run.known.unknown import UNKNOWN, Number, UnknownFloat
from typegrad.dry_run.known.unsized import Shapeless, Unsized, of_any_size

__all__ = ["joined"]

_CONSTANTS: Final = (bool, int, float, str)
_FRACTIONS: Final = (float, int, Number, UnknownFloat)
_NUMBERS: Final = "biufc"
"""The kinds of element types of numbers."""


def joined(values: Sequence[Any]) -> Any:
    """What is known of one of these values; nothing of one of several lists, which the program may change."""
    first = values[0]
    kinds = {type(each) for each in values}
    if all(each is first for each in values):
        return first
    if len(kinds) == 1 and type(first) in _CONSTANTS and all(each == first for each in values):
        return first
    if kinds <= {float, UnknownFloat}:
        return UnknownFloat(1)
    if all(type(each) is int or is_integer(each) for each in values):
        return integer()
    if all(type(each) in _FRACTIONS or is_integer(each) for each in values):
        return Number()
    if len(kinds) == 1 and isinstance(first, tuple) and len({len(each) for each in values}) == 1:
        make = getattr(first, "_make", tuple)  # which a named one has
        return make(map(joined, zip(*values, strict=True))) if type(first) is tuple or make is not tuple else UNKNOWN
    if all(isinstance(each, Shapeless) and each.dtype == first.dtype for each in values):
        return first
    return of_any_size(values) if all(map(_is_array, values)) else UNKNOWN


def _is_array(value: Any) -> bool:
    """Whether it is an array of numbers, or a number of NumPy."""
    if isinstance(value, Unsized):
        return all(sample.dtype.kind in _NUMBERS for sample, _ in value.kinds())
    is_plain = type(value) in (np.ndarray, StandIn) or isinstance(value, np.generic)
    return is_plain and not is_integer(value) and value.dtype.kind in _NUMBERS
