"""Cases of `ops/scan.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from cases.reduction import axes
from support.case import Case
from support.samples import COMPLEX, NUMBER, sample, values

FLAGS = [{"exclusive": exclusive, "reverse": reverse} for exclusive, reverse in product((False, True), repeat=2)]
ZEROS = "the gradient is exact where an element is 0"
CONJUGATED = "the gradient is conjugated"
UNDEFINED = "nan and inf propagate otherwise through another formula"


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


NAN = "nan remains nan in every sum"


def logarithms() -> Iterator[Case]:
    """Types, both flags, axes, large numbers, infinities, no elements, and axes that do not fit."""
    op = "CumulativeLogsumexp"
    for flags in FLAGS:
        for dtype in ("bfloat16", "half", "float"):
            yield Case(op, (sample(dtype, (2, 3)), np.int32(1)), flags)
        for shape, axis in (((4,), 0), ((2, 3), -1), ((2, 3, 2), 1), ((2, 0), 1), ((0, 2), 1), ((1,), 0)):
            yield Case(op, (sample("double", shape), np.int64(axis)), flags)
        yield Case(op, (values("double", 1000, -1000, 1000), np.int32(0)), flags)
        infinite = values("float", -np.inf, 1, -np.inf, 2, np.inf), np.int32(0)
        yield Case(op, infinite, flags, smooth=False, gradient_differs=UNDEFINED)
    yield Case(op, (values("float", 1, np.nan, 2), np.int32(0)), smooth=False, differs=NAN)
    yield Case(op, (sample("float", ()), np.int32(0)), fails=True)
    yield Case(op, (sample("float", (2,)), np.int32(1)), fails=True)


CASES: list[Case] = [
    *logarithms(),
    *scans("Cumsum"),
    *scans("Cumprod"),
    *(
        Case("Cumprod", (values("double", *row), np.int32(0)), flags, gradient_differs=ZEROS)
        for flags in FLAGS
        for row in ((2, 0, 3), (0, 2, 3), (2, 0, 3, 0, 4), (0, 0), (1, 2, 3, 4, 5, 6, 7, 0, 9))
    ),
    Case("Cumprod", (np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 0.5]]), np.int32(0)), gradient_differs=ZEROS),
]
