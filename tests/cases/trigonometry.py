"""Cases of `ops/trigonometry.yaml`."""

from __future__ import annotations

from support.case import Case
from support.samples import FLOATING, INEXACT, SPECIAL, pairs
from support.sweeps import complex_extremes, gradient, inexact_binary, unary

TAN_DIFFERS = "Where the cosine overflows, it is 0; TensorFlow's is 0 or nan, depending on the place in the array."

CASES: list[Case] = [
    *unary("Sin", INEXACT),
    *unary("Cos", INEXACT),
    *unary("Tan", INEXACT, low=-1.4, high=1.4),
    *(case for op in ("Asin", "Acos", "Atanh") for case in unary(op, INEXACT, -0.8, 0.8)),
    *(case for op in ("Sinh", "Cosh", "Atan", "Asinh") for case in unary(op, INEXACT)),
    *inexact_binary("Atan2", FLOATING),
    *(Case("Atan2", pairs(dtype, SPECIAL), smooth=False) for dtype in ("float", "double")),
    *unary("Tanh", INEXACT),
    *gradient("TanhGrad", INEXACT),
    *unary("Acosh", INEXACT, 1.2),
    *complex_extremes(
        "Tan", 1000 + 1000j, -1000 - 1000j, 3 + 1000j, 0.5 - 20j, 1e30 + 1e3j, gradient_differs=TAN_DIFFERS
    ),
    *complex_extremes("Tanh", 1000 + 1000j, -1000 - 1000j, 1000 + 3j, -20 + 0.5j),
]
