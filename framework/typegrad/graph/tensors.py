"""Python and NumPy values as arrays of an element type: constants, feeds and initial values all go through here."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from functools import lru_cache
from math import copysign
from operator import countOf
from typing import Any, Final, cast

import numpy as np

from typegrad.arguments.instead import of_tuple
from typegrad.base.array import Array, DType, has_masked
from typegrad.base.bfloat16 import finfo
from typegrad.base.brief import brief, described, shortened
from typegrad.base.errors import DTypeError, ResourceExhaustedError, ShapeError, TypegradError
from typegrad.base.quiet import quietly
from typegrad.base.sameness import NO_VALUES, Sameness
from typegrad.base.shape import SHAPE_AS_VALUE, Shape
from typegrad.base.types import (
    TBool,
    TComplex,
    TComplex128,
    TFloat32,
    TFloating,
    TInt32,
    TInt64,
    TIntegral,
    TNumber,
    TResource,
    TString,
    TType,
    TUint64,
    allowed_names,
    as_element_type,
    element_type_of,
    from_numpy,
)
from typegrad.graph.nesting import MASKED, check_nesting, first_leaf, unequal
from typegrad.graph.operand_like import is_operand
from typegrad.graph.refusals import NO_SIZE

__all__ = [
    "NO_GRADIENT",
    "WHY_NONE",
    "advice",
    "array_cure",
    "as_array",
    "as_tensor",
    "common_type",
    "convert",
    "is_allowed",
    "operand_value",
    "plain",
    "value_cure",
    "zeros",
]

_GENERALITY: Final[dict[type[TType], int]] = {TBool: 0, TInt32: 1, TFloat32: 2, TComplex128: 3}
"""Python's numbers, by what they can become."""


def as_tensor(value: Any, dtype: type[TType] | None = None) -> tuple[Array, type[TType]]:
    """`value` as a plain, C-contiguous, read-only array that shares no memory with it, and its element type.

    Without `dtype`, NumPy values keep theirs; Python floats are float32, ints int32, complex numbers complex128.
    """
    dtype = _natural_type(value) if dtype is None else as_element_type(dtype)
    array = convert(value, dtype)
    if array is value or array.base is not None or not array.flags.c_contiguous:
        array = _made(array.shape, dtype, array.copy)
    array.flags.writeable = False
    return array, dtype


def operand_value(value: Any, dtype: type[TType] | None, beside: str = "") -> tuple[Array, type[TType]]:
    """`as_tensor` for a value in place of an operand; an array keeps its element type."""
    if dtype is not None and type(value) in (int, float):
        return _number(value, copysign(1.0, value) if value == 0 else 1.0, cast("Hashable", dtype), beside)
    return as_tensor(value if dtype is None else convert(value, dtype, exact=True, beside=beside), dtype)


@lru_cache(maxsize=1024, typed=True)
def _number(value: float, sign: float, dtype: type[TType], beside: str) -> tuple[Array, type[TType]]:
    """`operand_value` of a Python number; `sign` tells -0.0 from 0.0.

    Formulas repeat the same few numbers for every variable.
    """
    return as_tensor(convert(value, dtype, exact=True, beside=beside), dtype)


def common_type(values: Sequence[object], allowed: Collection[type[TType]]) -> type[TType]:
    """The common element type of values: the first array's, otherwise the most general number's.

    A Python int may become any integer, and an empty list anything, if they are all there is.
    """
    filled = [value for value in values if _is_typed(value) or as_array(value).size]
    types = [_natural_type(value) for value in filled or values]
    typed = [leaf for leaf, value in zip(types, filled, strict=False) if _is_typed(value)]
    own = typed[0] if typed else max(types, key=lambda leaf: _GENERALITY.get(leaf, 0))
    if own in allowed:
        return own
    fitting = [leaf for leaf in allowed if not filled or (own is TInt32 and issubclass(leaf, TIntegral))]
    if fitting and not typed:
        return TInt32 if TInt32 in fitting else min(fitting, key=lambda leaf: leaf.enum)
    natural = next((leaf for leaf in _GENERALITY if leaf in allowed), TType)
    wrong = next(value for value, leaf in zip(filled or values, types, strict=True) if leaf is own)
    instead = [natural] if own in _GENERALITY else allowed
    cure = _cure_of_array(wrong, allowed) if isinstance(first_leaf(wrong), np.ndarray) else value_cure(instead)
    actual = "" if isinstance(first_leaf(wrong), np.ndarray) else f" is {own.name}, but"
    raise DTypeError(f"{_summary(wrong)}{actual} must be {allowed_names(allowed)}; {cure}")


