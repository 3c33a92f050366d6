"""What is accepted as an operand: operands, and the static types of Python and NumPy values in place of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, TypeGuard

import numpy as np
from typing_extensions import TypeVar

from typegrad.base.shape import Shape
from typegrad.graph.values import ComplexArray, FloatArray, Nested

if TYPE_CHECKING:
    from typegrad.graph.operand import AnyOperand

__all__ = [
    "MYPY",
    "SIZES",
    "AnyLike",
    "BoolArray",
    "BoolLike",
    "Complex64Array",
    "Complex128Array",
    "ComplexArray",
    "ComplexLike",
    "Float16Array",
    "Float32Array",
    "Float64Array",
    "FloatArray",
    "FloatLike",
    "Int8Array",
    "Int16Array",
    "Int32Array",
    "Int64Array",
    "IntegerArray",
    "IntegerLike",
    "IntegerVector",
    "Nested",
    "ReadOnlyList",
    "RealLike",
    "Several",
    "Size1",
    "Size2",
    "Size3",
    "Size4",
    "Size5",
    "SizeLike",
    "StringLike",
    "TextArray",
    "Uint8Array",
    "Uint16Array",
    "Uint32Array",
    "Uint64Array",
    "UntypedArray",
    "is_operand",
]

MYPY: Final = False
"""True for mypy."""


def is_operand(value: object) -> TypeGuard[AnyOperand]:
    """Whether a value is an operand, by a method that nothing else has.

    Operands are built on modules that ask this, hence no `isinstance`.
    """
    return hasattr(type(value), "as_reference")


_X_co = TypeVar("_X_co", covariant=True)


class ReadOnlyList(Protocol[_X_co]):
    """A list, read only: a list of `Placeholder` is a `ReadOnlyList[Operand]`.

    No tuple is one, as it would be a `Sequence`. So an overload for tuples and one for lists never fit the same
    argument; if they did, mypy would find a call ambiguous, and its result `Any`, wherever `Any` occurs in the
    argument's type, as it does in an unknown shape.
    """

    def __iter__(self) -> Iterator[_X_co]: ...
    def reverse(self) -> None:
        """What a tuple lacks."""


# The arrays of one element type, as a parameter of an overload. Their shapes are left out: NumPy types sizes as int,
# which fits neither a name nor a literal size that a program states. mypy has type variables, so that it looks at an
# argument such as np.zeros(3, np.int32) by itself: asked for an array of np.float32, it would find that np.zeros may
# give that. Pyright does not, and types without variables cost it a third less. Values are one class for it, which
# costs less than a union where an argument is a call; see `array_types`.
if MYPY:
    from typegrad.graph.values import AnyLike, BoolLike, ComplexLike, FloatLike, IntegerLike, RealLike, StringLike

    # A list or a long tuple, beside overloads for tuples of up to four. Pyright finds no call ambiguous for an unknown
    # shape, so that it may have any `Sequence` there; so may mypy with its plugin.
    Several = (
        ReadOnlyList[AnyOperand]
        | tuple[AnyOperand, AnyOperand, AnyOperand, AnyOperand, AnyOperand, *tuple[AnyOperand, ...]]
    )
    Float16Array = TypeVar("Float16Array", bound=np.ndarray[Any, np.dtype[np.float16]])
    Float32Array = TypeVar("Float32Array", bound=np.ndarray[Any, np.dtype[np.float32]])
    Float64Array = TypeVar("Float64Array", bound=np.ndarray[Any, np.dtype[np.float64]])
    Int8Array = TypeVar("Int8Array", bound=np.ndarray[Any, np.dtype[np.int8]])
    Int16Array = TypeVar("Int16Array", bound=np.ndarray[Any, np.dtype[np.int16]])
    Int32Array = TypeVar("Int32Array", bound=np.ndarray[Any, np.dtype[np.int32]])
    Int64Array = TypeVar("Int64Array", bound=np.ndarray[Any, np.dtype[np.int64]])
    Uint8Array = TypeVar("Uint8Array", bound=np.ndarray[Any, np.dtype[np.uint8]])
    Uint16Array = TypeVar("Uint16Array", bound=np.ndarray[Any, np.dtype[np.uint16]])
    Uint32Array = TypeVar("Uint32Array", bound=np.ndarray[Any, np.dtype[np.uint32]])
    Uint64Array = TypeVar("Uint64Array", bound=np.ndarray[Any, np.dtype[np.uint64]])
    Complex64Array = TypeVar("Complex64Array", bound=np.ndarray[Any, np.dtype[np.complex64]])
    Complex128Array = TypeVar("Complex128Array", bound=np.ndarray[Any, np.dtype[np.complex128]])
    BoolArray = TypeVar("BoolArray", bound=np.ndarray[Any, np.dtype[np.bool_]])
    TextArray = TypeVar("TextArray", bound=np.ndarray[Any, np.dtype[np.str_ | np.bytes_ | np.object_]])
    UntypedArray = TypeVar("UntypedArray", bound=np.ndarray[Any, np.dtype[np.void]])
else:
    from typegrad.graph.array_types import *  # noqa: F403

IntegerArray: TypeAlias = np.ndarray[Any, np.dtype[np.signedinteger[Any]]]
"""Integers, such as sizes or axes, instead of a list of them."""
IntegerVector: TypeAlias = IntegerArray | Shape
"""The same, or a shape whose sizes are known: `y.shape`."""

# `UntypedArray`, the parameter of the first overload, is an array of dtype Any: no operand holds np.void, and Pyright
# takes the first overload that such an array fits.

# The sizes in a shape that a call states. A name such as Batch = NewType("Batch", int) is itself; any other size is
# Any, because type checkers know a number as int, which would refute the literal size that an annotation states.
# So are names to Pyright, which takes a NewType in an expression for a function that returns Any.
_Size = TypeVar("_Size", bound=int)
SizeLike: TypeAlias = Callable[[int], _Size] | int | np.signedinteger[Any] | str | None
"""A size: a name, a number, a string, or None for unknown."""
Size1 = TypeVar("Size1", bound=int, default=Any)
Size2 = TypeVar("Size2", bound=int, default=Any)
Size3 = TypeVar("Size3", bound=int, default=Any)
Size4 = TypeVar("Size4", bound=int, default=Any)
Size5 = TypeVar("Size5", bound=int, default=Any)
SIZES: Final = (Size1, Size2, Size3, Size4, Size5)
"""Shapes of more dimensions are typed without their rank."""
