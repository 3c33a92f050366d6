"""Cases of `ops/binning.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from support.case import Case
from support.samples import REAL, ints, sample, values

NOT_COUNTED: tuple[tuple[Any, Any, tuple[int, ...]], ...] = (
    (ints(0, -1), np.int32(3), (0,)),
    (ints(0, 1), np.int32(-1), (0,)),
    (ints(0, 1), ints(3), (0,)),
    (ints(0, 1), np.int32(3), (3,)),
)
"""Integers, the number of bins, and the shape of the weights."""
NAN = "TensorFlow's comparisons with nan are false."


def bounds() -> Iterator[Case]:
    """Every type, equal elements, several rows, and rows that do not fit."""
    first: tuple[int, ...]
    second: tuple[int, ...]
    for op in ("LowerBound", "UpperBound"):
        for dtype in REAL:
            yield Case(op, (values(dtype, 0, 3, 9, 9, 10)[None], values(dtype, 2, 9, 11, 0, 3)[None]))
        rows = np.sort(sample("double", (3, 4)))
        yield Case(op, (rows, sample("double", (3, 2), seed=1)), {"out_type": "int64"})
        for first, second in (((1, 0), (1, 2)), ((0, 2), (0, 3)), ((1, 2), (1, 0))):
            yield Case(op, (np.zeros(first), np.ones(second)))
        yield Case(op, (values("float", 0, np.nan)[None], values("float", np.nan, np.inf, -np.inf)[None]), differs=NAN)
        for first, second in (((2, 2), (1, 2)), ((2,), (1, 2)), ((1, 2, 2), (1, 2, 2))):
            yield Case(op, (np.zeros(first), np.ones(second)), fails=True)


def buckets() -> Iterator[Case]:
    """Every type, boundaries that occur again, none, and boundaries that are not in order."""
    op = "Bucketize"
    for dtype in ("int32", "int64", "float", "double"):
        yield Case(op, (values(dtype, -1, 0, 5, 10, 12, 100),), {"boundaries": [0.0, 10.0, 10.0, 100.0]})
    yield Case(op, (values("double", 0.1, np.nan, np.inf, -np.inf),), {"boundaries": [0.1]})
    yield Case(op, (values("int64", 16777217, 16777215),), {"boundaries": [16777217.0]})
    yield from (Case(op, (sample("float", shape),), {"boundaries": []}) for shape in ((), (0, 2)))
    yield Case(op, (sample("float", (2,)),), {"boundaries": [2.0, 1.0]}, fails=True)


def histograms() -> Iterator[Case]:
    """Every type, elements outside the range, and what is no range."""
    op = "HistogramFixedWidth"

    def case(numbers: Any, limits: Any, count: Any, dtype: str = "float", **options: Any) -> Case:
        attrs = {"dtype": options.pop("out")} if "out" in options else {}
        inputs = np.array(numbers, values(dtype).dtype), np.array(limits, values(dtype).dtype)
        return Case(op, (*inputs, np.array(count, np.int32)), attrs, **options)

    for dtype in ("int32", "int64", "float", "double"):
        yield case([[-1, 0, 2], [3, 5, 15]], [0, 5], 3, dtype)
    yield case([0.3, 0.7, np.inf, -np.inf], [0, 1], 10, "double", out="int64")
    for dtype in ("int32", "int64"):
        extremes = np.iinfo(dtype)
        yield case([extremes.min, extremes.max, 0, 3], [-2, 3], 4, dtype)
    many = np.arange(1 << 16 | 1) % 997 * 0.25
    for numbers, bins in ((many, 100), (many, 256), (many, 257), (many[:-1], 3)):
        yield case(numbers, [20, 200], bins)
    yield case(np.linspace(-2, 2, 101), [-2, 2], 100)
    yield case(np.linspace(-2, 2, 101), [-2, 2], 100, "double")
    for dtype in ("int32", "float"):
        yield case([26, 40, 41, 56, 176], [26, 176], 10, dtype)
    yield case([], [0, 1], 2)
    yield case(0.5, [0, np.inf], 2)
    for limits, count in (
        ([5, 0], 2),
        ([1, 1], 2),
        ([np.nan, 1], 2),
        ([0, 1], 0),
        ([0], 2),
        ([[0, 1]], 2),
        ([0, 1], [2]),
    ):
        yield case([1], limits, count, fails=True)
    yield case([np.nan], [0, 1], 2, fails=True)
    yield case([np.nan, np.inf], [0, 1], 1)


def counts() -> Iterator[Case]:
    """Every type, with and without weights, rows, integers that are ignored, and what does not fit."""
    for dtype in ("int32", "int64", "float", "double"):
        weights = sample(dtype, (2, 3))
        rows = np.array([[0, 2, 2], [5, 1, 2]], np.int32)
        for each in (weights, weights[:0]):
            yield Case("Bincount", (rows, np.int32(3), each))
            yield Case("DenseBincount", (rows, np.int32(3), each))
        yield Case("DenseBincount", (rows, np.int32(4), weights[:0]), {"binary_output": True})
    row, weight = values("int64", 0, 1, 1), sample("double", (3,))
    for integers, size in ((row, 2), (row[:0], 2), (row[0], 1), (row, 0)):
        each = np.broadcast_to(weight[0], integers.shape) if integers.size < 3 else weight
        for binary in (False, True):
            yield Case("DenseBincount", (integers, np.int64(size), each), {"binary_output": binary})
        yield Case("Bincount", (integers.astype(np.int32), np.int32(size), each))
    yield Case("Bincount", (ints(0, 1), np.int32(2), sample("double", (2, 1))))
    for shape in ((2, 0), (0, 2)):
        yield Case("DenseBincount", (np.zeros(shape, np.int32), np.int32(2), sample("double", (0,))))
    for wrong, count, sizes in NOT_COUNTED:
        for op in ("Bincount", "DenseBincount"):
            yield Case(op, (wrong, count, sample("float", sizes)), fails=True)
    cube = np.zeros((1, 2, 2), np.int32)
    yield Case("DenseBincount", (cube, np.int32(2), sample("float", (0,))), fails=True)
    yield Case("DenseBincount", (cube[0], np.int32(2), sample("float", (4,))), fails=True)


CASES: list[Case] = [
    *bounds(),
    *buckets(),
    *histograms(),
    *counts(),
]
