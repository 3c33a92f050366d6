"""Arrays that NumPy makes of values of which nothing, or not all, is known, where the element type is stated."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

import numpy as np

from typegrad.dry_run.known.arrays import hidden, is_integer
from typegrad.dry_run.known.unknown import UNKNOWN, has_unknown, is_unknown
from typegrad.dry_run.known.unsized import Many, Shapeless, array_of, is_lost

__all__ = ["REFORMING", "array_of_unknown", "reformed"]

_NUMBERS: Final = "biufc"
"""The kinds of element types of numbers."""
_OF_VALUES: Final = (np.array, np.asarray)
"""The functions of any value and an element type."""
_OF_ROWS: Final = (np.frombuffer, np.fromiter)
"""Those whose results have one dimension."""
_OPTIONS: Final = frozenset(("copy", "count", "dtype", "offset", "order"))
_FLAT: Final = ("flatten", "ravel")
REFORMING: Final = (*_FLAT, "astype", "copy", "reshape")
"""The methods of which it is known what they return of an array of any shape."""


def array_of_unknown(call: Callable[..., Any], function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """What such a function returns, if the element type is known. `call` calls one of known values."""
    is_of_values = any(function is each for each in _OF_VALUES)
    if not (is_of_values or any(function is each for each in _OF_ROWS)) or not args or kwargs.keys() - _OPTIONS:
        return UNKNOWN
    dtype = _dtype(args[1] if len(args) > 1 else kwargs.get("dtype", UNKNOWN))
    if dtype is None:
        return UNKNOWN
    if not is_of_values:
        return array_of([None], dtype)
    known = _completed(args[0])
    if not has_unknown((known, args[1:], kwargs), is_lost):
        return call(function, (known, *args[1:]), kwargs)
    return Shapeless(dtype) if known is UNKNOWN else UNKNOWN


def _dtype(value: Any) -> np.dtype[Any] | None:
    """The element type of numbers that a value means."""
    if value is None or has_unknown(value):
        return None
    with suppress(TypeError):
        dtype = np.dtype(value)
        return dtype if dtype.kind in _NUMBERS else None
    return None


def _completed(value: Any) -> Any:
    """Lists in which each unknown item is like a known one: NumPy refuses to make an array of others."""
    if isinstance(value, Many):
        item = _completed(value.item)
        return value if item is value.item else Many(item)
    if type(value) not in (list, tuple):
        return value
    items = [_completed(each) for each in value]
    known = next((each for each in map(_without_values, items) if each is not UNKNOWN), UNKNOWN)
    return type(value)([_filled(each, known) for each in items])


def _filled(item: Any, known: Any) -> Any:
    """An item of a list, with what another one has in the place of what is unknown in it."""
    if isinstance(item, (list, tuple)) and isinstance(known, list) and len(item) == len(known):
        return [_filled(*each) for each in zip(item, known, strict=True)]
    return known if item is UNKNOWN else item


def _without_values(value: Any) -> Any:
    """Such a value of any numbers. An array of one element may be taken for a number."""
    if isinstance(value, (list, tuple)):
        parts = [_without_values(each) for each in value]
        return UNKNOWN if any(each is UNKNOWN for each in parts) else parts
    if is_unknown(value) or isinstance(value, (str, bytes)) or (isinstance(value, np.ndarray) and value.size == 1):
        return UNKNOWN
    return hidden(value)


def reformed(array: Shapeless, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """What a method returns of an array of any shape."""
    if name == "astype":
        dtype = _dtype(args[0] if args else kwargs.get("dtype", UNKNOWN))
        return UNKNOWN if dtype is None else Shapeless(dtype)
    if name == "copy":
        return array
    if name in _FLAT:
        return array_of([None], array.dtype)
    is_whole = len(args) == 1 and type(args[0]) is not int and not is_integer(args[0])
    sizes = args[0] if is_whole else args
    if kwargs or type(sizes) not in (list, tuple) or not all(map(_is_size, sizes)):
        return UNKNOWN
    return array_of([each if isinstance(each, int) and each >= 0 else None for each in sizes], array.dtype)


def _is_size(value: Any) -> bool:
    """Whether a value is a size, or can only be one."""
    return value is UNKNOWN or is_integer(value) or type(value) is int
