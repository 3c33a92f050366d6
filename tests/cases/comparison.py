"""Cases of `ops/comparison.yaml`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from support.case import Case
from support.samples import FLOATING, NUMBER, REAL, SPECIAL, pairs, sample, strings, values
from support.sweeps import BROADCAST

ORDER = ("Less", "LessEqual", "Greater", "GreaterEqual")
EQUALITY = ("Equal", "NotEqual")


def compared(op: str, dtypes: tuple[str, ...]) -> Iterator[Case]:
    """Every dtype with and without broadcasting, special values, and shapes that do not fit."""
    for dtype in dtypes:
        yield Case(op, (sample(dtype, (2, 3), -2, 2), sample(dtype, (3,), -2, 2, seed=1)))
        yield Case(op, (values(dtype, 1, 2, 3), values(dtype, 3, 2, 1)))
    yield from (Case(op, (sample("int32", x, -1, 1), sample("int32", y, -1, 1, seed=1))) for x, y in BROADCAST)
    yield from (Case(op, pairs(dtype)) for dtype in FLOATING)
    yield Case(op, (sample("float", (2, 3)), sample("float", (2,))), fails=True)


def loosely(op: str) -> Iterator[Case]:
    """Shapes that need not fit."""
    for x, y in (((2,), (3,)), ((1, 2), (3,)), ((1,), (3,)), ((2, 3), (3,)), ((2, 3), (2, 2, 3)), ((0,), (2,))):
        yield Case(
            op, (sample("int32", x, 0, 1), sample("int32", y, 0, 1, seed=1)), {"incompatible_shape_error": False}
        )


def nearly() -> Iterator[Case]:
    """Every type, distances around the tolerance, what is not finite, and shapes that differ."""
    op = "ApproximateEqual"
    for dtype in NUMBER:
        yield Case(op, (values(dtype, 1, 2, 7), values(dtype, 2, 2, 4)), {"tolerance": 2.0})
    for dtype in ("float", "double"):
        yield Case(op, (values(dtype, 1, 1, np.nan, np.inf), values(dtype, 1.000009, 1.00002, np.nan, np.inf)))
        yield Case(op, pairs(dtype)[1:] * 2, {"tolerance": 0.0})
    yield from (Case(op, (sample("float", shape), sample("float", shape))) for shape in ((), (0, 2)))
    for x, y in (((1,), (2,)), ((), (1,))):
        yield Case(op, (sample("float", x), sample("float", y)), fails=True)


CASES: list[Case] = [
    *nearly(),
    *(case for op in EQUALITY for case in compared(op, (*NUMBER, "bool"))),
    *(case for op in EQUALITY for case in loosely(op)),
    *(
        Case(op, (strings("a", "b", ""), y))
        for op in EQUALITY
        for y in (strings("a", "c", ""), strings("a")[0], strings("b"))
    ),
    *(Case(op, (strings("a")[0], strings("a")[0])) for op in EQUALITY),
    *(
        Case(op, (values("complex64", 1j, complex(np.nan, 1)), values("complex64", 1j, complex(np.nan, 1))))
        for op in EQUALITY
    ),
    *(Case(op, (values("uint64", 2**63, 0), values("uint64", 1, 2**64 - 1))) for op in (*EQUALITY, *ORDER)),
    *(case for op in ORDER for case in compared(op, REAL)),
    *(Case(op, (values(dtype, *SPECIAL),)) for op in ("IsNan", "IsInf", "IsFinite") for dtype in FLOATING),
    *(Case(op, (sample("double", shape),)) for op in ("IsNan", "IsInf", "IsFinite") for shape in ((), (0, 2))),
]
