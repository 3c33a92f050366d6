"""Cases of `ops/variable_parts.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from cases.slicing import replaced_slices
from support.case import Case, Var
from support.samples import ALL, REAL, ints, sample, strings, values

POINTS: tuple[Any, ...] = ([[0, 1], [2, 3], [0, 1]], [[2], [0], [2]], [[[0, 1]], [[2, 2]]], np.zeros((0, 2)))
"""Points in a matrix of three rows and four columns."""
EMPTY = "TensorFlow refuses points without coordinates."
ALONE = "TensorFlow refuses a single point."
FAR: tuple[Any, ...] = ([[3, 0]], [[0, 0], [0, -1]], [[0, 1, 2]])
"""Points that are not in the matrix."""


def gathers() -> Iterator[Case]:
    """Every type, points of every depth, and points out of range."""
    op, table = "ResourceGatherNd", Var(sample("double", (3, 4)))
    for dtype in ALL:
        yield Case(op, (Var(sample(dtype, (3, 2))), values("int64", 2, 0)[:, None]), {"dtype": dtype})
    yield Case(op, (Var(strings("a", "b")), values("int32", 1)), {"dtype": "string"})
    for points in (*POINTS, [1], [1, 2], np.zeros((2, 0))):
        yield Case(op, (table, np.array(points, np.int32)), {"dtype": "double"})
    yield Case(op, (Var(sample("double", (0, 2))), np.zeros((0, 1), np.int32)), {"dtype": "double"})
    for points in (*FAR, 1):
        yield Case(op, (table, np.array(points, np.int32)), {"dtype": "double"}, fails=True)
    yield Case(op, (Var(np.array(3.0)), np.zeros((2, 0), np.int32)), {"dtype": "double"}, fails=True)
    yield Case(op, (Var(None), ints(0)), {"dtype": "float"}, fails=True)


def scatters(kind: str, dtypes: tuple[str, ...]) -> Iterator[Case]:
    """Every type, points of every depth, repeated points, and what does not fit."""
    op, matrix = f"ResourceScatterNd{kind}", sample("float", (3, 4))

    def scatter(points: Any, updates: Any, policy: str = "", **options: Any) -> Case:
        attrs = {"bad_indices_policy": policy} if policy else {}
        return Case(op, (Var(matrix), np.array(points, np.int32), updates), attrs, **options)

    for dtype in dtypes:
        repeated = values("int64", 2, 0, 2)[:, None]
        yield Case(op, (Var(sample(dtype, (3, 2))), repeated, sample(dtype, (3, 2), seed=1)))
    for points in POINTS:
        depth = np.shape(points)[-1]
        yield scatter(points, sample("float", (*np.shape(points)[:-1], *(3, 4)[depth:]), seed=1))
    yield scatter([1], sample("float", (4,), seed=1), differs=ALONE)
    yield scatter(np.zeros((1, 0)), sample("float", (1, 3, 4), seed=1), differs=EMPTY)
    special = values("float", np.nan, 1, 0), ints(0, 1, 2)[:, None], values("float", 1, np.nan, -0.0)
    yield Case(op, (Var(special[0]), *special[1:]))
    yield Case(op, (Var(sample("float", (0, 2))), np.zeros((0, 1), np.int32), sample("float", (0, 2))))
    for points in FAR:
        yield scatter(points, sample("float", (len(points),)), fails=True)
    far = [[0, 0], [3, 0]], sample("float", (2,), seed=1)
    yield scatter(*far, "IGNORE")
    yield from (scatter(*far, policy, fails=True) for policy in ("ERROR", "NEVER"))
    yield from (scatter([[0], [1]], sample("float", shape), fails=True) for shape in ((), (2,), (1, 4), (2, 3)))
    yield scatter(0, np.float32(1), fails=True)
    yield Case(op, (Var(np.array(3, np.float32)), np.zeros((1, 0), np.int32), values("float", 1)), fails=True)
    yield Case(op, (Var(None), ints(0)[:, None], values("float", 1)), fails=True)


CASES: list[Case] = [
    *gathers(),
    *(case for kind in ("Update", "Add", "Sub") for case in scatters(kind, ALL)),
    *(case for kind in ("Min", "Max") for case in scatters(kind, REAL)),
    Case("ResourceScatterNdUpdate", (Var(strings("a", "b")), ints(0, 0)[:, None], strings("c", "d"))),
    *replaced_slices("ResourceStridedSliceAssign", Var),
    Case("ResourceStridedSliceAssign", (Var(None), ints(0), ints(1), ints(1), values("float", 1)), fails=True),
]
