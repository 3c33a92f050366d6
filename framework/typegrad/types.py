"""The element types, as classes: `TType` > `TNumber` > (`TReal` > ..., `TComplex`), with TensorFlow Java's leaf names.

The classes are never instantiated. A static checker uses them as type arguments (`Operand[TFloat32]`), the runtime
uses the class object itself as the dtype of an operand (`operand.dtype is TFloat32`).
"""

from __future__ import annotations

from typing import Any, ClassVar, Final, final

import ml_dtypes
import numpy as np

from typegrad.errors import DTypeError

__all__ = [
    "ALL_TYPES",
    "BY_NAME",
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
]


class TType:
    """Any element type."""

    tf_name: ClassVar[str]
    """TensorFlow's name of the type, as an op definition spells it: "float", "half", "int32"."""
    numpy: ClassVar[np.dtype[Any]]
    """The NumPy dtype of an array of this type; `object` (holding bytes) for strings."""
    enum: ClassVar[int]
    """The number of the type in TensorFlow's `DataType` enumeration."""

    def __init__(self) -> None:
        """Refused: a type marker is passed as the class itself."""
        name = type(self).__name__
        raise DTypeError(f"{name} is a type marker: pass the class itself, as in dtype={name}")


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

    tf_name, numpy, enum = "half", np.dtype(np.float16), 19


@final
class TBfloat16(TFloating):
    """The upper half of a binary32: 8 exponent bits, 7 fraction bits."""

    tf_name, numpy, enum = "bfloat16", np.dtype(ml_dtypes.bfloat16), 14


@final
class TFloat32(TFloating):
    """IEEE 754 binary32, TensorFlow's `float`."""

    tf_name, numpy, enum = "float", np.dtype(np.float32), 1


@final
class TFloat64(TFloating):
    """IEEE 754 binary64, TensorFlow's `double`."""

    tf_name, numpy, enum = "double", np.dtype(np.float64), 2


@final
class TInt8(TSigned):
    """An 8-bit signed integer."""

    tf_name, numpy, enum = "int8", np.dtype(np.int8), 6


@final
class TInt16(TSigned):
    """A 16-bit signed integer."""

    tf_name, numpy, enum = "int16", np.dtype(np.int16), 5


@final
class TInt32(TSigned):
    """A 32-bit signed integer."""

    tf_name, numpy, enum = "int32", np.dtype(np.int32), 3


@final
class TInt64(TSigned):
    """A 64-bit signed integer."""

    tf_name, numpy, enum = "int64", np.dtype(np.int64), 9


@final
class TUint8(TUnsigned):
    """An 8-bit unsigned integer."""

    tf_name, numpy, enum = "uint8", np.dtype(np.uint8), 4


@final
class TUint16(TUnsigned):
    """A 16-bit unsigned integer."""

    tf_name, numpy, enum = "uint16", np.dtype(np.uint16), 17


@final
class TUint32(TUnsigned):
    """A 32-bit unsigned integer."""

    tf_name, numpy, enum = "uint32", np.dtype(np.uint32), 22


@final
class TUint64(TUnsigned):
    """A 64-bit unsigned integer."""

    tf_name, numpy, enum = "uint64", np.dtype(np.uint64), 23


@final
class TComplex64(TComplex):
    """Two binary32: real and imaginary part."""

    tf_name, numpy, enum = "complex64", np.dtype(np.complex64), 8


@final
class TComplex128(TComplex):
    """Two binary64: real and imaginary part."""

    tf_name, numpy, enum = "complex128", np.dtype(np.complex128), 18


@final
class TBool(TType):
    """True or false."""

    tf_name, numpy, enum = "bool", np.dtype(np.bool_), 10


@final
class TString(TType):
    """A string of bytes of any length."""

    tf_name, numpy, enum = "string", np.dtype(object), 7


@final
class TResource(TType):
    """A handle to state that a session keeps, such as a variable. It has no value to feed or fetch."""

    tf_name, numpy, enum = "resource", np.dtype(object), 20


ALL_TYPES: Final[tuple[type[TType], ...]] = (
    TBfloat16, TFloat16, TFloat32, TFloat64,
    TInt8, TInt16, TInt32, TInt64,
    TUint8, TUint16, TUint32, TUint64,
    TComplex64, TComplex128,
    TBool, TString, TResource,
)  # fmt: skip
"""Every leaf type."""

BY_NAME: Final = {leaf.tf_name: leaf for leaf in ALL_TYPES}
"""The leaf types by TensorFlow's name."""

_BY_NUMPY: Final = {leaf.numpy: leaf for leaf in ALL_TYPES if leaf.numpy != np.dtype(object)}


def from_numpy(dtype: np.dtype[Any]) -> type[TType] | None:
    """The leaf type of a NumPy dtype (any string or object dtype is `TString`), or None if there is none."""
    found = _BY_NUMPY.get(dtype)
    if found is None and dtype.kind in "OSUT":
        return TString
    return found
