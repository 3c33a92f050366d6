"""Texts with values in them: what is refused whatever the values are that are not known."""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping, Sequence
from itertools import count
from string import Formatter
from typing import Any, Final

import numpy as np

from typegrad.dry_run.known.arrays import bare, is_hidden, is_integer
from typegrad.dry_run.known.unknown import UNKNOWN

__all__ = ["FORMATTED", "error_of_fields", "error_of_format", "error_of_part", "is_wide"]

FORMATTED: Final = (bool, float, int, str)
"""The classes of Python's values that have formats."""
_WITHOUT: Final = (dict, list, set, tuple)
_WIDTH: Final = re.compile(r"\d{5}")
_AS_IT_IS: Final = (-1, None)
"""The conversion of a value that is formatted itself, and not its text."""


def is_wide(text: str) -> bool:
    """Whether a format states a width that no text needs."""
    return _WIDTH.search(text) is not None


def error_of_format(text: str, values: tuple[Any, ...] | dict[Any, Any]) -> TypeError | None:
    """What `text % values` raises, as of an array for `%f`."""
    like = tuple(map(_like, values)) if isinstance(values, tuple) else {key: _like(values[key]) for key in values}
    try:
        operator.mod(text, like)
    except TypeError as error:
        return error
    return None


def error_of_fields(text: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> TypeError | None:
    """What `text.format(...)` raises, as of an array for `{:.2f}`."""
    numbers = count()
    try:
        fields = [each for each in Formatter().parse(text) if each[1] is not None]
    except ValueError:
        return None
    if any("{" in str(spec) for _, _, spec, _ in fields):
        return None  # a value tells the format of another one
    for _, name, spec, conversion in fields:
        key = name or str(next(numbers))
        is_place = key.isdecimal() and int(key) < len(args)
        error = error_of_part(args[int(key)] if is_place else kwargs.get(key, UNKNOWN), conversion, spec)
        if error is not None:
            return error
    return None


def error_of_part(value: Any, conversion: int | str | None, spec: Any) -> TypeError | None:
    """What the format of a value raises: None, lists and arrays have none but their text."""
    if conversion not in _AS_IT_IS or not isinstance(spec, str) or not spec:
        return None
    if value is None:
        return TypeError("None has no format")
    if isinstance(value, np.ndarray) and value.ndim and not is_integer(value):
        return TypeError("an array has no format; take one of its elements, or their mean")
    is_without = type(value) in _WITHOUT
    return TypeError(f"unsupported format string passed to {type(value).__name__}.__format__") if is_without else None


def _like(value: Any) -> Any:
    """A value that a format refuses if it refuses this one; an integer for one of which nothing is known."""
    return bare(value) if value is None or type(value) in FORMATTED or is_hidden(value) else 0
