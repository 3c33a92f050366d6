"""Cases of `ops/gather_and_scatter.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from support.case import Case
from support.samples import ALL, NUMBER, ints, sample, strings, values

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
    yield Case(op, (strings("a", "b"), values("int64", 1)))
    yield Case(op, (strings("a", "b"), ints(1, 2)[:, None]), {"bad_indices_policy": "IGNORE"})
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
    yield scatter(np.zeros((2, 0)), sample("double", (2,)), [], differs=EMPTY)
    yield scatter([], np.float64(3), [], differs=EMPTY)
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


def gathers() -> Iterator[Case]:
    """`GatherV2`: every dtype, axis and number of batch dimensions."""

    def case(shape: tuple[int, ...], indices: Any, axis: int = 0, dtype: str = "double", **keywords: Any) -> Case:
        batch = {"batch_dims": keywords.pop("batch_dims")} if "batch_dims" in keywords else {}
        chosen = np.asarray(indices, np.int32)
        return Case("GatherV2", (sample(dtype, shape), chosen, np.int32(axis)), batch, **keywords)

    yield from (case((3, 2), [2, 0, 2], dtype=dtype) for dtype in ALL)
    yield Case("GatherV2", (strings("a", "b", "c"), ints(2, 0), np.int32(0)))
    yield Case("GatherV2", (strings("a", "b", "c"), np.int32(1), np.int32(0)))
    yield from (
        Case("GatherV2", (sample("double", (3, 2)), ints(2, 0).astype(dtype), np.int64(0)))
        for dtype in ("int16", "int64")
    )
    for axis in (0, 1, 2, -1, -3):
        yield case((2, 3, 2), [[1, 0], [1, 1]], axis)
    yield case((3,), 1)
    yield case((3, 2), 1, 1)
    yield case((3,), [])
    yield case((3, 2), np.zeros((0, 2)), 1)
    yield case((0, 2), [], 0)
    yield case((0, 2), [1], 1)
    yield case((2, 0), [1], 0)
    yield case((2, 3), [[2, 0], [1, 1]], 1, batch_dims=1)
    yield case((2, 3), [[2, 0], [1, 1]], -1, batch_dims=-1)
    yield case((2, 3), [2, 0], 1, batch_dims=1)
    yield case((2, 2, 3), [[2, 0, 0], [1, 1, 2]], 2, batch_dims=1)
    yield case((2, 3, 2), [[2, 0], [1, 1]], 1, batch_dims=1)
    yield case((2, 2, 3), [[[2], [0]], [[1], [1]]], 2, batch_dims=2)
    yield case((2, 2, 2, 2), [[1, 0], [1, 1]], 2, batch_dims=1)
    yield case((2, 2, 3), [[2, 0], [1, 1]], 2, batch_dims=-1)
    yield case((2, 3), [[], []], 1, batch_dims=1)
    yield Case("GatherV2", (sample("double", (2, 3)), np.array([[2], [0]], np.int16), np.int32(1)), {"batch_dims": 1})
    yield case((2, 2), [-1], fails=True)
    yield case((2, 2), [2], fails=True)
    yield case((0, 2), [0], fails=True)
    yield case((2, 2), [0], 2, fails=True)
    yield case((), [0], fails=True)
    yield case((2, 3), [[0], [2]], 0, batch_dims=1, fails=True)
    yield case((2, 3), [[0]], 1, batch_dims=1, fails=True)
    yield case((2, 3), [[0], [1]], 1, batch_dims=2, fails=True)
    yield case((2, 3), [0, 2], 1, batch_dims=-2, fails=True)
    yield case((2, 3, 4), [0, 2], 2, batch_dims=2, fails=True)
    yield case((2, 3), [[0], [3]], 1, batch_dims=1, fails=True)
    yield Case("GatherV2", (sample("float", (2, 3)), ints(0), ints(0)), fails=True)
    for empty, axis in (((2, 0), 0), ((2, 0), 1), ((0, 2), 1), ((0, 2), 0)):
        fails = np.prod(np.delete(empty, axis)) > 0
        yield Case("GatherV2", (sample("float", empty), ints(5), np.int32(axis)), fails=bool(fails))


SCATTERED = {
    "TensorScatterUpdate": ("int8", "uint16", "bool", "complex64", "bfloat16"),
    "TensorScatterAdd": ("uint8", "int64", "half", "complex64"),
    "TensorScatterSub": ("uint16", "int32", "bfloat16", "complex128"),
    "TensorScatterMax": ("int16", "uint32", "half", "float"),
    "TensorScatterMin": ("int32", "uint64", "bfloat16", "float"),
    "ScatterNdNonAliasingAdd": ("uint8", "int16", "bool", "complex64"),
}
"""The operations that update an array at points, and some of their types."""
NOT_SCATTERED: tuple[tuple[Any, tuple[int, ...]], ...] = (
    ([[3, 0]], (1,)),
    ([[0, -1]], (1,)),
    ([[0, 1, 2]], (1,)),
    ([[0]], (4,)),
    (0, ()),
)
"""Points that are not in the matrix, and shapes of updates that do not fit."""
LAST = "TensorFlow's gradient gives all of the gradient to each of several updates of one point."
NAN = "TensorFlow ignores an update of nan."


def scattered() -> Iterator[Case]:
    """Types, points of every depth, repeated points, ties, and points and updates that do not fit."""
    for op, types in SCATTERED.items():
        for dtype in types:
            points = np.array([[2], [0]], np.int64)
            yield Case(op, (sample(dtype, (3, 2)), points, sample(dtype, (2, 2), seed=1)))
        for points in map(np.array, POINTS):
            depth = points.shape[-1]
            repeats = op == "TensorScatterUpdate" and points.shape == (3, 1)
            inputs = sample("double", (3, 4)), points.astype(np.int32)
            yield Case(
                op,
                (*inputs, sample("double", (*points.shape[:-1], *(3, 4)[depth:]), seed=1)),
                differs="" if depth and points.ndim > 1 and points.size else EMPTY if points.size < 2 else ALONE,
                gradient_differs=LAST if repeats else "",
            )
        for wrong, sizes in NOT_SCATTERED:
            yield Case(op, (sample("float", (3, 4)), np.array(wrong, np.int32), sample("float", sizes)), fails=True)
        yield Case(op, (np.float32(3), np.zeros((1, 0), np.int32), sample("float", (1,))), fails=True)
        yield Case(op, (sample("double", (0, 2)), np.zeros((0, 1), np.int32), np.zeros((0, 2))))
        far = ints(5, 1)[:, None], sample("double", (2,), seed=1)
        for policy in ("ERROR", "IGNORE"):
            yield Case(op, (sample("double", (3,)), *far), {"bad_indices_policy": policy}, fails=policy == "ERROR")
    ties = values("double", 1, 2, 3), ints(0, 0, 1)[:, None], values("double", 1, 1, 2)
    yield from (Case(op, ties, smooth=False) for op in ("TensorScatterMax", "TensorScatterMin"))
    nans = values("float", 2, np.nan), ints(0, 1)[:, None], values("float", np.nan, 1)
    yield from (Case(op, nans, smooth=False, differs=NAN) for op in ("TensorScatterMax", "TensorScatterMin"))
    yield Case("TensorScatterUpdate", (strings("a", "b"), ints(0, 0)[:, None], strings("x", "y")))
    yield Case("TensorScatterUpdate", (sample("double", (3,)), values("uint16", 1)[:, None], sample("double", (1,))))


CASES: list[Case] = [
    *gathers(),
    *gather_nd(),
    *scatter_nd(),
    *scattered(),
]
