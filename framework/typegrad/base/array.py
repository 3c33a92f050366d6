"""The types of arrays and element types that only the run knows, and arrays with masked elements."""

from __future__ import annotations

import sys
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["Array", "DType", "has_masked", "masked_array"]

Array: TypeAlias = NDArray[Any]
DType: TypeAlias = np.dtype[Any]


def masked_array() -> tuple[type[Array], ...]:
    """The class of masked arrays, for `isinstance`; none before the program imports it, for NumPy imports it late."""
    return (np.ma.MaskedArray,) if "numpy.ma" in sys.modules else ()


def has_masked(value: object) -> bool:
    """Whether a value is a masked array with masked elements."""
    return isinstance(value, masked_array()) and bool(np.ma.is_masked(value))
