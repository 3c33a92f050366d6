"""Cases of `ops/segment.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from cases.reduction import axes
from support.case import Case
from support.samples import COMPLEX, NUMBER, REAL, sample, values
from support.sweeps import NOT_CONJUGATED

ONE_PART: Final = "TensorFlow's other part of an infinite mean is not a number."


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


def others() -> Iterator[Case]:
    """Every dtype; dropped rows, ties, zeros; empty segments, where maxima and minima are too large for differences."""
    ids, full, nested = np.array([2, 0, 2, -1]), np.array([1, 0, 1, -1]), np.array([[0, 1, 2], [1, -1, 0]])
    ties = values("double", 2, 2, 0, 3, 0, 0, 5), np.array([0, 0, 1, 1, 2, 2, -1])
    for op, types in (("UnsortedSegmentMax", REAL), ("UnsortedSegmentMin", REAL), ("UnsortedSegmentProd", NUMBER)):
        for dtype in types:
            differs = NOT_CONJUGATED if dtype in COMPLEX else ""
            yield Case(op, (sample(dtype, (4, 2)), full, np.int32(2)), gradient_differs=differs)
        yield Case(op, (sample("double", (2, 3)), nested.astype(np.int32), np.int64(3)))
        yield Case(op, (sample("double", (4, 2)), ids, np.int32(4)), smooth=False)
        yield Case(op, (*ties, np.int32(4)), smooth=False)
        yield Case(op, (values("float", np.inf, -np.inf, 2, -0.0), np.arange(4), np.int32(4)), smooth=False)
        yield Case(op, (sample("double", (0, 2)), np.zeros(0, np.int32), np.int32(3)), smooth=False)
        yield Case(op, (sample("float", (4,)), ids, np.int32(2)), fails=True)
        yield Case(op, (sample("float", (3,)), np.array([0, 1]), np.int32(2)), fails=True)


def sorted_segments() -> Iterator[Case]:
    """Types, segments without rows, and ids that are not sorted or too large; TensorFlow has no kernel for the CPU."""
    ids, full = values("int32", 0, 0, 2), values("int64", 0, 0, 1)
    for op, types in (
        ("SegmentSumV2", ("half", "int32", "complex64")),
        ("SegmentProdV2", ("uint8", "bfloat16", "complex64")),
        ("SegmentMaxV2", ("int64", "half")),
        ("SegmentMinV2", ("uint16", "float")),
    ):
        for dtype in types:
            yield Case(op, (sample(dtype, (3, 2)), ids, np.int64(4)), smooth=False)
        yield Case(op, (sample("double", (3, 2)), full, np.int32(2)))
        yield Case(op, (sample("double", (0, 2)), ids[:0], np.int32(2)), smooth=False)
        yield Case(op, (sample("float", (3,)), ids, np.int32(-1)), fails=True)
        yield Case(op, (sample("float", (2,)), ids, np.int32(3)), fails=True)


def means() -> Iterator[Case]:
    """Every type, segments without rows, and ids that are not sorted."""
    op = "SegmentMean"
    shape: tuple[int, ...]
    ids: tuple[Any, ...]
    for dtype in NUMBER:
        yield Case(op, (sample(dtype, (4, 2)), values("int64", 0, 0, 2, 2)))
    yield Case(op, (values("int32", -3, 0, 7, -2), values("int32", 0, 0, 1, 1)))
    inf, nan = np.inf, np.nan
    for dtype in COMPLEX:
        infinities = values(dtype, complex(inf, inf), 2, complex(-inf, nan), 1, complex(inf, 1), complex(1, -inf))
        yield Case(op, (infinities, values("int32", 0, 0, 1, 1, 2, 3)), smooth=False)
        yield Case(op, (infinities[3:], values("int32", 0, 0, 0)), smooth=False, differs=ONE_PART)
    for shape, ids in (((4,), (1, 1, 1, 2)), ((2, 2, 2), (0, 0)), ((0, 2), ()), ((2, 0), (0, 1))):
        yield Case(op, (sample("double", shape), values("int32", *ids)))
    for shape, ids in (((3,), (1, 0, 2)), ((3,), (-1, 0, 1)), ((3,), (0, 1)), ((1, 2), ((0, 0),))):
        yield Case(op, (sample("float", shape), np.array(ids, np.int32)), fails=True)
    yield Case(op, (np.float32(1), np.int32(0)), fails=True)


CASES: list[Case] = [
    *segments(),
    *others(),
    *sorted_segments(),
    *means(),
]
