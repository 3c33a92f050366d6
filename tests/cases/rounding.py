"""Cases of `ops/rounding.yaml`."""

from __future__ import annotations

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
    *(Case("Rint", (values(dtype, 0.5, 1.5, 2.5, -0.5, -1.5, 1.2, -1.7),)) for dtype in FLOATING),
]
