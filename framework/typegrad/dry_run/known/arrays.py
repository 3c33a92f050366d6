"""Arrays whose shape and element type are known, but not their values, such as random numbers or what a run returns."""

from __future__ import annotations

import math
import operator
import warnings
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, NoReturn, final

import numpy as np

from typegrad.dry_run.known.unknown import UNKNOWN, UncertainError, UnknownFloat, has_unknown, is_unknown

__all__ = [
    "TAKES_DIMENSIONS", "RefusedError", "StandIn", "bare", "check_change", "computed", "hidden", "integer", "is_hidden",
    "is_integer", "is_open_integer", "is_without_value", "limited", "may_be_number", "method_result", "stand_in",
]  # fmt: skip

_MANY: Final = 4096
"""The size from which the values of an array are not kept."""
_LARGEST: Final = 10**7
"""The size of all arguments together from which nothing is computed."""
_HUGE: Final = 10**12
"""The size from which even the shape is not kept."""
_MOST_LISTED: Final = 1000
"""The number of elements up to which lists are made of them."""
_OF_SHAPES: Final = (
    "align", "axis", "axes", "broadcast", "deep", "dimension", "equal division", "mismatch", "same size", "shape",
    "square",
)  # fmt: skip
"""The words that NumPy's errors about shapes have."""
_VIEWING: Final = frozenset(("expand_dims", "moveaxis", "reshape", "squeeze", "swapaxes", "transpose"))
"""The functions and methods that make no elements, however many there are."""
_OF_VALUES: Final = frozenset(("item", "tolist", "tobytes"))
"""The methods whose results are values alone."""


def _takes_dimensions() -> bool:
    try:
        with warnings.catch_warnings(action="ignore"):
            return float(np.zeros(1)) == 0.0
    except TypeError:
        return False


TAKES_DIMENSIONS: Final = _takes_dimensions()
"""Whether NumPy takes an array with dimensions and one element for a number, as before version 2.4."""


class RefusedError(Exception):
    """What NumPy refuses to do with any array of a shape, whatever its values are."""


class _RefusedTypeError(TypeError, RefusedError):
    pass


class _RefusedValueError(ValueError, RefusedError):
    pass


@final
class StandIn(np.ndarray):
    """An array that takes one element of memory, whatever its shape. Its values are unknown."""

    is_python = False
    """Whether it represents an integer of Python, which takes the type of what it is combined with."""
    is_array = False
    """Whether it certainly is an array, and no number of NumPy, although it has no dimensions."""
    ends: tuple[Any, Any] | None = None
    """Between what its elements lie, if that is known."""

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, out: Any = None, **kwargs: Any) -> Any:
        """Infer the result's type from one element of each input, and its shape by broadcasting."""
        if method == "__call__" and out is not None and not has_unknown(kwargs) and isinstance(out[0], np.ndarray):
            check_change(lambda array, *arrays: ufunc(*arrays, out=array, **bare(kwargs)), out[0], *inputs)
        are_numbers = all(isinstance(each, (int, float)) or is_integer(each) for each in inputs)
        if method == "__call__" and are_numbers and not kwargs:
            result = ufunc(*map(bare, inputs))
            return hidden(tuple(each.item() for each in result) if isinstance(result, tuple) else result.item())
        if method != "__call__" or ufunc.signature is not None or has_unknown((inputs, kwargs)):
            return computed(getattr(ufunc, method), inputs, kwargs)
        taking = (*inputs, kwargs.pop("where", True))
        arrays = [np.asarray(bare(each)) if isinstance(each, (list, tuple)) else bare(each) for each in taking]
        shape = np.broadcast_shapes(*map(np.shape, arrays))
        ones = [np.ones((1,) * each.ndim, each.dtype) if isinstance(each, np.ndarray) else each for each in arrays]
        with np.errstate(all="ignore"):
            result = ufunc(*ones[:-1], out=(None,) * ufunc.nout, where=ones[-1], **bare(kwargs))
        parts = [stand_in(shape, each.dtype) for each in (result if isinstance(result, tuple) else (result,))]
        return tuple(parts) if isinstance(result, tuple) else parts[0]

    def __array_function__(self, func: Callable[..., Any], types: Any, args: Any, kwargs: Any) -> Any:
        """Compute with an array of zeros, and hide the values of the result."""
        del types
        return computed(func, args, kwargs)

    def __getitem__(self, index: Any) -> Any:
        made = computed(operator.getitem, (self, index), {})  # of a number, if it has no dimensions
        if isinstance(made, StandIn) and not made.ndim:
            made.ends = self.ends
        return made

    def __iter__(self) -> Any:
        if not self.ndim:
            raise TypeError(f"'numpy.{self.dtype}' object is not iterable")
        return (self[place] for place in range(len(self)))

    def __setitem__(self, index: Any, value: Any) -> None:
        """Ignore values."""

    def _uncertain(self, *_: object) -> NoReturn:
        raise UncertainError

    def refuse_as_number(self) -> None:
        """Refuse, as NumPy does, to be a number with several elements, or with dimensions."""
        if self.size != 1:
            raise _RefusedTypeError("only a single element is a number; take one of the elements, or their mean")
        if self.ndim and not TAKES_DIMENSIONS:
            raise _RefusedTypeError("only an array without dimensions is a number; take its element with item()")

    def _as_number(self, *_: object) -> NoReturn:
        self.refuse_as_number()
        raise UncertainError

    def __round__(self, digits: int = 0) -> NoReturn:
        if self.ndim:
            raise _RefusedTypeError("round() is for a number; np.round rounds the elements of an array")
        raise UncertainError

    def __format__(self, spec: str) -> str:
        if spec and self.ndim:
            raise _RefusedTypeError("an array has no format; take one of its elements, or their mean")
        raise UncertainError

    def refused_as_key(self) -> NoReturn:
        """Refuse to be a key, as arrays do; the key that a number is is unknown."""
        if self.ndim or self.is_array:
            raise TypeError("unhashable type: 'numpy.ndarray'")
        raise UncertainError

    def __bool__(self) -> bool:
        if self.size > 1:
            raise _RefusedValueError("the truth of an array with several elements is ambiguous; use any() or all()")
        raise UncertainError

    __contains__ = __repr__ = __str__ = _uncertain

    def __index__(self) -> int:
        if self.ndim:
            raise _RefusedTypeError("an array is no index; take one of its elements")
        if self.dtype.kind == "f":
            raise _RefusedTypeError(f"{self.dtype} is no integer; convert it with int()")
        raise UncertainError