def is_allowed(value: object, allowed: Collection[type[TType]]) -> bool:
    """Whether a value by itself may have one of these types."""
    try:
        common_type([value], allowed)
    except TypegradError:
        return False
    return True


def _is_typed(value: Any) -> bool:
    """Whether a value says its element type itself."""
    return isinstance(first_leaf(value), (np.ndarray, np.generic))


def plain(value: Array) -> Array:
    """`value` as an array of NumPy's own class and of this machine's byte order.

    A matrix or a memory map computes otherwise than a plain array, or follows a file; it is viewed as one. So is a
    masked array, unless elements are masked: these have no value.
    """
    if type(value) is np.ndarray and value.dtype.isnative:
        return value
    if has_masked(value):
        raise DTypeError(MASKED)
    array: Array = np.asarray(value)
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def _natural_type(value: Any) -> type[TType]:
    if not isinstance(value, (np.ndarray, np.generic)):
        leaf = first_leaf(value)
        if not isinstance(leaf, (np.ndarray, np.generic)):
            return _python_type(leaf, np.asarray(value, object) if isinstance(leaf, str | bytes) else as_array(value))
        value = as_array(value)
    return from_numpy(value.dtype if value.dtype.isnative else value.dtype.newbyteorder("="))


def as_array(value: Any, dtype: DType | None = None) -> Array:
    """`value` as a plain array of NumPy's natural type for it, or of `dtype`; a `DTypeError` if it is none."""
    if isinstance(value, np.ndarray):
        value = plain(value)
    elif isinstance(value, Shape):
        raise ShapeError(SHAPE_AS_VALUE.format(value))
    elif type(value) is Sameness:
        raise DTypeError(f"{value} is no value here: {NO_VALUES}")
    kinds = frozenset() if isinstance(value, np.ndarray) else check_nesting(value)
    try:
        array = np.asarray(value, dtype)
        # Of integers of more than 64 bits, some negative, NumPy makes floats.
        return np.asarray(value, object) if kinds == _INTS and array.dtype.kind == "f" else array
    except ValueError as error:
        raise DTypeError(f"{brief(value)} is not a rectangular array: {unequal(value) or error}") from None
    except TypeError as error:  # such as an operand in a list
        remedy = _of_tuple(value)
        if remedy:
            raise DTypeError(f"{described(value)} is not a value; {remedy}") from None
        hint = "; core.Stack makes one operand of several" if isinstance(value, (list, tuple)) else ""
        raise DTypeError(f"{brief(value)} is not a value: {error}{hint}") from None
    except MemoryError as error:
        raise ResourceExhaustedError(f"there is no memory for {brief(value)} as an array: {error}") from None
    except Exception as error:  # whatever an `__array__` of the user's raises
        raise DTypeError(f"{described(value)} does not become an array: {type(error).__name__}: {error}") from error


def _of_tuple(value: object) -> str:
    """What to write instead of a tuple of operands, or a named tuple with some; "" for any other value."""
    if not isinstance(value, tuple):
        return ""
    fields = [f".{each}" for each in getattr(value, "_fields", ()) if is_operand(getattr(value, each, None))]
    if fields:
        return f"take one of its operands: {', '.join(fields)}"
    return of_tuple(len(value)) if value and all(map(is_operand, value)) else ""


def _made(shape: tuple[int, ...], dtype: type[TType], make: Callable[..., Array], *args: Any) -> Array:
    """A new array, if there is memory for it."""
    try:
        return make(*args)
    except (MemoryError, ValueError):  # NumPy's ValueError: more bytes than an address has bits for
        raise ResourceExhaustedError(
            f"there is no memory for an array of shape {list(shape)} and type {dtype.name}"
        ) from None


def _python_type(leaf: Any, array: Array) -> type[TType]:
    if array.dtype.kind == "O" and isinstance(leaf, (str, bytes)):
        return TString
    by_kind: dict[str, type[TType]] = {"b": TBool, "i": TInt32, "u": TInt32, "f": TFloat32, "c": TComplex128}
    if _is_of_ints(array):
        return TInt32
    if array.dtype.kind not in by_kind:
        if array.dtype.kind in "US":  # NumPy makes strings of all
            raise DTypeError(f"the elements of a value are numbers, or strings, not both; got {described(leaf)} first")
        strange = next((each for each in array.flat if not isinstance(each, (*_PYTHON, np.generic))), leaf)
        hint = f"; {NO_SIZE if array.ndim else WHY_NONE}" if strange is None else ""
        hint = "; call it, and pass its result" if callable(strange) and not isinstance(strange, type) else hint
        raise DTypeError(
            f"a value is a number, bool, string, (nested) list or array of them; got {described(strange)}{hint}"
        )
    return by_kind[array.dtype.kind]


