"""Cases of `ops/special.yaml`."""

from __future__ import annotations

import numpy as np

from support.case import Case
from support.samples import FLOATING, sample, values
from support.sweeps import unary

POLES = (0, -0.0, -1, -2, -0.5, -2.5, 1, 2, 1e-3, 30, np.inf, -np.inf, np.nan)


CASES: list[Case] = [
    *unary("Erf", ("bfloat16", "half", "float"), special=("bfloat16", "half", "float")),
    *unary("Erf", ("double",), special=()),
    Case("Erf", (values("double", np.inf, -np.inf),), smooth=False, differs="It is 1 and -1; TensorFlow gives nan."),
    Case("Erf", (values("double", np.nan, 0, -0.0, 1, 6, 30),), smooth=False),
    *unary("Erfc", FLOATING, -2, 2),
    *(Case(op, (sample(dtype, (2, 3), 0.5),)) for op in ("Lgamma", "Digamma") for dtype in FLOATING),
    *(
        Case(op, (sample("double", shape, 0.5),))
        for op in ("Lgamma", "Digamma")
        for shape in ((), (0,), (2, 0, 3), (2, 1, 2))
    ),
    *(Case(op, (values("double", -0.5, -1.3, -2.6),)) for op in ("Lgamma", "Digamma")),
    *(
        Case(op, (values(dtype, *POLES),), smooth=False)
        for op in ("Lgamma", "Digamma")
        for dtype in ("float", "double")
    ),
    *(
        Case("Lgamma", (values("double", zero + step, zero - step),), rtol=2e-15)
        for zero in (1, 2)
        for step in (0.3, 1e-2, 1e-5, 1e-10)
    ),
    *(Case("Polygamma", (values(dtype, 0, 1, 2, 3), sample(dtype, (2, 4), 0.5))) for dtype in ("float", "double")),
    Case("Polygamma", (np.float64(1), values("double", 0.3, 1, 5))),
    Case("Polygamma", (values("double", -1, 0.5, 2), np.float64(1)), smooth=False),
    Case("Polygamma", (np.float64(1), values("double", 1e-3, 30, -0.5)), smooth=False),
    *(
        Case("Polygamma", (np.float64(order), values("double", 0, -0.0, -1, -2, -1.5, -np.inf, np.inf)), smooth=False)
        for order in (0, 1, 2, 3, 4)
    ),
    Case("Polygamma", (sample("float", (2,)), sample("float", (3,))), fails=True),
]
