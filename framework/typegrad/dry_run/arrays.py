"""Arrays whose shape and element type are known, but not their values, such as random numbers or what a run returns."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final, NoReturn, final

import numpy as np

from typegrad.dry_run.unknown import UNKNOWN, UncertainError, has_unknown

__all__ = ["StandIn", "bare", "hidden", "is_open_integer", "limited", "method_result", "stand_in"]

_MANY: Final = 4096
"""The size from which the values of an array are not kept."""
_LARGEST: Final = 10**7
"""The size of all arguments together from which nothing is computed."""
_HUGE: Final = 10**12
"""The size from which even the shape is not kept."""
_OF_VALUES: Final = frozenset(("item", "tolist", "tobytes"))
"""The methods whose results are values alone."""


@final
class StandIn(np.ndarray):
    """An array that takes one element of memory, whatever its shape. Its values are unknown."""

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, out: Any = None, **kwargs: Any) -> Any:
        """Infer the result's type from one element of each input, and its shape by broadcasting."""
        del out
        if method != "__call__" or ufunc.signature is not None or has_unknown((inputs, kwargs)):
            return computed(getattr(ufunc, method), inputs, kwargs)
        arrays = [np.asarray(bare(each)) if isinstance(each, (np.ndarray, list, tuple)) else each for each in inputs]
        shape = np.broadcast_shapes(*map(np.shape, arrays))
        ones = [np.ones((1,) * each.ndim, each.dtype) if isinstance(each, np.ndarray) else each for each in arrays]
        with np.errstate(all="ignore"):
            result = ufunc(*ones, **kwargs)
        parts = [stand_in(shape, each.dtype) for each in (result if isinstance(result, tuple) else (result,))]
        return tuple(parts) if isinstance(result, tuple) else parts[0]

    def __array_function__(self, func: Callable[..., Any], types: Any, args: Any, kwargs: Any) -> Any:
        """Compute with an array of zeros, and hide the values of the result."""
        del types
        return computed(func, args, kwargs)

    def __getitem__(self, index: Any) -> Any:
        return computed(np.ndarray.__getitem__, (self, index), {})

    def __iter__(self) -> Any:
        return (self[place] for place in range(len(self)))

    def __setitem__(self, index: Any, value: Any) -> None:
        """Ignore values."""

    def _uncertain(self, *_: object) -> NoReturn:
        raise UncertainError

    __bool__ = __int__ = __float__ = __index__ = __complex__ = __contains__ = _uncertain
    __repr__ = __str__ = __format__ = _uncertain


def stand_in(shape: Sequence[int], dtype: Any) -> Any:
    """An array of this shape with unknown values; a single one is just unknown."""
    if not shape or math.prod(shape) > _HUGE:
        return UNKNOWN
    return np.broadcast_to(np.zeros((), dtype), tuple(shape)).view(StandIn)


def hidden(value: Any) -> Any:
    """A result without its values: arrays become stand-ins, and numbers unknown."""
    if isinstance(value, np.ndarray):
        return stand_in(value.shape, value.dtype)
    return type(value)(map(hidden, value)) if type(value) in (list, tuple) else UNKNOWN


def limited(value: Any) -> Any:
    """A result, without the values of a large array."""
    if isinstance(value, np.ndarray) and (value.size > _MANY or isinstance(value, StandIn)):
        return hidden(value)
    return type(value)(map(limited, value)) if type(value) in (list, tuple) else value


def is_open_integer(value: object) -> bool:
    """Whether a value is an array of unknown integers, from which a shape might follow."""
    return isinstance(value, StandIn) and value.dtype.kind in "iub"


def bare(value: Any) -> Any:
    """Arguments with arrays of zeros in the place of stand-ins."""
    if isinstance(value, StandIn):
        return value.view(np.ndarray)
    if type(value) in (list, tuple):
        return type(value)(map(bare, value))
    return {key: bare(each) for key, each in value.items()} if type(value) is dict else value


def computed(function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """What a function returns for some stand-ins, without values."""
    if has_unknown((args, kwargs)) or _total((args, kwargs)) > _LARGEST:
        return UNKNOWN
    with np.errstate(all="ignore"):
        return hidden(function(*map(bare, args), **bare(kwargs)))


def _total(value: Any) -> int:
    """The size of all arrays in some arguments."""
    if isinstance(value, np.ndarray):
        return value.size
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return sum(map(_total, parts))


def method_result(array: StandIn, name: str, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """What a method of an array of unknown values returns."""
    if name in _OF_VALUES:
        return UNKNOWN
    if name == "astype":
        dtype = args[0] if args else kwargs.get("dtype", UNKNOWN)
        return UNKNOWN if dtype is UNKNOWN else stand_in(array.shape, dtype)
    if name == "copy":
        return array
    return computed(getattr(np.ndarray, name), (array, *args), kwargs)
