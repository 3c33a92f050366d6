"""An array in one line: all elements of a small one, otherwise range, mean and first elements."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from typegrad.base.array import Array
from typegrad.base.types import TType, element_type_of

__all__ = ["dtype_name", "summary"]

_SMALL: Final = 16
"""Arrays of at most this many elements are written in full."""
_FIRST: Final = 6
"""The number of elements written of a larger one."""
_LONG: Final = 60
"""Strings are truncated after this many bytes."""


def dtype_name(dtype: type[TType]) -> str:
    """The name of an element type: "float32"."""
    return dtype.__name__.removeprefix("T").lower()


def summary(value: ArrayLike) -> str:
    """Type, shape and elements: "float32 [2]: [1, 0.5]", "float32 [100]: min 0, mean 0.5, max 1; first 0, 0.1, ..."."""
    array = np.asarray(value)
    dtype = element_type_of(array.dtype)
    head = f"{dtype_name(dtype) if dtype else array.dtype} {list(array.shape)}"
    if not array.size:
        return f"{head}: empty"
    if array.size <= _SMALL:
        return f"{head}: {_nested(array.tolist())}"
    first = ", ".join(map(_element, array.ravel()[:_FIRST].tolist()))
    return f"{head}: {_statistics(array)}first {first}, ..."


def _nested(items: object) -> str:
    return f"[{', '.join(map(_nested, items))}]" if isinstance(items, list) else _element(items)


def _element(item: object) -> str:
    if isinstance(item, bytes):
        return repr(item) if len(item) <= _LONG else f"{item[:_LONG]!r}..."
    return f"{item:.5g}" if isinstance(item, (float, complex)) else str(item)


def _statistics(array: Array) -> str:
    """The range and the mean of numbers and the count of non-finite ones, or the count of true bools."""
    if array.dtype == np.bool_:
        return f"{np.count_nonzero(array)} of {array.size} true; "
    if array.dtype == np.object_:
        return ""
    if array.dtype.kind == "c":
        return f"magnitude {_range(np.abs(array))}"
    return _range(array)


def _range(array: Array) -> str:
    numbers = array.astype(np.float64, copy=False)
    finite = np.isfinite(numbers)
    unusual = array.size - np.count_nonzero(finite)
    if unusual == array.size:
        return f"{np.count_nonzero(np.isnan(numbers))} NaN of {array.size}; "
    if unusual:
        numbers = numbers[finite]
    least, mean, greatest = (_element(float(number)) for number in (numbers.min(), numbers.mean(), numbers.max()))
    note = f"{unusual} of {array.size} infinite or NaN; " if unusual else ""
    return f"min {least}, mean {mean}, max {greatest}; {note}"
