"""NumPy's functions and indices whose results have as many elements as the values tell."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeGuard

import numpy as np

from typegrad.dry_run.known.arrays import StandIn, computed, is_hidden, stand_in
from typegrad.dry_run.known.unknown import UNKNOWN, has_unknown
from typegrad.dry_run.known.unsized import for_sizes, is_size, of_one_size

__all__ = ["check_masks", "is_of_values", "of_values", "unmasked"]

_SIZED_BY_OTHERS: Final = frozenset(("delete", "repeat"))
"""The functions for whose results only the values of the arguments after the first one matter."""
_SIZED_BY_FIRST: Final = frozenset(("compress", "extract"))
"""The functions and methods for whose results only the values of the first argument matter."""
_OTHERS: Final = frozenset(("at", "histogramdd", "roots", "unique_all", "unique_counts", "unique_inverse"))
"""Those of which nothing is known."""
_REAL_ABOVE: Final = 2
"""The sizes above it have real eigenvalues here, and the others complex ones: there are several of both."""
_Rule = Callable[[Any, Sequence[Any], dict[str, Any]], Any]


def is_of_values(function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> bool:
    """Whether the shape or the type of what a function or method returns depends on values that are not known."""
    name, owner = getattr(function, "__name__", ""), getattr(function, "__self__", None)
    if name in _SIZED_BY_OTHERS:
        return has_unknown((args[not isinstance(owner, np.ndarray) :], kwargs), is_hidden)
    if name in _SIZED_BY_FIRST:
        return has_unknown(args[:1], is_hidden)
    if name in _RULES or name in _OTHERS:
        return (name != "where" or len(args) == 1) and has_unknown((owner, args, kwargs), is_hidden)
    return False


def of_values(function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """What such a function returns."""
    name, owner = function.__name__, getattr(function, "__self__", None)
    rule = _RULES.get(name)
    if rule is None:
        return UNKNOWN
    if isinstance(owner, np.ndarray):
        function, args = getattr(np, name), (owner, *args)
    with warnings.catch_warnings(action="ignore"):
        return rule(function, args, kwargs)


def check_masks(array: Any, index: Any) -> None:
    """Refuse an index with arrays of truth values that NumPy refuses whatever these are."""
    parts = index if isinstance(index, tuple) else (index,)
    if any(each is Ellipsis or isinstance(each, bool) for each in parts):
        return
    probe: Any = np.broadcast_to(np.zeros((), np.bool_), array.shape)
    axis = 0
    for each in parts:
        if _is_truth(each):
            probe[(*(slice(None),) * axis, np.broadcast_to(np.zeros((), np.bool_), each.shape))]
        axis += each.ndim if _is_truth(each) else each is not None
    probe[(slice(None),) * axis]


def _is_truth(value: object) -> TypeGuard[np.ndarray[Any, Any]]:
    return isinstance(value, np.ndarray) and value.dtype.kind == "b"


def unmasked(index: Any, size: int) -> Any:
    """An index with so many indices in the place of each array of truth values."""
    parts = index if isinstance(index, tuple) else (index,)
    result: list[Any] = []
    for each in parts:
        is_mask = isinstance(each, StandIn) and each.dtype.kind == "b" and each.ndim
        result += [np.zeros(size, np.intp)] * each.ndim if is_mask else [each]
    return tuple(result)


def _of_distinct(function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """What it returns for arrays of different elements, none of which is 0."""
    has_options = len(args) > 1 or bool(kwargs)
    if any(isinstance(each, (list, tuple)) or (has_options and getattr(each, "ndim", 0) > 1) for each in args):
        return UNKNOWN

    def of_size(size: int) -> Any:
        options = {key: _distinct(each, size) for key, each in kwargs.items()}
        return computed(function, [_distinct(each, size) for each in args], options)

    return for_sizes(of_size)


def _bincount(function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """Counts of the elements of a vector; other arrays are refused."""
    is_vector = all(each.ndim == 1 for each in args[:1] if isinstance(each, np.ndarray))
    return (_of_distinct if is_vector else computed)(function, args, kwargs)


def _distinct(value: Any, size: int) -> Any:
    if not isinstance(value, np.ndarray) or not value.ndim:
        return value
    return np.arange(1, size + 1).astype(value.dtype).reshape((size,) + (1,) * (value.ndim - 1))


def _histogram(function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    bins = [*args, *kwargs.values()]
    is_open = any(isinstance(each, str) or (is_size(each) and not each.ndim) for each in bins)
    return UNKNOWN if is_open else computed(function, args, kwargs)


def _average(function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """The average with other weights, as NumPy refuses those that are all 0."""
    return computed(
        function, [*args[:2], *map(_points, args[2:])], {key: _points(each) for key, each in kwargs.items()}
    )


def _polyfit(function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """The coefficients for other points, as NumPy finds none where all are 0."""
    if len(args) > 3 or kwargs.keys() & {"cov", "full"}:
        return UNKNOWN
    return computed(function, list(map(_points, args)), {key: _points(each) for key, each in kwargs.items()})


def _points(value: Any) -> Any:
    is_open = isinstance(value, StandIn) and value.ndim
    return np.arange(1, value.size + 1).astype(value.dtype).reshape(value.shape) if is_open else value


def _least_squares(function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """Whether there are residuals depends on the values."""
    result = computed(function, args, kwargs)
    return UNKNOWN if result is UNKNOWN else (result[0], UNKNOWN, *result[2:])


def _eigenvalues(function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """Arrays of either element type: real matrices have real or complex eigenvalues, and vectors of the same type."""
    real = computed(function, args, kwargs)
    return for_sizes(lambda size: real if size > _REAL_ABOVE else _as_complex(real))


def _as_complex(value: Any) -> Any:
    if isinstance(value, tuple):
        return type(value)(*map(_as_complex, value))
    return stand_in(value.shape, np.result_type(value.dtype, np.complex64)) if isinstance(value, StandIn) else value


def _delete(function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    def bound(arr: Any, obj: Any, axis: Any = None) -> Any:
        if is_size(obj) and not obj.ndim:
            return computed(function, (arr, obj, axis), {})
        return _resized(arr, axis)

    return bound(*args, **kwargs)


def _repeat(function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    def bound(a: Any, repeats: Any, axis: Any = None) -> Any:
        if is_size(repeats) and not repeats.ndim:
            return for_sizes(lambda size: computed(function, (a, of_one_size(repeats, size), axis), {}))
        return _resized(a, axis)

    return bound(*args, **kwargs)


def _resized(array: Any, axis: Any) -> Any:
    """An array with another number of elements along an axis, or in a row."""
    if not isinstance(array, np.ndarray) or not (axis is None or isinstance(axis, int)):
        return UNKNOWN

    def of_size(size: int) -> Any:
        shape = [size] if axis is None else list(array.shape)
        shape[axis or 0] = size
        return stand_in(shape, array.dtype)

    return for_sizes(of_size)


_RULES: Final[Mapping[str, _Rule]] = {
    **dict.fromkeys(("argwhere", "flatnonzero", "nonzero", "trim_zeros", "where"), _of_distinct),
    **dict.fromkeys(("intersect1d", "setdiff1d", "setxor1d", "union1d", "unique", "unique_values"), _of_distinct),
    **dict.fromkeys(("histogram", "histogram2d", "histogram_bin_edges"), _histogram),
    "average": _average,
    "bincount": _bincount,
    "delete": _delete,
    "eig": _eigenvalues,
    "eigvals": _eigenvalues,
    "lstsq": _least_squares,
    "polyfit": _polyfit,
    "repeat": _repeat,
}
