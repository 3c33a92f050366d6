"""Cases of `ops/power.yaml`."""

from __future__ import annotations

import numpy as np

from support.case import Case
from support.samples import (
    COMPLEX,
    FLOATING,
    INEXACT,
    INTEGRAL,
    NUMBER,
    SIGNED,
    numpy_type,
    pairs,
    sample,
    values,
)
from support.sweeps import binary, complex_extremes, gradient, unary, unary_with_gap

CASES: list[Case] = [
    *binary("Pow", (*FLOATING, *SIGNED), low=0.5, high=3),
    Case(
        "Pow",
        (values("complex128", 1e200, -3e160 + 1j, np.inf, 1j), values("complex128", -2, -2, -1, -1)),
        smooth=False,
        gradient_differs="Where the power is 0, that for the exponent is 0, not nan.",
    ),
    *(Case("Pow", (sample(dtype, (2, 3), 0.5, 2), sample(dtype, (3,), -2, 2, seed=1))) for dtype in COMPLEX),
    *(Case("Pow", (values(dtype, -2, -3, 10, 0, 7), values(dtype, 7, 3, 12, 0, 0))) for dtype in SIGNED),
    Case("Pow", (values("double", -2, -1, 3), values("double", 2, 3, 2)), smooth=False),
    Case("Pow", (values("double", 0, 0, 0), values("double", 1, 2, 3)), smooth=False),
    *(
        Case("Pow", pairs(dtype), smooth=False, gradient_differs="At 0 to the power 0 it is 0, not nan.")
        for dtype in FLOATING
    ),
    Case(
        "Pow", (values("complex128", 0, 0), values("complex128", 0, 1)), smooth=False, differs="0 to the power 0 is 1."
    ),
    *(
        Case("Pow", (values(dtype, 1, 2), y), fails=True)
        for dtype in ("int8", "int32", "int64")
        for y in (values(dtype, 1, -1), values(dtype, -1)[0])
    ),
    Case("Pow", (values("int32"), np.int32(-1))),
    *unary_with_gap("Square", NUMBER),
    *(Case("Square", (values(dtype, np.iinfo(numpy_type(dtype)).max, 3),)) for dtype in INTEGRAL),
    *binary("SquaredDifference", (*FLOATING, "int32", "int64")),
    *(
        Case(
            "SquaredDifference",
            (sample(dtype, (2, 3)), sample(dtype, (3,), seed=1)),
            gradient_differs="Of the gradient of a real result only the real part counts; TensorFlow takes all of it.",
        )
        for dtype in COMPLEX
    ),
    *unary("Sqrt", INEXACT, low=0.2),
    *(Case(op, (values("complex128", -1, 1j, -1j, -2 + 1e-3j),), smooth=False) for op in ("Sqrt", "Rsqrt")),
    *(case for op in ("SqrtGrad", "RsqrtGrad") for case in gradient(op, INEXACT)),
    *unary("Rsqrt", INEXACT, low=0.2),
    *(
        Case("RsqrtGrad", (values(dtype, large), values(dtype, small)), smooth=False)
        for dtype, large, small in (("float", 9e18, 4.7e-38), ("double", 1e153, 1e-300))
    ),
    *complex_extremes(
        "Rsqrt", *(complex(a, b) for a in (-np.inf, -1, 0, np.inf) for b in (-np.inf, np.inf)), complex(np.inf, 1)
    ),
]
