"""The arrays of one element type, and lists of operands, as Pyright sees them in overloads; see `operand_like`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from typegrad.graph.operand import AnyOperand

__all__ = [
    "BoolArray",
    "Complex64Array",
    "Complex128Array",
    "Float16Array",
    "Float32Array",
    "Float64Array",
    "Int8Array",
    "Int16Array",
    "Int32Array",
    "Int64Array",
    "Several",
    "TextArray",
    "Uint8Array",
    "Uint16Array",
    "Uint32Array",
    "Uint64Array",
    "UntypedArray",
]

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
