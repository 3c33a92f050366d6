"""Between what ends numbers lie that are not known, such as random ones.

What rises or falls with a number is known where both ends of it give the same: `random() < 0.0` is false.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from typegrad.dry_run.known.arrays import StandIn, integer, is_integer, stand_in
from typegrad.dry_run.known.unknown import UNKNOWN, Unknown, UnknownFloat

__all__ = ["between", "ends", "forget_ends", "one_of", "refined"]

_KNOWN: Final = 4096
"""The size of an array up to which its elements are made where they are all the same."""
_WHOLE: Final = 2**1000
"""What no integer of a program exceeds."""
_NUMBERS: Final = "biuf"
_RISING: Final = frozenset((
    "abs", "absolute", "add", "ceil", "clip", "divide", "float", "floor", "ge", "greater", "greater_equal", "gt",
    "floor_divide", "floordiv", "iadd", "ifloordiv", "imul", "int", "isfinite", "isinf", "isnan", "isub", "itruediv",
    "le", "less", "less_equal", "lt", "max", "maximum", "min", "minimum", "mul", "multiply", "neg", "negative", "pos",
    "rint", "round", "sign", "sqrt", "sub", "subtract", "truediv", "trunc",
))  # fmt: skip
"""The functions and operators that rise or fall with each argument, by name."""
_REARRANGING: Final = frozenset(("flatten", "max", "min", "repeat", "roll", "sort", "take", "tile"))
"""Those that return elements of an array, not as a view of it."""
_FINDING: Final = frozenset(("argmax", "argmin", "argpartition", "argsort"))
"""Those that return where elements are."""
_REMAINDERS: Final = ("imod", "mod", "remainder")
_COMMON_BITS: Final = ("and_", "bitwise_and", "iand")
_OF_ELEMENTS: Final = frozenset(("all", "any", "max", "min"))
"""Those that also tell one element of an array, or whether there is one."""
_GETTING: Final = ("__getitem__", "getitem", "item")
_EQUAL: Final = {"eq": False, "equal": False, "ne": True, "not_equal": True}
"""What comparisons return for numbers that are not equal."""
_READING: Final = _RISING.union(_OF_ELEMENTS, _REARRANGING, _FINDING, _REMAINDERS, _COMMON_BITS, _GETTING, _EQUAL, (
    "astype", "concatenate", "copy", "count_nonzero", "exp", "invert", "len", "log", "logical_not",
    "mean", "nonzero", "pow", "power", "print", "prod", "sqrt", "stack", "std", "sum", "tolist", "var", "where",
))  # fmt: skip
"""Those that neither change the arrays that they take nor give views of them."""
_ALONG: Final = frozenset(("axis", "dtype", "keepdims"))
_DIVIDING: Final = frozenset(("divide", "floor_divide", "floordiv", "ifloordiv", "itruediv", "truediv"))
_FROM_ZERO: Final = frozenset(("abs", "absolute"))


def ends(value: Any) -> tuple[Any, Any] | None:
    """The least and the largest that a number, or an element of an array, may be; None if that is not known."""
    if isinstance(value, (StandIn, UnknownFloat)):
        return value.ends or ((-_WHOLE, _WHOLE) if is_integer(value) else None)
    if type(value) in (bool, int, float):
        return _ordered(value, value)
    is_real = isinstance(value, (np.ndarray, np.generic)) and value.size > 0 and value.dtype.kind in _NUMBERS
    return _ordered(value.min(), value.max()) if is_real else None


def _ordered(least: Any, largest: Any) -> tuple[Any, Any] | None:
    """The ends; None if one is no number, as others may then be larger than both."""
    return (least, largest) if least <= largest else None


def between(value: Any, least: Any, largest: Any) -> Any:
    """A value whose numbers are not known, but between these; the numbers, where these leave one."""
    if isinstance(value, StandIn) and not value.is_python:
        return _array_between(value, least, largest)
    if least == largest:
        return float(least) if isinstance(value, UnknownFloat) else int(least) if is_integer(value) else least
    if not isinstance(value, (StandIn, UnknownFloat)):
        return value
    made = integer() if isinstance(value, StandIn) else UnknownFloat(1)
    made.ends = least, largest
    return made


def _array_between(array: StandIn, least: Any, largest: Any) -> Any:
    if least == largest and array.size <= _KNOWN:
        return np.full(array.shape, least, array.dtype)[()]
    made = stand_in(array.shape, array.dtype)
    if array.dtype.kind in _NUMBERS:
        with suppress(ArithmeticError):
            made.ends = array.dtype.type(least), array.dtype.type(largest)
    return made


def forget_ends(value: Any) -> None:
    """Forget the ends of an array that may be changed, also through a view of it."""
    if isinstance(value, StandIn) and value.ndim:
        value.ends = None


def refined(
    result: Any, function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any] = MappingProxyType({})
) -> Any:
    """What a function returned, with what the ends of its arguments tell."""
    name, owner = getattr(function, "__name__", ""), getattr(function, "__self__", None)
    if name not in _READING or len(args) > _most(name) or not kwargs.keys() <= _ALONG:
        for each in (owner, *args, *kwargs.values()):
            forget_ends(each)
    if not (result is UNKNOWN or isinstance(result, (StandIn, UnknownFloat))) or not kwargs.keys() <= _ALONG:
        return result
    if isinstance(owner, StandIn):
        function, args = getattr(np, name, function), (owner, *args)
    if isinstance(result, StandIn) and args:
        found = _of_converted(result.dtype, args[0]) if name == "astype" else _of_elements(name, args)
        result = result if found is None else between(result, *found)
    if kwargs or not isinstance(result, (StandIn, UnknownFloat, Unknown)):
        return result
    if name in _GETTING:
        return _element(result, args[0])
    given = [each for each in map(ends, args) if each is not None]
    is_open = any(isinstance(each, (StandIn, UnknownFloat)) for each in args)
    if not is_open or len(given) < len(args) or (result is UNKNOWN and any(getattr(each, "ndim", 0) for each in args)):
        return result
    found = _ends_of(name, function, given)
    if found is None and isinstance(result, StandIn) and result.dtype.kind in "iu" and len(given) == len(args) == 2:
        found = _ends_of_whole(name, *given)
    return result if found is None else between(result, *found)


def one_of(values: Sequence[Any]) -> Any:
    """A number that is one of some numbers of one type."""
    found = [ends(each) for each in values]
    known = [each for each in found if each is not None]
    made = integer() if is_integer(values[0]) else UnknownFloat(1)
    if len(known) < len(found):
        return made
    return between(made, min(least for least, _ in known), max(largest for _, largest in known))


def _most(name: str) -> int:
    """How many arguments a function takes before the array that it writes into."""
    return 3 if name in ("clip", "where") else 2


def _exact(function: Callable[..., Any], value: Any) -> Any:
    """An integer without limits for a function of arrays, which does not tell that one exceeds those of its type."""
    is_limited = isinstance(function, np.ufunc) and isinstance(value, np.integer)
    return np.array(int(value), object) if is_limited else value


def _of_elements(name: str, args: Sequence[Any]) -> tuple[Any, Any] | None:
    """Between what a result lies that has elements of its arguments, or tells where they are."""
    first = args[0]
    if name in _FINDING and isinstance(first, np.ndarray) and first.size:
        return 0, first.size - 1
    if name in _REARRANGING and isinstance(first, StandIn):
        return first.ends
    if name == "where" and len(args) == 3:
        chosen, other = map(ends, args[1:])
        if chosen is not None and other is not None:
            return min(chosen[0], other[0]), max(chosen[1], other[1])
    return None


def _of_converted(dtype: np.dtype[Any], array: Any) -> tuple[Any, Any] | None:
    """Between what numbers lie that are converted to a type; nothing is known where this may not hold them."""
    if not isinstance(array, StandIn) or array.ends is None or dtype.kind not in "iuf":
        return None
    least, largest = array.ends
    limits = np.iinfo(dtype) if dtype.kind in "iu" else np.finfo(dtype)
    return (least, largest) if limits.min <= least and largest <= limits.max else None


def _ends_of_whole(name: str, left: tuple[Any, Any], right: tuple[Any, Any]) -> tuple[Any, Any] | None:
    """Between what an integer lies that is made of two."""
    if name in _REMAINDERS and right[0] > 0:
        return 0, right[1] - 1
    positive = [largest for least, largest in (left, right) if least >= 0]
    return (0, min(positive)) if name in _COMMON_BITS and positive else None


def _element(result: Any, array: Any) -> Any:
    """What was got of an array: an element, or a view of it, through which it may be changed."""
    if (
        isinstance(array, StandIn)
        and array.ends is not None
        and result is not UNKNOWN
        and not getattr(result, "ndim", 0)
    ):
        return between(result, *array.ends)
    forget_ends(array)
    return result


def _ends_of(name: str, function: Callable[..., Any], given: Sequence[Any]) -> tuple[Any, Any] | None:
    """Between what a function's result lies, by the ends of its arguments."""
    if name in _EQUAL and len(given) == 2:
        (least, largest), (other_least, other_largest) = given
        is_other = largest < other_least or other_largest < least
        return (_EQUAL[name], _EQUAL[name]) if is_other else None
    if name not in _RISING and not (name in _OF_ELEMENTS and len(given) == 1):
        return None
    if len(given) > _most(name):
        return None
    divisor = given[1:] if name in _DIVIDING else given if name in _FROM_ZERO else ()
    if any(least <= 0 <= largest and (name in _DIVIDING or least < 0) for least, largest in divisor):
        return None
    with suppress(ArithmeticError, TypeError, ValueError), np.errstate(all="raise", under="ignore"):
        exact = partial(_exact, function)
        made = [function(*map(exact, each)) for each in itertools.product(*given)]
        if all(map(operator.eq, made, made)) and not any(abs(each) == np.inf for each in made):
            return min(made), max(made)
    return None