for _name in ("__int__", "__float__", "__complex__"):  # NumPy's types say what they return
    setattr(StandIn, _name, StandIn._as_number)
setattr(StandIn, "__hash__", StandIn.refused_as_key)  # noqa: B010


def stand_in(shape: Sequence[int], dtype: Any) -> Any:
    """An array of this shape with unknown values; unknown itself if it is too large, a single record, or of objects."""
    kind = np.dtype(dtype).kind
    if math.prod(shape) > _HUGE or kind == "O" or (kind == "V" and not tuple(shape)):
        return UNKNOWN
    return np.broadcast_to(np.zeros((), dtype), tuple(shape)).view(StandIn)


def integer() -> StandIn:
    """An integer of Python with an unknown value."""
    made: StandIn = stand_in((), np.int64)
    made.is_python = True
    return made


def is_integer(value: object) -> bool:
    """Whether a value is such an integer."""
    return isinstance(value, StandIn) and value.is_python


def may_be_number(value: object) -> bool:
    """Whether a value may be a number of NumPy, or an array without dimensions, as a run returns one."""
    return isinstance(value, StandIn) and not (value.ndim or value.is_python or value.is_array)


def hidden(value: Any) -> Any:
    """A result without its values. Matrices and masked arrays have other methods than arrays."""
    if isinstance(value, np.ndarray) and type(value) not in (np.ndarray, StandIn):
        return UNKNOWN
    if is_integer(value):
        return integer()
    if isinstance(value, (np.ndarray, np.generic)):
        made = stand_in(value.shape, value.dtype)
        if isinstance(made, StandIn):
            made.is_array = value.is_array if isinstance(value, StandIn) else isinstance(value, np.ndarray)
        return made
    if isinstance(value, float):
        return UnknownFloat(value)
    if isinstance(value, int):
        return UNKNOWN if isinstance(value, bool) else integer()
    make = getattr(value, "_make", None)
    if make is not None and isinstance(value, tuple):  # a named one
        return make(map(hidden, value))
    return type(value)([hidden(each) for each in value]) if type(value) in (list, tuple) else UNKNOWN


def limited(value: Any) -> Any:
    """A result of NumPy, without the values of large arrays."""
    if isinstance(value, np.ndarray) and (value.size > _MANY or isinstance(value, StandIn)):
        return hidden(value)
    if type(value) in (list, tuple) and any(isinstance(each, np.ndarray) for each in value):
        return type(value)([limited(each) for each in value])
    return value


