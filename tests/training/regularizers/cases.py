"""Cases of the regularizers."""

from __future__ import annotations

from typing import Final

import numpy as np

from record_keras import Case

_CALLS: Final = [
    (np.array([[0.5, -1.25], [3.0, 0.0]], np.float32),),
    (np.linspace(-2, 3, 12).reshape(3, 2, 2),),
    (np.float32(-2),),
]

CASES: Final = [
    Case("L1", {}, _CALLS),
    Case("L2", {}, _CALLS),
    Case("L1L2", {}, _CALLS),
    Case("L1", {"l1": 0.5}, _CALLS),
    Case("L2", {"l2": 0.5}, _CALLS),
    Case("L1L2", {"l1": 0.25, "l2": 0.5}, _CALLS),
    Case("L1L2", {"l1": 0.25}, _CALLS),
]
