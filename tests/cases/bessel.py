"""Cases of `ops/bessel.yaml`."""

from __future__ import annotations

import numpy as np

from support.case import Case
from support.samples import FLOATING, sample, values

OPERATIONS = ("BesselI0", "BesselI0e", "BesselI1", "BesselI1e")

CASES: list[Case] = [
    *(Case(op, (sample(dtype, (2, 3), gap=0.1),)) for op in OPERATIONS for dtype in FLOATING),
    *(Case(op, (sample("double", (0, 2)),)) for op in OPERATIONS),
    *(
        Case(op, (values(dtype, 0, -0.0, 1e-20, 8, -9, 50, 1e4, -1e30, np.inf, -np.inf, np.nan),), smooth=False)
        for op in OPERATIONS
        for dtype in ("float", "double")
    ),
]
