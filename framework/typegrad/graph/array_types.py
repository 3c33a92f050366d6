# mypy: disable-error-code="misc, override"
# pyright: reportIncompatibleMethodOverride=false
# `_Value` narrows `__class__`, which may be set elsewhere but is only read here.
"""Parameters as Pyright sees them: values, the arrays of one element type, lists of operands; see `operand_like`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

import numpy as np

from typegrad.graph import values

if TYPE_CHECKING:
    from typegrad.graph.operand import AnyOperand

__all__ = [
    "AnyLike",
    "BoolArray",
    "BoolLike",
    "Complex64Array",
    "Complex128Array",
    "ComplexLike",
    "Float16Array",
    "Float32Array",
    "Float64Array",
    "FloatLike",
    "Int8Array",
    "Int16Array",
    "Int32Array",
    "Int64Array",
    "IntegerLike",
    "RealLike",
    "Several",
    "StringLike",
    "TextArray",
    "Uint8Array",
    "Uint16Array",
    "Uint32Array",
    "Uint64Array",
    "UntypedArray",
]

# Pyright evaluates an argument that is a call once for each member of the union that its parameter takes, and so again
# the calls within it. For it, all values are one class, which a value fits if its own class is one of theirs.
if TYPE_CHECKING:
    _Class_co = TypeVar("_Class_co", covariant=True)

    class _Value(Protocol[_Class_co]):
        @property
        def __class__(self) -> _Class_co: ...

    class AnyLike(_Value[type[values.AnyLike]], Protocol):
        """Any value, or an array or nested lists of these."""

    class BoolLike(_Value[type[values.BoolLike]], Protocol):
        """A bool, or an array or nested lists of these."""

    class ComplexLike(_Value[type[values.ComplexLike]], Protocol):
        """A number, or an array or nested lists of these."""

    class FloatLike(_Value[type[values.FloatLike]], Protocol):
        """A real number, or an array or nested lists of these."""

    class IntegerLike(_Value[type[values.IntegerLike]], Protocol):
        """An integer, or an array or nested lists of these."""

    class RealLike(_Value[type[values.RealLike]], Protocol):
        """A real number or a bool, or an array or nested lists of these."""

    class StringLike(_Value[type[values.StringLike]], Protocol):
        """A string, or an array or nested lists of these."""
else:
    from typegrad.graph.values import AnyLike, BoolLike, ComplexLike, FloatLike, IntegerLike, RealLike, StringLike

Several: TypeAlias = "Sequence[AnyOperand]"
Float16Array: TypeAlias = np.ndarray[Any, np.dtype[np.float16]]
Float32Array: TypeAlias = np.ndarray[Any, np.dtype[np.float32]]
Float64Array: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
Int8Array: TypeAlias = np.ndarray[Any, np.dtype[np.int8]]
Int16Array: TypeAlias = np.ndarray[Any, np.dtype[np.int16]]
Int32Array: TypeAlias = np.ndarray[Any, np.dtype[np.int32]]
Int64Array: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]
Uint8Array: TypeAlias = np.ndarray[Any, np.dtype[np.uint8]]
Uint16Array: TypeAlias = np.ndarray[Any, np.dtype[np.uint16]]
Uint32Array: TypeAlias = np.ndarray[Any, np.dtype[np.uint32]]
Uint64Array: TypeAlias = np.ndarray[Any, np.dtype[np.uint64]]
Complex64Array: TypeAlias = np.ndarray[Any, np.dtype[np.complex64]]
Complex128Array: TypeAlias = np.ndarray[Any, np.dtype[np.complex128]]
BoolArray: TypeAlias = np.ndarray[Any, np.dtype[np.bool_]]
TextArray: TypeAlias = np.ndarray[Any, np.dtype[np.str_ | np.bytes_ | np.object_]]
UntypedArray: TypeAlias = np.ndarray[Any, np.dtype[np.void]]
