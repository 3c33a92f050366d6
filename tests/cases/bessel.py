"""Cases of `ops/bessel.yaml`."""

from __future__ import annotations

import numpy as np

from support.case import Case
from support.samples import FLOATING, sample, values

OPERATIONS = ("BesselI0", "BesselI0e", "BesselI1", "BesselI1e", "BesselJ0", "BesselJ1")

SECOND_KIND = ("BesselY0", "BesselY1", "BesselK0", "BesselK0e", "BesselK1", "BesselK1e")

CASES: list[Case] = [
    *(Case(op, (sample(dtype, (2, 3), gap=0.1),)) for op in OPERATIONS for dtype in FLOATING),
    *(Case(op, (sample("double", (0, 2)),)) for op in OPERATIONS),
    *(
        Case(op, (values(dtype, 0, -0.0, 1e-20, 8, -9, 50, -1e30, np.inf, -np.inf, np.nan),), smooth=False)
        for op in OPERATIONS
        for dtype in ("float", "double")
    ),
    *(
        Case(op, (values(dtype, 1, 1e4),), smooth=False)
        for op in OPERATIONS
        for dtype in ("float", "double")
        if "J" not in op or dtype == "double"
    ),
    *(
        Case(op, (values("float", 1e4),), smooth=False, differs="TensorFlow loses digits.")
        for op in ("BesselJ0", "BesselJ1")
    ),
    *(Case(op, (sample(dtype, (2, 3), 0.2, 5),)) for op in SECOND_KIND for dtype in FLOATING),
    *(
        Case(op, (values(dtype, 1e-20, 8, -9, 50, np.inf, -np.inf, np.nan),), smooth=False)
        for op in SECOND_KIND
        for dtype in ("float", "double")
    ),
    *(Case(op, (values("double", 0, -0.0),), smooth=False) for op in SECOND_KIND),
    *(Case(op, (values("float", 0, -0.0),), smooth=False) for op in SECOND_KIND if "Y" not in op),
    *(
        Case("BesselY1", (values(dtype, 0, -0.0),), smooth=False, differs="It is -inf; TensorFlow gives nan.")
        for dtype in ("half", "float")
    ),
    *(
        Case(op, (values(dtype, 0, -0.0),), smooth=dtype == "double", gradient_differs="TensorFlow's derivative is 1.")
        for op in ("BesselI1", "BesselJ1")
        for dtype in FLOATING
    ),
    Case("BesselK1e", (values("double", 5e-324, 1e-312),), smooth=False),
]
