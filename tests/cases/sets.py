"""Cases of `ops/sets.yaml`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from support.case import Case
from support.samples import COMPLEX, REAL, sample, strings, values


def unique() -> Iterator[Case]:
    """Every dtype, rows and columns, and what is not an axis."""
    op, nothing = "UniqueV2", values("int64")
    for dtype in (*REAL, *COMPLEX, "bool"):
        yield Case(op, (sample(dtype, (6,), 0, 3).round(0).astype(sample(dtype, ()).dtype), nothing))
    yield Case(op, (strings("b", "a", "b"), nothing))
    yield Case(op, (values("float", np.nan, 1, np.nan, 0, -0.0, 1), nothing), {"out_idx": "int64"})
    yield Case(op, (values("bfloat16", np.nan, 1, np.nan, 0, 1), nothing))
    yield Case(op, (values("half", 0, -0.0, 1), nothing), differs="TensorFlow tells the zeros apart.")
    matrix = np.array([[1, 1, 0], [2, 2, 0], [1, 1, 0]])
    yield from (Case(op, (matrix, values(index, axis))) for index in ("int32", "int64") for axis in (0, 1, -1))
    yield Case(op, (np.stack([matrix, matrix[::-1], matrix]), values("int64", 0)))
    yield Case(op, (np.stack([matrix, matrix[::-1], matrix]), values("int64", 1)))
    yield Case(op, (np.array([[np.nan, 1], [np.nan, 1], [0, 1], [-0.0, 1]]), values("int64", 0)), smooth=False)
    yield from (Case(op, (sample("float", shape), values("int64", 0))) for shape in ((0,), (0, 2), (2, 0)))
    yield Case(op, (matrix, nothing), fails=True)
    yield from (Case(op, (matrix, values("int64", axis)), fails=True) for axis in (2, -3))
    yield Case(op, (matrix, values("int64", 0, 1)), fails=True)
    yield Case(op, (matrix, np.int64(0)), fails=True)
    yield Case(op, (np.int32(3), values("int64", 0)), fails=True)


def counted() -> Iterator[Case]:
    """Elements and rows, both types of counts, and an empty vector."""
    op, nothing = "UniqueWithCountsV2", values("int64")
    for dtype in ("double", "int8", "bool", "complex64"):
        numbers = sample(dtype, (6,), 0, 3)
        yield Case(op, (numbers.round(0).astype(numbers.dtype), nothing), smooth=False)
    yield Case(op, (strings("b", "a", "b"), nothing), {"out_idx": "int64"})
    yield Case(op, (np.array([[1, 2], [1, 2], [0, 1]]), values("int32", 0)))
    yield Case(op, (np.array([[1, 1, 0], [2, 2, 0]]), values("int32", -1)))
    yield Case(op, (values("float"), nothing))
    yield Case(op, (np.array([[1]]), nothing), fails=True)


def differences() -> Iterator[Case]:
    """Every type, elements that are repeated or not finite, and what is no vector."""
    op = "ListDiff"
    for dtype in (*REAL, *COMPLEX, "bool"):
        numbers = sample(dtype, (6,), 0, 3)
        yield Case(op, (numbers.round(0).astype(numbers.dtype), values(dtype, 1, 3)), smooth=False)
    yield Case(op, (sample("double", (4,)), sample("double", (2,), seed=1)), {"out_idx": "int64"})
    yield Case(op, (strings("b", "a", "b"), strings("a", "c")))
    yield Case(op, (values("float", np.nan, 0, -0.0, 1), values("float", np.nan, 0)), smooth=False)
    yield Case(op, (values("bfloat16", 2, np.nan, 1, 0), values("bfloat16", 2, np.nan, 0)), smooth=False)
    yield from (Case(op, (values("double", *x), values("double", *y))) for x, y in (((), (1,)), ((1, 2), ())))
    yield Case(op, (np.zeros((1, 1)), np.zeros(1)), fails=True)
    yield Case(op, (np.zeros(1), np.float64(0)), fails=True)


CASES: list[Case] = [
    *unique(),
    *counted(),
    *differences(),
]
