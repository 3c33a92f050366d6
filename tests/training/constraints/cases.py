"""Cases of the constraints."""

from __future__ import annotations

from typing import Final

import numpy as np

from record_keras import Case

_W: Final = np.array([[0.5, -1.25, 0.0, 3.0], [2.0, 0.25, 0.0, -4.0], [-0.5, 0.0, 0.0, 1.0]], np.float32)
_CALLS: Final = [(_W,), (_W.reshape(2, 3, 2).astype(np.float64),)]

CASES: Final = [
    Case("NonNeg", {}, _CALLS),
    *(Case(name, {}, _CALLS) for name in ("MaxNorm", "MinMaxNorm", "UnitNorm")),
    *(Case(name, {"axis": axis}, _CALLS) for name in ("MaxNorm", "MinMaxNorm", "UnitNorm") for axis in (1, -1, (0, 1))),
    Case("MaxNorm", {"max_value": 0.5}, _CALLS),
    Case("MinMaxNorm", {"min_value": 0.5, "max_value": 1.5, "rate": 0.25}, _CALLS),
    Case("MinMaxNorm", {"min_value": 2.0, "max_value": 3.0}, _CALLS),
]
