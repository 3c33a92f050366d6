"""Cases of `ops/division.yaml`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from support.case import Case
from support.samples import (
    COMPLEX,
    FLOATING,
    INEXACT,
    INTEGRAL,
    NUMBER,
    REAL,
    SIGNED,
    numpy_type,
    pairs,
    sample,
    values,
)
from support.sweeps import NOT_CONJUGATED, binary, gradient, inexact_binary, unary_with_gap


def moduli(op: str) -> Iterator[Case]:
    """Signs, broadcasting, and divisors that are zero."""
    dtypes = ("int32", "int64", *FLOATING)
    for dtype in dtypes:
        yield Case(op, (values(dtype, 7, -7, 7, -7, 0, 5), values(dtype, 2, 2, -2, -2, 3, 5)), smooth=False)
    for dtype in FLOATING:
        yield Case(op, pairs(dtype), smooth=False)
    yield Case(op, (values("double", 7.3, -7.3, 2.6), values("double", 2, -3, 1.5)))
    yield Case(op, (values("int32", 7)[None], values("int32", 2, 3)[:, None]))
    yield Case(op, (values("int32", -(2**31)), values("int32", -1)))
    yield Case(op, (values("int32", 1, 2), np.int32(0)), fails=True)


CASES: list[Case] = [
    *(Case(op, pairs("float"), smooth=False) for op in ("RealDiv", "Div")),
    *binary("RealDiv", INEXACT, gap=0.5),
    *(Case("RealDiv", (values(dtype, 7, 8, 9), values(dtype, 2))) for dtype in INTEGRAL),
    *binary("Div", NUMBER, gap=0.5),
    *(
        Case(op, (values(dtype, -7, 7, -7, 7, 6, 0), values(dtype, 2, -2, -2, 2, -3, 5)))
        for op in ("Div", "FloorDiv", "FloorMod")
        for dtype in SIGNED
    ),
    *(
        Case(op, (values(dtype, np.iinfo(numpy_type(dtype)).min), values(dtype, -1)))
        for op in ("Div", "FloorDiv", "FloorMod")
        for dtype in SIGNED
    ),
    *(
        Case(op, (values(dtype, 1, 2), y), fails=True)
        for op in ("Div", "FloorDiv", "FloorMod")
        for dtype in ("int8", "int32", "uint64")
        for y in (values(dtype, 1, 0), values(dtype, 0)[0])
    ),
    *(Case(op, (values("int32"), np.int32(0))) for op in ("Div", "FloorDiv", "FloorMod")),
    *binary("DivNoNan", INEXACT, gap=0.5),
    *(Case("DivNoNan", pairs(dtype), smooth=False) for dtype in FLOATING),
    Case("DivNoNan", (values("complex128", 1 + 1j, 0, 2), values("complex128", 0, 0, 1j)), smooth=False),
    *inexact_binary("Xdivy", INEXACT),
    *(
        Case(
            "Xdivy",
            (values(dtype, 0, 1, 0), values(dtype, 1 + 2j, 0.5j, np.nan)),
            smooth=False,
            gradient_differs=NOT_CONJUGATED,
        )
        for dtype in COMPLEX
    ),
    *(
        Case("TruncateDiv", (values(dtype, 7, 100, 7, 0), values(dtype, 2, 7, 3, 5)))
        for dtype in (*FLOATING, "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
    ),
    *(Case("TruncateDiv", pairs(dtype), smooth=False) for dtype in FLOATING),
    Case("TruncateDiv", (values("int32", -7, 7, -(2**31)), values("int32", 2, -2, -1))),
    Case("TruncateDiv", (values("int32", 1, 2), np.int32(0)), fails=True),
    *(Case("TruncateDiv", (sample(dtype, (2,)), sample(dtype, (2,), 1)), fails=True) for dtype in COMPLEX),
    *binary("FloorDiv", REAL, gap=0.5),
    *(Case("FloorDiv", (sample(dtype, (2,)), sample(dtype, (2,), gap=1)), fails=True) for dtype in COMPLEX),
    *(Case(op, pairs(dtype), smooth=False) for op in ("FloorDiv", "FloorMod") for dtype in FLOATING),
    *(
        Case(op, (values("double", 1, 0.3, 6, -1, -6), values("double", 0.1, 0.1, 0.6, 0.1, 0.6)), smooth=False)
        for op in ("FloorDiv", "FloorMod")
    ),
    *binary("FloorMod", REAL, gap=0.5),
    *(case for op in ("Mod", "TruncateMod") for case in moduli(op)),
    *unary_with_gap("Reciprocal", INEXACT, gap=0.5),
    *(Case("Reciprocal", (values(dtype, 1, -1, 2, -5),)) for dtype in SIGNED),
    Case("Reciprocal", (values("int32", 1, 0),), fails=True),
    *gradient("ReciprocalGrad", INEXACT),
    *(Case("Inv", (sample(dtype, (2, 3), gap=0.5),)) for dtype in INEXACT),
    Case("Inv", (values("int32", 1, -1, 2),)),
    Case("Inv", (values("double", 0.0, -0.0, np.inf),), smooth=False),
    *(
        Case("InvGrad", (sample(dtype, (2,), 0.3, 2), sample(dtype, (2,), -3, 3, seed=1)))
        for dtype in ("float", "double", "complex128")
    ),
    Case("InvGrad", (sample("float", (2,)), sample("float", (3,))), fails=True),
]
