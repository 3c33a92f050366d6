"""Cases of `ops/scan.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from cases.reduction import COARSE, axes, many, reductions, special
from support.case import Case
from support.samples import COMPLEX, FLOATING, NUMBER, REAL, SPECIAL, sample, values

FLAGS = [{"exclusive": exclusive, "reverse": reverse} for exclusive, reverse in product((False, True), repeat=2)]

ZEROS = "the gradient is exact where an element is 0"
CONJUGATED = "the gradient is conjugated"
UNDEFINED = "nan and inf take other ways through another formula"
GARBLED = "an axis of int16 means what it says"


def scans(op: str) -> Iterator[Case]:
    """Every dtype, both flags, axes of every kind, no elements, and axes that do not fit."""
    conjugated, undefined = (CONJUGATED, UNDEFINED) if op == "Cumprod" else ("", "")
    for dtype in NUMBER:
        other = conjugated if dtype in COMPLEX else ""
        x, y = sample(dtype, (2, 3), gap=1), sample(dtype, (3, 2), gap=1)
        yield Case(op, (x, np.int32(1)), gradient_differs=other)
        yield Case(op, (y, np.int32(0)), {"exclusive": True, "reverse": True}, gradient_differs=other)
    for flags in FLAGS:
        for shape, axis in (((4,), 0), ((3, 2), 0), ((2, 3), -1), ((2, 3, 2), 1), ((2, 0), 1), ((0, 2), 1), ((1,), 0)):
            yield Case(op, (sample("double", shape, gap=0.5), np.int32(axis)), flags)
        yield Case(op, (sample("double", (5, 2), gap=0.5), np.int64(0)), flags)
        yield Case(op, (sample("complex128", (3,), gap=0.5), np.int32(0)), flags, gradient_differs=conjugated)
        special = values("float", 1, np.nan, 2, np.inf, -np.inf, 1)
        yield Case(op, (special, np.int32(0)), flags, smooth=False, gradient_differs=undefined)
    yield Case(op, (sample("double", ()), np.int32(0)), fails=True)
    yield Case(op, (sample("double", (2,)), np.int32(1)), fails=True)
    yield Case(op, (sample("double", (2,)), np.int32(-2)), fails=True)
    yield Case(op, (sample("double", (2,)), axes(0)), fails=True)
    yield Case(op, (values("int8", 100, 100, 3), np.int32(0)))


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


def segments() -> Iterator[Case]:
    """Every dtype of data and ids; ids of every shape; rows that are dropped, and refused."""
    op, ids = "UnsortedSegmentSum", np.array([2, 0, 2], np.int32)
    yield from (Case(op, (sample(dtype, (3, 2)), ids, np.int32(4))) for dtype in NUMBER)
    yield from (Case(op, (sample("float", (3, 2)), ids.astype(name), np.int64(3))) for name in ("int16", "int64"))
    yield Case(op, (sample("double", (3,)), np.array([0, -1, 0], np.int32), np.int32(2)))
    yield Case(op, (sample("double", (3, 2)), np.array([-1, -5, -1], np.int32), np.int32(1)))
    yield Case(op, (sample("double", (2, 3)), np.array([[0, 1, 3], [1, -1, 0]], np.int32), np.int32(4)))
    yield Case(op, (sample("double", (2, 2, 2)), np.array([[0, 1], [1, 1]], np.int64), np.int32(2)))
    yield Case(op, (sample("double", (2, 2)), np.int32(1), np.int32(3)))
    yield Case(op, (sample("double", (0, 2)), np.zeros(0, np.int32), np.int32(3)))
    yield Case(op, (sample("double", (2, 0)), np.array([0, 1], np.int32), np.int32(3)))
    yield Case(op, (sample("double", (0, 2)), np.zeros(0, np.int32), np.int32(0)))
    yield Case(op, (sample("double", (3, 0)), ids, np.int32(0)))
    yield Case(op, (sample("double", (3, 0)), ids, np.int32(2)))
    yield Case(op, (sample("complex128", (3, 2)), ids, np.int32(4)))
    yield Case(op, (sample("float", (3,)), np.array([0, 2, 0], np.int32), np.int32(2)), fails=True)
    yield Case(op, (sample("float", (3,)), np.array([0, 1], np.int32), np.int32(2)), fails=True)
    yield Case(op, (sample("float", (3,)), ids, np.int32(-1)), fails=True)
    yield Case(op, (sample("float", (3,)), ids, axes(3)), fails=True)
    yield Case(op, (sample("float", (2, 2)), np.zeros((1, 3), np.int32), np.int32(3)), fails=True)


CASES: list[Case] = [
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
    *scans("Cumsum"),
    *scans("Cumprod"),
    *(Case("Cumprod", (values("double", *row), np.int32(0)), flags, gradient_differs=ZEROS)
      for flags in FLAGS
      for row in ((2, 0, 3), (0, 2, 3), (2, 0, 3, 0, 4), (0, 0), (1, 2, 3, 4, 5, 6, 7, 0, 9))),
    Case("Cumprod", (np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 0.5]]), np.int32(0)), gradient_differs=ZEROS),
    *positions("ArgMax", ("int16", "int32", "int64"), ("int16", "uint16", "int32", "int64")),
    *positions("ArgMin", ("int32", "int64"), ("int32", "int64")),
    *segments(),
    *(Case("InvertPermutation", (values(dtype, 3, 0, 2, 1),)) for dtype in ("int32", "int64")),
    Case("InvertPermutation", (values("int32"),)),
    Case("InvertPermutation", (values("int32", 0),)),
    *(Case("InvertPermutation", (values("int32", *row),), fails=True) for row in ((0, 0), (0, -1), (0, 2), (1,))),
    Case("InvertPermutation", (values("int32", 0, 1)[None],), fails=True),
]  # fmt: skip