def is_hidden(value: object) -> bool:
    """Whether a value has a type, but no known numbers."""
    return isinstance(value, (StandIn, UnknownFloat))


def is_without_value(value: object) -> bool:
    """Whether a value is unknown, even if its type is known."""
    return is_unknown(value) or is_hidden(value)


def is_open_integer(value: object) -> bool:
    """Whether a value is an array of unknown integers, from which a shape might follow."""
    return isinstance(value, StandIn) and value.dtype.kind in "iub"


def bare(value: Any) -> Any:
    """Arguments with zeros in the place of stand-ins, and plain numbers in the place of unknown numbers."""
    if is_integer(value):
        return 1
    if isinstance(value, StandIn):
        return value.view(np.ndarray) if value.ndim or value.is_array else value.dtype.type()
    if isinstance(value, UnknownFloat):
        return 1.0
    if type(value) in (list, tuple, deque):
        return type(value)(map(bare, value))
    return {key: bare(each) for key, each in value.items()} if type(value) is dict else value


def computed(function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], name: str = "") -> Any:
    """What a function returns for some stand-ins, without values; `name` is that of a method that it calls."""
    is_viewing = (name or getattr(function, "__name__", "")) in _VIEWING
    is_large = not is_viewing and _total((args, kwargs)) > _LARGEST
    if is_large or has_unknown((args, kwargs)):
        return UNKNOWN
    try:
        with np.errstate(all="ignore"):
            try:
                return hidden(function(*map(bare, args), **bare(kwargs)))
            except np.linalg.LinAlgError:
                return hidden(function(*map(_regular, args), **bare(kwargs)))
    except (ValueError, ArithmeticError) as error:
        if any(word in str(error) for word in _OF_SHAPES):
            raise
        return UNKNOWN  # it may be about the values


def check_change(change: Callable[..., Any], array: np.ndarray, *args: Any) -> None:
    """Refuse what NumPy refuses to do to an array of this shape and type, whatever its values are."""
    if has_unknown(args) or _total((array, args)) > _LARGEST:
        return
    with suppress(ArithmeticError), np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        change(np.zeros(array.shape, array.dtype), *map(bare, args))


def _regular(value: Any) -> Any:
    """An argument with identities in the place of square matrices, as zeros have no inverse."""
    if isinstance(value, StandIn) and value.ndim >= 2 and value.shape[-1] == value.shape[-2]:
        return np.broadcast_to(np.eye(value.shape[-1], dtype=value.dtype), value.shape)
    return bare(value)


def _total(value: Any) -> int:
    """The size of all arrays in some arguments."""
    if isinstance(value, np.ndarray):
        return value.size
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return sum(map(_total, parts))


def _listed(shape: Sequence[int], number: Any) -> Any:
    """Lists of numbers, as an array of this shape has them."""
    return [_listed(shape[1:], number) for _ in range(shape[0])] if shape else number


def _number(dtype: np.dtype[Any]) -> Any:
    """A number of Python."""
    return UnknownFloat(1) if dtype.kind == "f" else integer() if dtype.kind in "iu" else UNKNOWN


def _viewed(array: np.ndarray, *args: Any, **kwargs: Any) -> Any:
    """A view of an array whose memory is laid out as usual; of another one it has this shape, too, or there is none."""
    return np.zeros(array.shape, array.dtype).view(*args, **kwargs)


def method_result(array: StandIn, name: str, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """What a method of an array of unknown values returns."""
    if name in _OF_VALUES:
        if name == "item" and array.size != 1 and not args:
            raise _RefusedValueError("item() is for an array of one element; take one of its elements, or their mean")
        if name == "item" and args and not has_unknown(args, is_without_value):
            array.view(np.ndarray).item(*args)  # refused, if it is out of range
            return _number(array.dtype)
        if name == "tolist" and array.size <= _MOST_LISTED:
            return _listed(array.shape, _number(array.dtype))
        return _number(array.dtype) if name == "item" and array.size == 1 else UNKNOWN
    if name == "astype":
        dtype = args[0] if args else kwargs.get("dtype", UNKNOWN)
        return UNKNOWN if dtype is UNKNOWN else stand_in(array.shape, dtype)
    if name == "copy":
        return hidden(array)
    if name == "view":
        return computed(_viewed, (array, *args), kwargs)
    if name == "fill" and not kwargs:
        return check_change(np.ndarray.fill, array, *args)
    return computed(lambda each, *more, **options: getattr(each, name)(*more, **options), (array, *args), kwargs, name)
