"""The element types, as classes: `TType` > `TNumber` > (`TReal` > ..., `TComplex`), with TensorFlow Java's leaf names.

The classes are never instantiated. A static checker uses them as type arguments (`Operand[TFloat32]`), the runtime
uses the class object itself as the dtype of an operand (`operand.dtype is TFloat32`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, ClassVar, Final, final

import numpy as np

from typegrad.base.bfloat16 import BFLOAT16
from typegrad.base.brief import brief, shortened
from typegrad.base.errors import DTypeError
from typegrad.base.explained import Explained

__all__ = [
    "ALL_TYPES",
    "BY_NAME",
    "BY_TF_NAME",
    "CAST",
    "NO_VALUE",
    "TBfloat16",
    "TBool",
    "TComplex",
    "TComplex64",
    "TComplex128",
    "TFloat16",
    "TFloat32",
    "TFloat64",
    "TFloating",
    "TInt8",
    "TInt16",
    "TInt32",
    "TInt64",
    "TIntegral",
    "TNumber",
    "TReal",
    "TResource",
    "TSigned",
    "TString",
    "TType",
    "TUint8",
    "TUint16",
    "TUint32",
    "TUint64",
    "TUnsigned",
    "from_numpy",
    "to_expect",
]
NO_OBJECT: Final = "{0} is a type marker: pass the class itself, as in dtype={0}"


class TType(metaclass=Explained):
    """Any element type."""

    name: ClassVar[str]
    """What people call the type, as NumPy does: "float32"."""
    tf_name: ClassVar[str]
    """TensorFlow's name of the type, as an op definition spells it: "float", "half", "int32"."""
    numpy: np.dtype[Any]
    """The NumPy dtype of an array of this type; `object` (holding bytes) for strings. Type checkers read from it what
    `session.run` returns; no `ClassVar`, for which their protocols take no type variable."""
    enum: ClassVar[int]
    """The number of the type in TensorFlow's `DataType` enumeration."""

    def __init__(self) -> None:
        """Refused: a type marker is passed as the class itself."""
        raise DTypeError(NO_OBJECT.format(type(self).__name__))


class TNumber(TType):
    """A number: real or complex."""


class TReal(TNumber):
    """A real number: floating point or integral."""


class TFloating(TReal):
    """A floating-point number."""


class TIntegral(TReal):
    """An integer."""


class TSigned(TIntegral):
    """A signed integer."""


class TUnsigned(TIntegral):
    """An unsigned integer."""


class TComplex(TNumber):
    """A complex number."""


@final
class TFloat16(TFloating):
    """IEEE 754 binary16, TensorFlow's `half`."""

    name, tf_name, enum = "float16", "half", 19
    numpy: np.dtype[np.float16]


@final
class TBfloat16(TFloating):
    """The upper half of a binary32: 8 exponent bits, 7 fraction bits."""

    name, tf_name, enum = "bfloat16", "bfloat16", 14
    numpy: np.dtype[Any] = BFLOAT16


@final
class TFloat32(TFloating):
    """IEEE 754 binary32, TensorFlow's `float`."""

    name, tf_name, enum = "float32", "float", 1
    numpy: np.dtype[np.float32]


@final
class TFloat64(TFloating):
    """IEEE 754 binary64, TensorFlow's `double`."""

    name, tf_name, enum = "float64", "double", 2
    numpy: np.dtype[np.float64]


@final
class TInt8(TSigned):
    """An 8-bit signed integer."""

    name, tf_name, enum = "int8", "int8", 6
    numpy: np.dtype[np.int8]


@final
class TInt16(TSigned):
    """A 16-bit signed integer."""

    name, tf_name, enum = "int16", "int16", 5
    numpy: np.dtype[np.int16]


@final
class TInt32(TSigned):
    """A 32-bit signed integer."""

    name, tf_name, enum = "int32", "int32", 3
    numpy: np.dtype[np.int32]


@final
class TInt64(TSigned):
    """A 64-bit signed integer."""

    name, tf_name, enum = "int64", "int64", 9
    numpy: np.dtype[np.int64]


@final
class TUint8(TUnsigned):
    """An 8-bit unsigned integer."""

    name, tf_name, enum = "uint8", "uint8", 4
    numpy: np.dtype[np.uint8]


@final
class TUint16(TUnsigned):
    """A 16-bit unsigned integer."""

    name, tf_name, enum = "uint16", "uint16", 17
    numpy: np.dtype[np.uint16]


@final
class TUint32(TUnsigned):
    """A 32-bit unsigned integer."""

    name, tf_name, enum = "uint32", "uint32", 22
    numpy: np.dtype[np.uint32]


@final
class TUint64(TUnsigned):
    """A 64-bit unsigned integer."""

    name, tf_name, enum = "uint64", "uint64", 23
    numpy: np.dtype[np.uint64]


@final
class TComplex64(TComplex):
    """Two binary32: real and imaginary part."""

    name, tf_name, enum = "complex64", "complex64", 8
    numpy: np.dtype[np.complex64]


@final
class TComplex128(TComplex):
    """Two binary64: real and imaginary part."""

    name, tf_name, enum = "complex128", "complex128", 18
    numpy: np.dtype[np.complex128]


@final
class TBool(TType):
    """True or false."""

    name, tf_name, enum = "bool", "bool", 10
    numpy: np.dtype[np.bool_]


@final
class TString(TType):
    """A string of bytes of any length."""

    name, tf_name, enum = "string", "string", 7
    numpy: np.dtype[np.object_]


@final
class TResource(TType):
    """A handle to state that a session keeps, such as a variable. It has no value to feed or fetch."""

    name, tf_name, enum = "resource", "resource", 20
    numpy: np.dtype[Any]


