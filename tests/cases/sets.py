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


CASES: list[Case] = [
    *unique(),
]
