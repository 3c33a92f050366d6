"""Cases of `ops/arithmetic.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from support.case import Case
from support.samples import COMPLEX, FLOATING, NUMBER, REAL, SIGNED, SPECIAL, numpy_type, pairs, sample, strings, values


def binary(op: str, dtypes: tuple[str, ...], low: float = -4, high: float = 4, gap: float = 0) -> Iterator[Case]:
    """A broadcasting operation: every dtype, then every kind of broadcasting, and shapes that do not fit."""

    def case(dtype: str, x: tuple[int, ...], y: tuple[int, ...], **keywords: Any) -> Case:
        integral = numpy_type(dtype).kind in "iu"
        least = max(gap, 1) if integral and gap else gap
        inputs = (sample(dtype, x, low, high, gap=least), sample(dtype, y, low, high, gap=least, seed=1))
        return Case(op, inputs, **keywords)

    yield from (case(dtype, (2, 3), (3,)) for dtype in dtypes)
    for x, y in (
        ((), ()),
        ((2, 3), ()),
        ((), (3,)),
        ((2, 1), (1, 3)),
        ((2, 1, 2), (3, 1)),
        ((0, 3), (3,)),
        ((1, 0), (2, 1)),
        ((2, 2), (2, 2)),
    ):
        yield case("double", x, y)
    yield case("float", (2, 3), (2,), fails=True)


def unary(op: str, dtypes: tuple[str, ...], low: float = -4, high: float = 4, gap: float = 0) -> Iterator[Case]:
    """An elementwise operation of one input: every dtype, then scalar, empty and special values."""
    yield from (Case(op, (sample(dtype, (2, 3), low, high, gap=gap),)) for dtype in dtypes)
    yield from (Case(op, (sample("double", shape, low, high, gap=gap),)) for shape in ((), (0,), (2, 0, 3), (2, 1, 2)))
    yield from (Case(op, (values(dtype, *SPECIAL),), smooth=False) for dtype in FLOATING)


def extremes(op: str, dtypes: tuple[str, ...]) -> Iterator[Case]:
    """A binary operation on the ends of the ranges of integers, where results wrap around."""
    for dtype in dtypes:
        limits = np.iinfo(numpy_type(dtype))
        x = np.array([limits.min, limits.max, limits.min, limits.max], numpy_type(dtype))
        yield Case(op, (x, x[[0, 1, 1, 0]]))
        yield Case(op, (x, values(dtype, 1, 1, 2, 2)))


INTEGRAL = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
ADDABLE = (*FLOATING, "uint8", *SIGNED, *COMPLEX)
INEXACT = (*FLOATING, *COMPLEX)
SIGNED_NUMBER = (*FLOATING, *SIGNED, *COMPLEX)

CASES: list[Case] = [
    *binary("Add", ADDABLE),
    Case("Add", (strings("a", "b"), strings("c", ""))),
    Case("Add", (strings("a", "b"), strings("!")[0])),
    Case("Add", (strings("a")[0], strings("b")[0])),
    Case("Add", (strings(), strings("b"))),
    *binary("AddV2", NUMBER),
    *extremes("AddV2", INTEGRAL),
    *binary("Sub", NUMBER),
    *extremes("Sub", INTEGRAL),
    *binary("Mul", NUMBER),
    *extremes("Mul", INTEGRAL),
    *binary("MulNoNan", FLOATING),
    *(
        Case(
            "MulNoNan",
            (sample(dtype, (2, 3)), sample(dtype, (3,), seed=1)),
            gradient_differs="It is conjugated, as for Mul; TensorFlow forgets that.",
        )
        for dtype in COMPLEX
    ),
    *(Case("MulNoNan", pairs(dtype), smooth=False) for dtype in FLOATING),
    *(Case(op, pairs("float"), smooth=False) for op in ("Add", "Sub", "Mul", "RealDiv", "Div")),
    *(Case("AddN", (tuple(sample(dtype, (2, 3), seed=seed) for seed in range(3)),)) for dtype in NUMBER),
    *(
        Case("AddN", (tuple(sample("double", shape, seed=seed) for seed in range(4)),))
        for shape in ((), (0, 2), (2, 1))
    ),
    Case("AddN", ((values("double", 1, 2),),)),
    Case("AddN", (tuple(sample("half", (3,), seed=seed) for seed in range(20)),)),
    Case("AddN", ((sample("float", (2,)), sample("float", (1,))),), fails=True),
    Case("AddN", ((sample("float", (2, 1)), sample("float", (2,))),), fails=True),
    *binary("RealDiv", INEXACT, gap=0.5),
    *(Case("RealDiv", (values(dtype, 7, 8, 9), values(dtype, 2))) for dtype in INTEGRAL),
    *binary("Div", NUMBER, gap=0.5),
    *binary("DivNoNan", INEXACT, gap=0.5),
    *(Case("DivNoNan", pairs(dtype), smooth=False) for dtype in FLOATING),
    Case("DivNoNan", (values("complex128", 1 + 1j, 0, 2), values("complex128", 0, 0, 1j)), smooth=False),
    *binary("FloorDiv", REAL, gap=0.5),
    *(Case("FloorDiv", (sample(dtype, (2,)), sample(dtype, (2,), gap=1)), fails=True) for dtype in COMPLEX),
    *binary("FloorMod", REAL, gap=0.5),
    *(Case(op, pairs(dtype), smooth=False) for op in ("FloorDiv", "FloorMod") for dtype in FLOATING),
    *(
        Case(op, (values("double", 1, 0.3, 6, -1, -6), values("double", 0.1, 0.1, 0.6, 0.1, 0.6)), smooth=False)
        for op in ("FloorDiv", "FloorMod")
    ),
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
    *unary("Neg", SIGNED_NUMBER),
    *unary("Abs", (*FLOATING, *SIGNED), gap=0.1),
    *unary("Sign", SIGNED_NUMBER),
    *(
        Case(op, (values(dtype, np.iinfo(numpy_type(dtype)).min, 0, 5),))
        for op in ("Neg", "Abs", "Sign")
        for dtype in SIGNED
    ),
    Case("Sign", (values("complex64", 0, 3 + 4j, -2, 1j),)),
    *unary("Square", NUMBER),
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
    *unary("Reciprocal", INEXACT, gap=0.5),
    *(Case("Reciprocal", (values(dtype, 1, -1, 2, -5),)) for dtype in SIGNED),
    Case("Reciprocal", (values("int32", 1, 0),), fails=True),
    *binary("Maximum", REAL),
    *binary("Minimum", REAL),
    *(Case(op, pairs(dtype), smooth=False) for op in ("Maximum", "Minimum") for dtype in FLOATING),
    *(Case(op, (values("double", 1, 2, 3), values("double", 1, 3, 2)), smooth=False) for op in ("Maximum", "Minimum")),
    *extremes("Maximum", INTEGRAL),
    *extremes("Minimum", INTEGRAL),
]