def _cure(value: Any, dtype: type[TType], *, is_array: bool) -> str:
    if isinstance(value, Iterator):
        return "write list(...)"
    if not isinstance(first_leaf(value), (*_PYTHON, np.generic, np.ndarray)):
        return "give an operand, a number or an array"
    return _cure_of_array(value, [dtype]) if is_array else value_cure([dtype])


def _cure_of_array(value: Any, allowed: Collection[type[TType]]) -> str:
    """What to do with an array, or a list of arrays, that must be of one of these types."""
    name = allowed_names(allowed)
    is_list = not isinstance(value, np.ndarray) and hasattr(np, name)
    return f"convert it with np.array(..., np.{name})" if is_list else array_cure(allowed)


def _is_of_ints(array: Array) -> bool:
    """Whether these are Python's integers, some of more than 64 bits."""
    return array.dtype.kind == "O" and countOf(map(type, array.flat), int) == array.size > 0


def convert(value: Any, dtype: type[TType], *, exact: bool = False, beside: str = "") -> Array:
    """`value` as an array of `dtype`, losing at most precision: a float never becomes an integer.

    A plain NumPy array of `dtype` is returned as it is; with `exact`, no NumPy array of another type will do, and no
    list of arrays that loses precision. NumPy's scalars count as Python's. `beside` is the operand that fixes the type,
    if one does: the error says that it can be cast.
    """
    if dtype is TResource:
        raise DTypeError("a handle has no value; read the variable instead")
    if isinstance(value, np.ndarray):
        array = value = plain(value)
        if array.dtype == dtype.numpy and dtype is not TString:
            return array
    if dtype is TString:
        return _strings(value)
    array = as_array(value)
    is_typed = isinstance(value, (np.ndarray, np.generic))
    if array.size == 0 and not is_typed:
        return array.astype(dtype.numpy)
    if not is_typed and _is_of_ints(array):
        array = _of_large(array, dtype)
    is_array = isinstance(first_leaf(value), np.ndarray)
    is_other_array = exact and is_array and not _holds_arrays(dtype, value, array)
    if array.dtype.kind in "OSUT" or not _fits(array, dtype) or is_other_array:
        cure = _cure(value, dtype, is_array=is_array)
        may_cast = not is_array and array.dtype.kind in "iufc" and issubclass(dtype, TNumber)
        raise DTypeError(f"{_summary(value)} is not {dtype.name}; {advice(cure, beside if may_cast else '')}")
    if array.dtype.kind in "iu" and dtype.numpy.kind in "iu":
        _check_range(array, dtype)
    return _made(array.shape, dtype, _narrowed, array, dtype)


def _of_large(array: Array, dtype: type[TType]) -> Array:
    """Integers of more than 64 bits as floats, for a type of these; refused for a type of integers."""
    if issubclass(dtype, TIntegral):
        _check_range(array, dtype)
    try:
        return array.astype(np.float64) if issubclass(dtype, TNumber) else array
    except OverflowError:
        raise DTypeError(
            f"{brief(array.max(), 40)} is beyond float64, which holds up to {np.finfo(np.float64).max}"
        ) from None


def _narrowed(array: Array, dtype: type[TType]) -> Array:
    """The array as `dtype`; refused if a finite number becomes infinite."""
    result: Array = quietly(array.astype, dtype.numpy)
    if not np.isfinite(result).all():
        for part in (np.real, np.imag):
            before, after = part(array), part(result)
            lost = np.isinf(after) & np.isfinite(before)
            if lost.any():
                limits = finfo(dtype.numpy)
                wider = "tg.TComplex128" if issubclass(dtype, TComplex) else "tg.TFloat64"
                raise DTypeError(
                    f"{before[lost][0]} is beyond {dtype.numpy.name}, which holds up to {limits.max}; "
                    f"use a wider type, such as {wider}, or give inf where that is meant"
                )
    return result


def _fits(array: Array, dtype: type[TType]) -> bool:
    """Whether the kinds agree: bool only to bool, integers to any number, floats to floats and complex."""
    order = {"b": -1, "u": 0, "i": 0, "f": 1, "c": 2}
    source = element_type_of(array.dtype)
    actual = order[array.dtype.kind] if array.dtype.kind in order else 1 if source is not None else None
    target = order.get(dtype.numpy.kind, 1)
    if actual is None:
        return False
    return actual == target if -1 in (actual, target) else actual <= target