ALL_TYPES: Final[tuple[type[TType], ...]] = (
    TBfloat16, TFloat16, TFloat32, TFloat64,
    TInt8, TInt16, TInt32, TInt64,
    TUint8, TUint16, TUint32, TUint64,
    TComplex64, TComplex128,
    TBool, TString, TResource,
)  # fmt: skip
"""Every leaf type."""

# Pyright asks of each call before the use of a name whether it returns. So there is none among the classes: to know it
# of np.dtype, it would read much of NumPy and of what NumPy names, for a tenth of the time that it takes for a program.
for _leaf in ALL_TYPES:
    if _leaf is not TBfloat16:
        setattr(_leaf, "numpy", np.dtype(object if _leaf in (TString, TResource) else _leaf.name))  # noqa: B010

BY_NAME: Final = {leaf.name: leaf for leaf in ALL_TYPES}
"""The leaf types by name."""

BY_TF_NAME: Final = {leaf.tf_name: leaf for leaf in ALL_TYPES}
"""The leaf types by TensorFlow's name, as a GraphDef writes it."""

NO_VALUE: Final = "a handle has no value; pass the variable that it is of"
"""What to do where the handle of a variable is in the place of a value."""
_BY_NUMPY: Final = {leaf.numpy: leaf for leaf in ALL_TYPES if leaf.numpy != TString.numpy}


def allowed_names(allowed: Iterable[type[TType]]) -> str:
    """The names of leaf types in a sentence: "float32, float64 or int32"; a word for all numbers."""
    chosen = frozenset(allowed)
    for word, kind in (("numeric", TNumber), ("real", TReal)):
        if chosen == frozenset(leaf for leaf in ALL_TYPES if issubclass(leaf, kind)):
            return word
    *names, last = [leaf.name for leaf in ALL_TYPES if leaf in chosen]
    return f"{', '.join(names)} or {last}" if names else last


CAST: Final = "with dtypes.Cast"
"""How operands are made of another element type, the end of an error message."""


def conversion(operand: str, allowed: Collection[type[TType]], actual: Collection[type[TType]] = ()) -> str:
    """How to make an operand, which is of the `actual` types, one of the `allowed` types: "cast x with dtypes.Cast"."""
    if set(actual) == {TString}:
        return "no operation makes numbers of strings; convert them in Python"
    if set(actual) == {TResource}:
        return NO_VALUE
    if set(allowed) == {TResource}:
        return "pass the handle of a variable, which it has as .handle"
    makes_strings = set(allowed) == {TString}
    return f"make strings of {operand} with dtypes.AsString" if makes_strings else f"cast {operand} {CAST}"


def to_expect(expected: type[TType], actual: type[TType]) -> str:
    """What to do where an operand is not of the expected element type."""
    remedy = conversion("it", [expected], [actual])
    return f"{remedy}, or expect tg.{actual.__name__}" if remedy.endswith(CAST) else remedy


def conversion_to_agree(types: Collection[type[TType]]) -> str:
    """How to make two operands agree, which are of these types: "cast one with dtypes.Cast"."""
    if TResource in types:
        return conversion("it", types, [TResource])
    return conversion("the other", [TString]) if TString in types else conversion("one", types)


def from_numpy(dtype: np.dtype[Any]) -> type[Any]:
    """The element type of arrays of a NumPy dtype, as `tf.as_dtype`: of any string or object dtype, `TString`.

    To type checkers it may be any, so that it fits wherever one is taken.
    """
    leaf = element_type_of(dtype)
    if leaf is None:
        raise DTypeError(f"no element type holds NumPy's {shortened(str(dtype), 60)}; convert it with astype")
    return leaf


def element_type_of(dtype: np.dtype[Any]) -> type[TType] | None:
    """The element type of a NumPy dtype; None if there is none."""
    leaf = _BY_NUMPY.get(dtype)
    if leaf is None and dtype.kind in "OSUT":
        return TString
    return leaf


def as_element_type(value: Any, name: str = "dtype") -> type[TType]:
    """`value` if it is an element type; otherwise a `DTypeError` about argument `name` that suggests what to write."""
    if isinstance(value, type) and value in _LEAVES:
        leaf: type[TType] = value
        return leaf
    raise DTypeError(f"`{name}` must be an element type, not {brief(value)}; {type_hint(value)}")


def type_hint(value: Any) -> str:
    """What to write instead of something that is not an element type."""
    meant = _meant(value)
    if meant:
        return f"write tg.{meant.__name__}"
    hint = "that is a class of typegrad, such as tg.TFloat32"
    is_beside_name = isinstance(value, np.ndarray)  # behind a name, as in create(scope, "w", array)
    is_name = isinstance(value, str) and value != ""
    return f'{hint}; a name is given by scope.with_name("w")' if is_name or is_beside_name else hint


_LEAVES: Final = frozenset(ALL_TYPES)
_PYTHON: Final[dict[object, type[TType]]] = {
    bool: TBool, int: TInt32, float: TFloat32, complex: TComplex128, str: TString, bytes: TString,
}  # fmt: skip


def _meant(value: Any) -> type[TType] | None:
    """The element type that a name or type of Python, NumPy or TensorFlow means."""
    if isinstance(value, type) and issubclass(value, TType):
        return next(leaf for leaf in (TFloat32, TInt32, TComplex64, TUint8) if issubclass(leaf, value))
    if isinstance(value, np.dtype) or (isinstance(value, type) and issubclass(value, np.generic)):
        return element_type_of(np.dtype(value))
    if isinstance(value, str):
        return BY_NAME.get(value) or BY_TF_NAME.get(value)
    return next((leaf for python, leaf in _PYTHON.items() if value is python), None)
