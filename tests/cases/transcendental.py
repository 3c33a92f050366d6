"""Cases of `ops/transcendental.yaml`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cases.elementwise import INEXACT, unary
from support.case import Case
from support.samples import COMPLEX, FLOATING, SPECIAL, pairs, sample, values

NOT_CONJUGATED = "TensorFlow's gradient for complex numbers is not conjugated, unlike that of its other operations."
NUMBERS = (0, -0.0, 1, -1, 0.5, 2, np.inf, np.nan)
POLES = (0, -0.0, -1, -2, -0.5, -2.5, 1, 2, 1e-3, 30, np.inf, -np.inf, np.nan)


def binary(op: str, dtypes: tuple[str, ...], low: float = 0.2, high: float = 3) -> Iterator[Case]:
    """Every dtype, broadcasting, and pairs of special values."""
    for dtype in dtypes:
        inputs = sample(dtype, (2, 3), low, high), sample(dtype, (3,), low, high, seed=1)
        yield Case(op, inputs, gradient_differs=NOT_CONJUGATED if dtype in COMPLEX else "")
    for a, b in (((), ()), ((2, 1), (1, 3)), ((0, 2), (1, 2)), ((), (2,))):
        yield Case(op, (sample("double", a, low, high), sample("double", b, low, high, seed=1)))
    for dtype in ("float", "double"):
        yield Case(op, pairs(dtype, NUMBERS), smooth=False)
    yield Case(op, (sample("float", (2,)), sample("float", (3,))), fails=True)


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
    *(case for op in ("Sinh", "Cosh", "Atan", "Asinh") for case in unary(op, INEXACT)),
    *(case for op in ("Asin", "Acos", "Atanh") for case in unary(op, INEXACT, -0.8, 0.8)),
    *unary("Acosh", INEXACT, 1.2),
    *unary("Erfc", FLOATING, -2, 2),
    *unary("Rint", FLOATING),
    *(Case("Rint", (values(dtype, 0.5, 1.5, 2.5, -0.5, -1.5, 1.2, -1.7),)) for dtype in FLOATING),
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
    *(Case("Polygamma", (values(dtype, 0, 1, 2, 3), sample(dtype, (2, 4), 0.5))) for dtype in ("float", "double")),
    Case("Polygamma", (np.float64(1), values("double", 0.3, 1, 5))),
    Case("Polygamma", (values("double", -1, 0.5, 2), np.float64(1)), smooth=False),
    Case("Polygamma", (np.float64(1), values("double", 1e-3, 30, -0.5)), smooth=False),
    *(
        Case("Polygamma", (np.float64(order), values("double", 0, -0.0, -1, -2, -1.5, -np.inf, np.inf)), smooth=False)
        for order in (0, 1, 2, 3, 4)
    ),
    *(
        Case("Lgamma", (values("double", zero + step, zero - step),), rtol=2e-15)
        for zero in (1, 2)
        for step in (0.3, 1e-2, 1e-5, 1e-10)
    ),
    Case("Polygamma", (sample("float", (2,)), sample("float", (3,))), fails=True),
    Case("Xlog1py", (values("complex128", 1), values("complex128", 1e-17 + 1e-17j)), gradient_differs=NOT_CONJUGATED),
    *binary("Atan2", FLOATING),
    *(Case("Atan2", pairs(dtype, SPECIAL), smooth=False) for dtype in ("float", "double")),
    *(case for op in ("Xlogy", "Xlog1py", "Xdivy") for case in binary(op, INEXACT)),
    *(
        Case(
            op,
            (values(dtype, 0, 1, 0), values(dtype, 1 + 2j, 0.5j, np.nan)),
            smooth=False,
            gradient_differs=NOT_CONJUGATED,
        )
        for op in ("Xlogy", "Xlog1py", "Xdivy")
        for dtype in COMPLEX
    ),
    *(case for op in ("Mod", "TruncateMod") for case in moduli(op)),
    *(
        Case("TruncateDiv", (values(dtype, 7, 100, 7, 0), values(dtype, 2, 7, 3, 5)))
        for dtype in (*FLOATING, "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
    ),
    *(Case("TruncateDiv", pairs(dtype), smooth=False) for dtype in FLOATING),
    Case("TruncateDiv", (values("int32", -7, 7, -(2**31)), values("int32", 2, -2, -1))),
    Case("TruncateDiv", (values("int32", 1, 2), np.int32(0)), fails=True),
    *(Case("TruncateDiv", (sample(dtype, (2,)), sample(dtype, (2,), 1)), fails=True) for dtype in COMPLEX),
]
