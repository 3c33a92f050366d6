"""Cases of `ops/selection.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from support.case import Case
from support.samples import COMPLEX, FLOATING, NUMBER, REAL, sample, strings, values

INDICES = ("int16", "int32", "int64")
POINTS: tuple[Any, ...] = (
    [[0, 1], [2, 3]],
    [[2], [0], [2]],
    [1],
    [1, 2],
    [[[0, 1]], [[2, 2]]],
    np.zeros((0, 2)),
    np.zeros((2, 0)),
    np.zeros((0, 1)),
)
"""Points in a matrix of three rows and four columns."""
EMPTY = "TensorFlow refuses arrays without elements, and points without coordinates."
ALONE = "TensorFlow refuses a single point, and shapes of type int16."


def gather_nd() -> Iterator[Case]:
    """Every dtype, points of every depth, and points out of range."""
    op, matrix = "GatherNd", sample("double", (3, 4))
    for dtype in (*NUMBER, "bool"):
        yield Case(op, (sample(dtype, (3, 4)), values("int32", 1, 2, 0, 3).reshape(2, 2)))
    yield Case(op, (strings("a", "b"), values("int64", 1)[None]))
    for index in INDICES:
        yield from (Case(op, (matrix, np.array(points, index))) for points in POINTS)
    for points in ([[3, 0]], [[0, -1]], [[0, 1, 2]], 1):
        yield Case(op, (matrix, np.array(points, np.int32)), fails=True)
    wrong = np.array([[3, 0], [1, 1], [-1, 2]], np.int32)
    yield Case(op, (matrix, wrong), {"bad_indices_policy": "IGNORE"})
    yield Case(op, (matrix, wrong[:, :1]), {"bad_indices_policy": "IGNORE"})
    yield from (
        Case(op, (matrix, wrong), {"bad_indices_policy": policy}, fails=True) for policy in ("ERROR", "DEFAULT")
    )
    yield Case(op, (np.float32(3), np.zeros((2, 0), np.int32)), fails=True)
    yield Case(op, (sample("double", (0, 2)), np.zeros((0, 1), np.int32)))
    yield Case(op, (sample("double", (2, 0)), np.zeros((1, 1), np.int32)), differs=EMPTY)


def scatter_nd() -> Iterator[Case]:
    """Every dtype, points of every depth, points that occur again or are out of range, and updates that do not fit."""
    op = "ScatterNd"

    def scatter(points: Any, updates: Any, shape: Any = (3, 4), index: str = "int32", **options: Any) -> Case:
        inputs = np.array(points, index), updates, np.array(shape, index)
        policy = {"bad_indices_policy": options.pop("policy")} if "policy" in options else {}
        return Case(op, inputs, policy, **options)

    for dtype in (*NUMBER, "bool"):
        yield scatter([[1], [3], [1]], sample(dtype, (3,)), [4])
    yield scatter([[0], [0]], strings("a", "b"), [2])
    for index in INDICES:
        for points in POINTS:
            depth = np.shape(points)[-1]
            updates = sample("double", (*np.shape(points)[:-1], *(3, 4)[depth:]))
            is_alone = np.ndim(points) == 1 or index == "int16"
            yield scatter(points, updates, index=index, differs=EMPTY if not depth else ALONE if is_alone else "")
    one = sample("float", (1,))
    for points in ([[3, 0]], [[0, -1]], [[0, 1, 2]]):
        yield scatter(points, one, fails=True)
    for policy in ("ERROR", "IGNORE"):
        yield scatter([[5], [1]], sample("double", (2,)), [3], policy=policy, fails=policy == "ERROR")
    yield scatter([[0, 1]], one[:, None], fails=True)
    yield scatter([[0]], one, fails=True)
    yield scatter([1], np.float32(1), [3], differs=ALONE)
    yield scatter(1, np.float32(1), [3], fails=True)
    yield scatter([[0]], one, [-3], fails=True)
    yield scatter([[0]], one, [[3]], fails=True)
    yield scatter([[0]], one, [0], fails=True)
    yield scatter(np.zeros((0, 1)), one[:0], [0])


def unique() -> Iterator[Case]:
    """Every dtype, rows and columns, and what is no axis."""
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


CASES: list[Case] = [*gather_nd(), *scatter_nd(), *unique(), *clip()]