def _holds_arrays(dtype: type[TType], value: Any, array: Array) -> bool:
    """Whether a type takes an array, or a list of arrays, of the type of `array`.

    It takes integers in lists, as it takes lists of numbers, if it holds them.
    """
    if isinstance(value, np.ndarray):
        return array.dtype == dtype.numpy
    return array.dtype.kind in "iu" or np.can_cast(array.dtype, dtype.numpy)


def _check_range(array: Array, dtype: type[TType]) -> None:
    limits = np.iinfo(dtype.numpy)
    if array.size and not _holds(dtype, array):
        beyond = int(array.min() if int(array.min()) < limits.min else array.max())
        wider = next((leaf for leaf in (TInt64, TUint64) if _holds(leaf, array)), None)
        cure = "write a float" if wider is None else f"use a wider type, such as tg.{wider.__name__}"
        raise DTypeError(f"{brief(beyond, 40)} is beyond {dtype.name}, which holds {limits.min}..{limits.max}; {cure}")


def _holds(dtype: type[TType], integers: Array) -> bool:
    """Whether a type of integers holds these."""
    limits = np.iinfo(dtype.numpy)
    return limits.min <= int(integers.min()) and int(integers.max()) <= limits.max


def _strings(value: Any) -> Array:
    array = as_array(value, np.dtype(object))
    if countOf(map(type, array.ravel()), bytes) == array.size:  # sooner than a set of the types
        return array
    result = np.empty(array.size, dtype=object)
    try:
        result[:] = list(map(_string, array.ravel()))
    except DTypeError as error:
        if not isinstance(value, np.ndarray):
            raise
        raise DTypeError(f"{error}; an array of object holds strings: convert one of numbers with astype") from None
    return result.reshape(array.shape)


def _string(item: Any) -> bytes:
    if isinstance(item, str):
        try:
            return item.encode()
        except UnicodeEncodeError:
            raise DTypeError(f"{brief(item)} is half of a character, which UTF-8 cannot hold; pass bytes") from None
    if not isinstance(item, bytes):
        raise DTypeError(f"a string is str or bytes, not {described(item)}")
    return item


def _summary(value: Any) -> str:
    """What a value is: "the Python float 1.5"."""
    if isinstance(value, np.ndarray):
        return f"an array of {shortened(str(value.dtype), 60)}"
    if isinstance(first_leaf(value), np.ndarray):
        return f"a {type(value).__name__} of arrays of {shortened(str(as_array(value).dtype), 60)}"
    if isinstance(value, np.generic):
        return f"the NumPy {type(value).__name__} {brief(value.item(), 40)}"
    if isinstance(value, _PYTHON):
        return f"the Python {type(value).__name__} {brief(value, 40)}"
    return brief(value, 40)


# What to write instead of a value of another type, as the mypy plugin says it, too


def value_cure(allowed: Collection[type[TType]]) -> str:
    """What to write where a value must be of one of these types."""
    return next(f"write {words}" for kind, words in _WORDS if all(issubclass(leaf, kind) for leaf in allowed))


def array_cure(allowed: Collection[type[TType]]) -> str:
    """What to do with an array that must be of one of these types."""
    name = allowed_names(allowed)
    return f"convert it with astype(np.{name})" if hasattr(np, name) else "convert it with astype"


def advice(cure: str, operand: str) -> str:
    """The cure of a value, or a cast of the operand that it has to fit, if there is one."""
    return f"cast {operand} with dtypes.Cast, or {cure}" if operand else cure


_INTS: Final = frozenset({int})
_PYTHON: Final = (bool, int, float, complex, str, bytes)
NO_GRADIENT: Final = 'a gradient is None where none flows, and zeros with unconnected_gradients="zero"'
WHY_NONE: Final = (
    "None is a size that only a run knows (core.Shape.create(scope, x)[0]), or the gradient where none flows (zeros "
    'with unconnected_gradients="zero")'
)
_WORDS: Final = (
    (TBool, "True or False"),
    (TIntegral, "an int"),
    (TFloating, "a float"),
    (TNumber, "a number"),
    (TString, "a string"),
    (TType, "a value"),
)
"""What to write for an element type."""


def zeros(shape: tuple[int, ...], dtype: type[TType]) -> Array:
    """An array of zeros; a `ResourceExhaustedError` if there is no memory for it."""
    return _made(shape, dtype, np.zeros, shape, dtype.numpy)
