"""Cases of `ops/arithmetic.yaml`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from support.case import Case
from support.samples import (
    COMPLEX,
    FLOATING,
    INTEGRAL,
    NUMBER,
    REAL,
    SIGNED,
    numpy_type,
    pairs,
    sample,
    strings,
    values,
)
from support.sweeps import binary, unary_with_gap


def extremes(op: str, dtypes: tuple[str, ...]) -> Iterator[Case]:
    """A binary operation on the ends of the ranges of integers, where results wrap around."""
    for dtype in dtypes:
        limits = np.iinfo(numpy_type(dtype))
        x = np.array([limits.min, limits.max, limits.min, limits.max], numpy_type(dtype))
        yield Case(op, (x, x[[0, 1, 1, 0]]))
        yield Case(op, (x, values(dtype, 1, 1, 2, 2)))


ADDABLE = (*FLOATING, "uint8", *SIGNED, *COMPLEX)
SIGNED_NUMBER = (*FLOATING, *SIGNED, *COMPLEX)


def clip() -> Iterator[Case]:
    """Every dtype, bounds of both shapes, in the wrong order, met exactly, or not numbers."""
    op = "ClipByValue"
    for dtype in REAL:
        kind = sample(dtype, ()).dtype.type
        yield Case(op, (sample(dtype, (2, 3)), kind(1), kind(3)))
    low, high = sample("double", (2, 3), -3, 0, seed=1), sample("double", (2, 3), 0, 3, seed=2)
    for bounds in ((low, high), (low[0, 0], high), (low, high[0, 0]), (low[0, 0], high[0, 0])):
        yield Case(op, (sample("double", (2, 3), -5, 5), *bounds))
    yield Case(op, (np.float64(0.5), np.float64(0), np.float64(1)))
    yield Case(op, (sample("double", (0, 3)), np.float64(0), np.float64(1)))
    for dtype in FLOATING:
        t, kind = values(dtype, np.nan, np.inf, -np.inf, 0, 1, 0.5, 2), sample(dtype, ()).dtype.type
        yield Case(op, (t, kind(0), kind(1)), smooth=False)
    t = sample("double", (4,))
    yield from (
        Case(op, (t, *values("double", *bounds)), smooth=False) for bounds in ((5, 3), (np.nan, 1), (0, np.nan))
    )
    for shape in ((3,), (2, 1), (1, 2, 3)):
        bound = sample("float", shape)
        yield Case(op, (sample("float", (2, 3)), bound, np.float32(9)), fails=True)
        yield Case(op, (sample("float", (2, 3)), np.float32(-9), bound), fails=True)
    for dtype in COMPLEX:
        kind = sample(dtype, ()).dtype.type
        yield Case(op, (sample(dtype, (2,)), kind(0), kind(1)), fails=True, differs="complex numbers have no order")


CASES: list[Case] = [
    *binary("Add", ADDABLE),
    Case("Add", (strings("a", "b"), strings("c", ""))),
    Case("Add", (strings("a", "b"), strings("!")[0])),
    Case("Add", (strings("a")[0], strings("b")[0])),
    Case("Add", (strings(), strings("b"))),
    *(Case(op, pairs("float"), smooth=False) for op in ("Add", "Sub", "Mul")),
    *binary("AddV2", NUMBER),
    *extremes("AddV2", INTEGRAL),
    *(Case(op, (sample("int32", (0, 1)), values("int32", 1, 2))) for op in ("AddV2", "Mul", "Maximum")),
    *(Case("AddN", (tuple(sample(dtype, (2, 3), seed=seed) for seed in range(3)),)) for dtype in NUMBER),
    *(
        Case("AddN", (tuple(sample("double", shape, seed=seed) for seed in range(4)),))
        for shape in ((), (0, 2), (2, 1))
    ),
    Case("AddN", ((values("double", 1, 2),),)),
    Case("AddN", (tuple(sample("half", (3,), seed=seed) for seed in range(20)),)),
    Case("AddN", ((sample("float", (2,)), sample("float", (1,))),), fails=True),
    Case("AddN", ((sample("float", (2, 1)), sample("float", (2,))),), fails=True),
    *(
        Case("AccumulateNV2", (tuple(sample(dtype, (2, 3), seed=seed) for seed in range(3)),), {"shape": [2, 3]})
        for dtype in ("half", "float", "double", "int8", "complex64")
    ),
    *(Case("AccumulateNV2", ((sample("double", (0, 2)),),), {"shape": stated}) for stated in ([0, 2], [-1, 2], None)),
    Case("AccumulateNV2", ((sample("float", (2,)), sample("float", (1,))),), {"shape": [2]}, fails=True),
    Case(
        "AccumulateNV2",
        ((sample("float", (2,)),),),
        {"shape": [3]},
        fails=True,
        differs="TensorFlow does not check the stated shape.",
    ),
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
    *unary_with_gap("Neg", SIGNED_NUMBER),
    *(
        Case(op, (values(dtype, np.iinfo(numpy_type(dtype)).min, 0, 5),))
        for op in ("Neg", "Abs", "Sign")
        for dtype in SIGNED
    ),
    *unary_with_gap("Abs", (*FLOATING, *SIGNED), gap=0.1),
    *unary_with_gap("Sign", SIGNED_NUMBER),
    Case("Sign", (values("complex64", 0, 3 + 4j, -2, 1j),)),
    *binary("Maximum", REAL),
    *(Case(op, pairs(dtype), smooth=False) for op in ("Maximum", "Minimum") for dtype in FLOATING),
    *(Case(op, (values("double", 1, 2, 3), values("double", 1, 3, 2)), smooth=False) for op in ("Maximum", "Minimum")),
    *extremes("Maximum", INTEGRAL),
    *binary("Minimum", REAL),
    *extremes("Minimum", INTEGRAL),
    *clip(),
]
