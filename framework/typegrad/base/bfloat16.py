"""bfloat16, an element type that NumPy does not have, and the limits of the floating-point types with it among them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

__all__ = ["BFLOAT16", "finfo"]

if TYPE_CHECKING:  # ml_dtypes has long tables, which mypy would read for every program
    BFLOAT16: np.dtype[Any]
    finfo: Any
else:
    from ml_dtypes import bfloat16, finfo

    BFLOAT16 = np.dtype(bfloat16)
