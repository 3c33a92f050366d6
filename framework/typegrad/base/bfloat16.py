"""bfloat16 as a NumPy type, and the limits of floating-point types with it, from ml_dtypes.

Type checkers see what is used here, and not ml_dtypes itself: mypy would take a quarter of a second for its constants,
in every program that imports typegrad.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from typegrad.base.array import DType

__all__ = ["BFLOAT16", "finfo"]

if TYPE_CHECKING:
    BFLOAT16: DType
    finfo: Callable[[DType], np.finfo[Any]]
else:
    import ml_dtypes

    BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
    finfo = ml_dtypes.finfo
