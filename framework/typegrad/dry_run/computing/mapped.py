"""NumPy's functions that call a function of the program: on arrays of indices, on each element, on each row."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import Any, Final, Protocol

import numpy as np

from typegrad.dry_run.computing.numpy_calls import numpy_result
from typegrad.dry_run.known.arrays import StandIn, stand_in
from typegrad.dry_run.known.unknown import UNKNOWN, has_unknown, is_unknown
from typegrad.dry_run.tracking.core import NOWHERE

__all__ = ["Vectorized", "innermost", "mapped"]

_NUMBERS: Final = "biufc"
"""The kinds of element types whose size does not depend on values."""


class _Machine(Protocol):
    """What calls functions of the program, and of libraries."""

    def of_library(self, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """What a function returns that may refuse its arguments."""

    def call(self, place: int, function: Any, /, *args: Any, **kwargs: Any) -> Any:
        """What a function returns that is called once."""

    def repeated(self, function: Any, /, *args: Any, **kwargs: Any) -> Any:
        """What a function returns at first that is called any number of times."""


class Vectorized(np.vectorize):
    """A function of the program that is called on each element. Of its results, the types and shapes are known."""

    def __init__(self, machine: _Machine, *args: Any, **kwargs: Any) -> None:
        """Take the arguments of `np.vectorize`."""
        super().__init__(*args, **kwargs)
        self._machine = machine

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function on the first elements."""
        arrays = [_array(each) for each in args]
        is_plain = not (kwargs or self.excluded or self.signature) and len(self.otypes or "d") == 1
        if not is_plain or not arrays or any(each is UNKNOWN for each in arrays):
            self._machine.repeated(self.pyfunc, *[UNKNOWN] * len(args))
            return UNKNOWN
        shape = self._machine.of_library(np.broadcast_shapes, [each.shape for each in arrays], {})
        if 0 in shape:
            return UNKNOWN
        firsts = [_first(each, (0,) * each.ndim) for each in arrays]
        if self.otypes is not None:  # then NumPy makes objects of Python of the elements
            firsts = [numpy_result(each.item, (), {}) for each in firsts]
        result = _array(self._machine.repeated(self.pyfunc, *firsts))
        if self.otypes is not None:
            dtype = np.dtype(self.otypes[0])
        elif result is UNKNOWN or result.ndim:
            return UNKNOWN
        else:
            dtype = result.dtype
        return stand_in(shape, dtype) if dtype.kind in _NUMBERS else UNKNOWN


def innermost(function: Any) -> Any:
    """The function that is called in the end."""
    while True:
        if isinstance(function, functools.partial):
            function = function.func
        elif isinstance(function, np.vectorize):
            function = function.pyfunc
        else:
            return function


def mapped(machine: _Machine, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """What a function of NumPy returns that is given a function of the program; unknown, if others call it too."""
    make = next((make for each, make in _MAPPING.items() if each is function), None)
    return UNKNOWN if make is None or has_unknown(args[1:]) else make(machine, *args, **kwargs)


def _from_function(
    machine: _Machine, function: Any, shape: Any = UNKNOWN, *, dtype: Any = float, like: Any = None, **kwargs: Any
) -> Any:
    indices = machine.of_library(numpy_result, (np.indices, (shape,), {"dtype": dtype}), {})
    return UNKNOWN if is_unknown(indices) or like is not None else machine.call(NOWHERE, function, *indices, **kwargs)


def _vectorize(machine: _Machine, *args: Any, **kwargs: Any) -> Any:
    return UNKNOWN if has_unknown((args, kwargs)) else machine.of_library(Vectorized, (machine, *args), kwargs)


def _along_axis(machine: _Machine, *args: Any, **kwargs: Any) -> Any:
    given = machine.of_library(signature(np.apply_along_axis).bind, args, kwargs)
    function, axis, array, *more = given.args
    array = _array(array)
    if array is UNKNOWN or not isinstance(axis, int) or not -array.ndim <= axis < array.ndim or not array.size:
        return UNKNOWN
    place = axis % array.ndim
    first = _first(array, tuple(slice(None) if each == place else 0 for each in range(array.ndim)))
    result = _array(machine.repeated(function, first, *more, **given.kwargs))
    if result is UNKNOWN or result.dtype.kind not in _NUMBERS:
        return UNKNOWN
    return stand_in((*array.shape[:place], *result.shape, *array.shape[place + 1 :]), result.dtype)


_MAPPING: Final[Mapping[Any, Callable[..., Any]]] = {
    np.apply_along_axis: _along_axis,
    np.fromfunction: _from_function,
    np.vectorize: _vectorize,
}


def _first(array: Any, index: Any) -> Any:
    """The first element or row of an array."""
    return numpy_result(operator.getitem, (array, index), {})


def _array(value: Any) -> Any:
    """An array of a value; unknown, if it may be none of numbers."""
    made = value if isinstance(value, StandIn) and value.ndim else numpy_result(np.asarray, (value,), {})
    return made if isinstance(made, np.ndarray) and made.dtype.kind in _NUMBERS else UNKNOWN
