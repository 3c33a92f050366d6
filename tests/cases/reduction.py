"""Cases of `ops/reduction.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from support.case import Case
from support.recording import Array
from support.samples import COMPLEX, FLOATING, NUMBER, REAL, SPECIAL, numpy_type, sample, values

NO_AXES = np.zeros(0, np.int32)


def axes(*numbers: int) -> Array:
    """A vector of axes."""
    return np.array(numbers, np.int32)


def many(dtype: str) -> Array:
    """So many numbers that a sum in half or bfloat16 would go wrong."""
    return np.full((40, 100), 0.1, numpy_type(dtype))


COARSE = {"bfloat16": 2e-2, "half": 1e-2, "float": 1e-5, "double": 1e-12}
"""How far sums and products of many numbers may differ; TensorFlow adds parts of a half sum in half."""
SHAPES: tuple[tuple[tuple[int, ...], Any], ...] = (
    ((), NO_AXES),
    ((3,), np.int32(0)),
    ((3,), np.int64(-1)),
    ((2, 3), NO_AXES),
    ((2, 3), axes(0)),
    ((2, 3), np.int32(1)),
    ((2, 3), axes(0, 1)),
    ((2, 3), axes(1, 0)),
    ((2, 1, 3), axes(-1, 0)),
    ((2, 1, 3), axes(1).astype(np.int64)),
    ((2, 3, 2), axes(1, 2)),
    ((2, 3, 2), np.int32(-2)),
    ((0, 2), axes(0)),
    ((0, 2), axes(1)),
    ((2, 0, 3), axes(1, 2)),
    ((0,), axes(0)),
)


def reductions(op: str, dtypes: tuple[str, ...], shaped: str = "double", *, finite: bool = True) -> Iterator[Case]:
    """Every dtype, every kind of axes with and without `keep_dims`, nothing of every dtype, and axes that do not fit.

    `finite`: whether a reduction of nothing is, so that differences of it are 0.
    """
    yield from (Case(op, (sample(dtype, (2, 3)), axes(1))) for dtype in dtypes)
    yield from (Case(op, (sample(dtype, (2, 0)), axes(1)), smooth=finite) for dtype in dtypes)
    for shape, indices in SHAPES:
        for keep_dims in (False, True):
            x = sample(shaped, shape, seed=len(shape))
            yield Case(op, (x, indices), {"keep_dims": keep_dims}, smooth=finite or x.size > 0)
    for shape, indices in (((2, 3), axes(2)), ((2, 3), axes(-3)), ((2, 3), axes(0, 0)), ((2, 3), axes(1, -1))):
        yield Case(op, (sample(shaped, shape), indices), fails=True)
    yield Case(op, (sample(shaped, ()), np.int32(0)), fails=True)
    yield Case(op, (sample(shaped, (2, 3)), axes(0)[None]), fails=True)


def special(op: str) -> Iterator[Case]:
    """Floating-point values at which formulas break, one by one and together."""
    for dtype in FLOATING:
        row = values(dtype, *SPECIAL)
        yield Case(op, (row[:, None], axes(1)), smooth=False)
        yield Case(op, (row, axes(0)), smooth=False)
        yield Case(op, (row[1:], axes(0)), smooth=False)
        yield Case(op, (np.stack([row, np.roll(row, 1)]), axes(0)), smooth=False)


GARBLED = "an axis of int16 means what it says"


def positions(op: str, axis_types: tuple[str, ...], output_types: tuple[str, ...]) -> Iterator[Case]:
    """Every dtype of input, axis and output, ties, nan, empty axes."""
    for dtype in (*REAL, "bool"):
        yield Case(op, (sample(dtype, (3, 4)), np.int32(1)))
        yield Case(op, (sample(dtype, (3, 4), seed=1), np.int32(0)))
    yield from (
        Case(op, (sample("float", (3, 4)), np.array(-1, name)), differs=GARBLED if name == "int16" else "")
        for name in axis_types
    )
    yield from (Case(op, (sample("float", (3, 4)), np.int32(0)), {"output_type": name}) for name in output_types)
    for dtype in FLOATING:
        row = values(dtype, *SPECIAL)
        yield Case(op, (row, np.int32(0)))
        yield Case(op, (row[3:], np.int32(0)))
        yield Case(op, (np.stack([row, np.roll(row, 5)]), np.int32(0)))
    for pair in ((np.nan, np.nan), (np.nan, np.inf), (np.nan, -np.inf), (np.inf, np.nan), (-np.inf, np.nan)):
        yield Case(op, (values("float", *pair), np.int32(0)))
        yield Case(op, (values("float", *pair, 1), np.int32(0)))
    yield Case(op, (values("int8", -128, -128, 127, 127), np.int32(0)))
    yield Case(op, (values("uint8", 0, 0, 255, 255), np.int32(0)))
    yield Case(op, (sample("float", (2, 2, 3)), np.int32(-2)))
    yield Case(op, (sample("float", (0, 2)), np.int32(1)))
    yield Case(op, (sample("float", (0, 2)), np.int32(0)), fails=True)
    yield Case(op, (sample("float", (0,)), np.int32(0)), fails=True)
    yield Case(op, (sample("float", ()), np.int32(0)), fails=True)
    yield Case(op, (sample("float", (2, 3)), np.int32(2)), fails=True)
    yield Case(op, (sample("float", (2, 3)), axes(0)), fails=True)


def norms() -> Iterator[Case]:
    """All types and axes; complex numbers, zeros, and squares that overflow or wrap around."""
    op, why = "EuclideanNorm", "TensorFlow does not take the real part of the gradient"
    yield from reductions(op, REAL, finite=False)
    for dtype in COMPLEX:
        yield Case(op, (sample(dtype, (2, 3)), axes(1)), gradient_differs=why)
    yield Case(op, (sample("complex128", (2, 3)), NO_AXES), {"keep_dims": True}, gradient_differs=why)
    yield Case(op, (values("double", 0, 0), axes(0)), smooth=False)
    yield Case(op, (values("float", 1e30, 1), axes(0)), smooth=False)
    yield Case(op, (values("int8", 100, 100), axes(0)))
    yield Case(op, (np.array([[np.inf, 1.0], [np.nan, 1.0]]), axes(1)), smooth=False)


CASES: list[Case] = [
    *norms(),
    *reductions("Sum", NUMBER),
    *special("Sum"),
    Case("Sum", (values("int8", 100, 100, 3), axes(0))),
    Case("Sum", (values("uint32", 2**32 - 1, 5), axes(0))),
    *(Case("Sum", (many(dtype), axes(0, 1)), rtol=COARSE[dtype]) for dtype in FLOATING),
    Case("Sum", (sample("complex128", (2, 3)), axes(0))),
    *reductions("Mean", NUMBER, finite=False),
    *special("Mean"),
    Case("Mean", (values("int32", -1, -2), axes(0))),
    Case("Mean", (values("int8", -3, -4, -4, 100), axes(0))),
    Case("Mean", (np.full(300, 100, np.int8), axes(0))),
    Case("Mean", (np.full(256, 200, np.uint8), axes(0))),
    Case("Mean", (values("int32", 2**31 - 1, 2**31 - 1), axes(0))),
    Case("Mean", (values("int64", 2**60 + 1, 2**60 + 1), axes(0))),
    *(Case("Mean", (many(dtype), axes(0, 1)), rtol=COARSE[dtype]) for dtype in FLOATING),
    Case("Mean", (sample("complex128", (2, 3)), axes(0))),
    *(Case("Mean", (values(dtype, [complex(np.inf, 0.5)], [complex(2, -np.inf)]), axes(1))) for dtype in COMPLEX),
    *reductions("Prod", NUMBER),
    *special("Prod"),
    Case("Prod", (values("int8", 100, 100, 3), axes(0))),
    *(Case("Prod", (np.full(300, 1.001, numpy_type(dtype)), axes(0)), rtol=COARSE[dtype]) for dtype in FLOATING),
    Case("Prod", (values("double", 0, 2, 3), axes(0))),
    Case("Prod", (values("double", 0, 2, 0), axes(0))),
    Case("Prod", (values("double", 0, 0, 0), axes(0))),
    Case("Prod", (np.array([[1.5, 0.0, 2.0], [0.0, 0.5, 3.0]]), axes(0, 1))),
    Case("Prod", (np.array([[1.5, 0.0, 2.0], [3.0, 0.5, 3.0]]), axes(1, 0))),
    Case("Prod", (np.array([[1.5, 0.0, 2.0], [3.0, 0.5, 3.0]]), axes(0)), {"keep_dims": True}),
    Case("Prod", (sample("double", (2, 2, 3)), axes(2, 0))),
    Case("Prod", (sample("double", (2, 2, 2)), axes(0, 1, 2))),
    Case("Prod", (sample("complex128", (2, 3)), axes(0, 1))),
    *(
        case
        for op in ("Max", "Min")
        for case in (
            *reductions(op, REAL, finite=False),
            *special(op),
            Case(op, (values("double", 3, 1, 3, 1, 1), axes(0)), smooth=False),
            Case(op, (np.array([[1.0, 2.0], [2.0, 1.0]]), axes(0, 1)), smooth=False),
            Case(op, (np.array([[1.0, 2.0], [1.0, 1.0]]), axes(1)), {"keep_dims": True}, smooth=False),
        )
    ),
    *(case for op in ("All", "Any") for case in reductions(op, ("bool",), "bool")),
    *(
        Case(op, (np.array([[first, True], [False, False]]), axes(1)))
        for op in ("All", "Any")
        for first in (False, True)
    ),
    *positions("ArgMax", ("int16", "int32", "int64"), ("int16", "uint16", "int32", "int64")),
    *positions("ArgMin", ("int32", "int64"), ("int32", "int64")),
]
