"""The static types of Python and NumPy values in place of operands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
from typing_extensions import TypeVar

__all__ = [
    "AnyLike",
    "Bool",
    "BoolLike",
    "Complex64",
    "Complex128",
    "ComplexArray",
    "ComplexLike",
    "Float16",
    "Float32",
    "Float64",
    "FloatArray",
    "FloatLike",
    "Int8",
    "Int16",
    "Int32",
    "Int64",
    "IntegerLike",
    "Listed",
    "Nested",
    "RealLike",
    "StringLike",
    "Text",
    "Uint8",
    "Uint16",
    "Uint32",
    "Uint64",
    "Void",
]

_X = TypeVar("_X")
_X_co = TypeVar("_X_co", covariant=True)

Nested: TypeAlias = Sequence[_X | Sequence[_X | Sequence[_X | Sequence[_X]]]]
"""A sequence of up to four levels. Not recursive: a string is a sequence of strings, which would fit any recursive
form."""

# What may be put in place of an operand, by the element types that an operation allows. Whether an array has the very
# type of the operand, and a number fits it, is checked when the operation is made, and by the mypy plugin.
IntegerLike: TypeAlias = int | np.integer[Any] | np.ndarray[Any, np.dtype[np.integer[Any]]] | Nested[int]
FloatArray: TypeAlias = np.ndarray[Any, np.dtype[np.floating[Any] | np.integer[Any]]] | Nested[float]
FloatLike: TypeAlias = float | np.floating[Any] | np.integer[Any] | FloatArray
ComplexArray: TypeAlias = np.ndarray[Any, np.dtype[np.number[Any]]] | Nested[complex]
ComplexLike: TypeAlias = complex | np.number[Any] | ComplexArray
BoolLike: TypeAlias = bool | np.bool_ | np.ndarray[Any, np.dtype[np.bool_]] | Nested[bool]
RealLike: TypeAlias = FloatLike | BoolLike
StringLike: TypeAlias = str | bytes | np.ndarray[Any, np.dtype[np.str_ | np.bytes_ | np.object_]] | Nested[str | bytes]
AnyLike: TypeAlias = complex | str | bytes | np.generic | np.ndarray[Any, np.dtype[Any]] | Nested[complex | str | bytes]


class Listed(Protocol[_X_co]):
    """A list, read only: a list of `Placeholder` is a `Listed[Operand]`.

    No tuple is one, as it would be a `Sequence`. So an overload for tuples and one for lists never fit the same
    argument; if they did, mypy would find a call ambiguous, and its result `Any`, wherever `Any` occurs in the
    argument's type, as it does in an unknown shape.
    """

    def __iter__(self) -> Iterator[_X_co]: ...
    def reverse(self) -> None:
        """What a tuple lacks."""


# The elements of an array that is a parameter of an overload. Type variables, because mypy checks an argument such as
# np.zeros(3, np.int32) in the light of each overload in turn: asked for np.float32 itself, it would find that np.zeros
# may give that. With defaults, because in a signature they follow variables with defaults.
Float16 = TypeVar("Float16", bound=np.float16, default=np.float16)
Float32 = TypeVar("Float32", bound=np.float32, default=np.float32)
Float64 = TypeVar("Float64", bound=np.float64, default=np.float64)
Int8 = TypeVar("Int8", bound=np.int8, default=np.int8)
Int16 = TypeVar("Int16", bound=np.int16, default=np.int16)
Int32 = TypeVar("Int32", bound=np.int32, default=np.int32)
Int64 = TypeVar("Int64", bound=np.int64, default=np.int64)
Uint8 = TypeVar("Uint8", bound=np.uint8, default=np.uint8)
Uint16 = TypeVar("Uint16", bound=np.uint16, default=np.uint16)
Uint32 = TypeVar("Uint32", bound=np.uint32, default=np.uint32)
Uint64 = TypeVar("Uint64", bound=np.uint64, default=np.uint64)
Complex64 = TypeVar("Complex64", bound=np.complex64, default=np.complex64)
Complex128 = TypeVar("Complex128", bound=np.complex128, default=np.complex128)
Bool = TypeVar("Bool", bound=np.bool_, default=np.bool_)
Text = TypeVar("Text", bound=np.str_ | np.bytes_ | np.object_, default=np.str_ | np.bytes_ | np.object_)
Void = TypeVar("Void", bound=np.void, default=np.void)
