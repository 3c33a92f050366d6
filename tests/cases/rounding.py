"""Cases of `ops/rounding.yaml`."""

from __future__ import annotations

import numpy as np

from support.case import Case
from support.samples import COMPLEX, FLOATING, sample, values
from support.sweeps import unary

CASES: list[Case] = [
    *(case for op in ("Floor", "Ceil") for case in unary(op, FLOATING)),
    *unary("Round", FLOATING),
    *(Case("Round", (values(dtype, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 1.2, -1.7),)) for dtype in FLOATING),
    *(
        Case("Round", (values(dtype, 1, -2, 7),), differs="Integers are whole already; TensorFlow returns zeros.")
        for dtype in ("int32", "int64")
    ),
    *(Case("Round", (sample(dtype, (3,)),)) for dtype in ("int8", "int16", *COMPLEX)),
    *unary("Rint", FLOATING),
    *(
        Case(
            "NextAfter",
            (values(dtype, 1, 0, -0.0, 1, np.nan, np.inf, 1, -1), values(dtype, 2, -1, 0, 1, 1, 0, np.nan, np.inf)),
            smooth=False,
        )
        for dtype in ("float", "double")
    ),
    *(Case("NextAfter", (sample("double", x), sample("double", y, seed=1))) for x, y in (((2, 1), (3,)), ((0,), ()))),
    Case("NextAfter", (sample("float", (2,)), sample("float", (3,))), fails=True),
    *(Case("Rint", (values(dtype, 0.5, 1.5, 2.5, -0.5, -1.5, 1.2, -1.7),)) for dtype in FLOATING),
]
