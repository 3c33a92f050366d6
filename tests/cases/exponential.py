"""Cases of `ops/exponential.yaml`."""

from __future__ import annotations

import numpy as np

from support.case import Case
from support.samples import COMPLEX, INEXACT, values
from support.sweeps import NOT_CONJUGATED, complex_extremes, inexact_binary, unary

CASES: list[Case] = [
    *unary("Exp", INEXACT),
    *unary("Expm1", INEXACT),
    *unary("Log", INEXACT, low=0.2),
    Case("Log", (values("complex128", -1, 1j, -1j, -2 + 1e-3j),), smooth=False),
    *unary("Log1p", INEXACT, low=-0.7),
    *(case for op in ("Xlogy", "Xlog1py") for case in inexact_binary(op, INEXACT)),
    *(
        Case(
            op,
            (values(dtype, 0, 1, 0), values(dtype, 1 + 2j, 0.5j, np.nan)),
            smooth=False,
            gradient_differs=NOT_CONJUGATED,
        )
        for op in ("Xlogy", "Xlog1py")
        for dtype in COMPLEX
    ),
    Case("Xlog1py", (values("complex128", 1), values("complex128", 1e-17 + 1e-17j)), gradient_differs=NOT_CONJUGATED),
    *complex_extremes(
        "Log1p", 1e-17 + 1e-17j, 1e-30 - 1e-20j, -1e-12 + 1e-5j, 0, 0.25 - 0.25j, -0.75 + 0.1j, 1e10 + 1e10j
    ),
]
