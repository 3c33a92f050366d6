"""The static types of Python and NumPy values that are accepted in place of an operand.

Parameters have them from `operand_like`, where Pyright sees them in a form that it evaluates faster, but cannot put
beside an operator.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from typegrad.base.array import Array

__all__ = [
    "AnyLike",
    "BoolLike",
    "ComplexArray",
    "ComplexLike",
    "FloatArray",
    "FloatLike",
    "IntegerLike",
    "Nested",
    "RealLike",
    "StringLike",
    "ValueLike",
]

_X = TypeVar("_X")

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
AnyLike: TypeAlias = bool | complex | str | bytes | np.generic | Array | Nested[complex | str | bytes]


class _OfSeveralTypes(Protocol):
    """What mypy makes of a list with a row of floats and a row of integers: a list of `object`.

    No list of rows of one type fits, as it does not take any object.
    """

    def append(self, object: object, /) -> None: ...
    def __iter__(self) -> Iterator[object]: ...


ValueLike: TypeAlias = ArrayLike | _OfSeveralTypes | Nested[_OfSeveralTypes]
"""What is fed or assigned: what NumPy makes an array of."""
