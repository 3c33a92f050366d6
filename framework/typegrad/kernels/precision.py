"""Narrow floats: half and bfloat16 are computed in float32 and rounded once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import ml_dtypes
import numpy as np

NARROW: Final = frozenset({np.dtype(np.float16), np.dtype(ml_dtypes.bfloat16)})


def widened(xp: Any, function: Callable[..., Any], *arrays: Any, **keywords: Any) -> Any:
    """`function(*arrays)`, computed in float32 and rounded back if the arrays are half or bfloat16."""
    dtype = arrays[0].dtype
    if dtype in NARROW:
        return function(*(a.astype(np.float32) for a in arrays), **keywords).astype(dtype)
    return function(*arrays, **keywords)
