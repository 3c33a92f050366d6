"""Cases of `ops/sorting.yaml`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from support.case import Case
from support.samples import REAL, sample, values


def tops() -> Iterator[Case]:
    """Ties, values that are not finite, targets that are not a class, any k."""
    rows = np.array(
        [[1, 2, 3], [3, 3, 1], [np.nan, 1, 2], [np.inf, 1, 2], [-np.inf, 1, 0], [1, np.nan, 0], [1, 1, 1]], np.float32
    )
    for k in (-1, 0, 1, 2, 3, 5):
        for target in (-1, 0, 1, 2, 3):
            yield Case("InTopKV2", (rows, np.full(7, target, np.int32), np.int32(k)))
    yield Case("InTopKV2", (rows, values("int64", 0, 1, 2, 0, 1, 2, 1), np.int64(2)))
    yield Case("InTopKV2", (rows[:0], values("int32"), np.int32(1)))
    many = np.arange(4 * 300, dtype=np.float32).reshape(4, 300) * 7 % 300
    many[1, [1, 299]] = np.nan, np.inf
    many[2, 290] = np.nan
    for k in (1, 5, 40, 290):
        for target in (0, 2, 257, 299):
            yield Case("InTopKV2", (many, np.array([target, target, target, 42], np.int32), np.int32(k)))
    for predictions, targets, k in (
        (rows, values("int32", 1), 1),
        (rows[0], values("int32", 0, 1, 2), 1),
        (rows[:1], values("int32", 0)[None], 1),
    ):
        yield Case("InTopKV2", (predictions, targets, np.int32(k)), fails=True)
    yield Case("InTopKV2", (rows, np.zeros(7, np.int32), values("int32", 1)), fails=True)


ORDER = "Not-a-numbers, and results that need not be sorted, have no order in TensorFlow."


def top_k() -> Iterator[Case]:
    """Every dtype, ties, lengths from none to all, types of k and of the indices, and what cannot be taken."""
    op = "TopKV2"
    for dtype in REAL:
        yield Case(op, (sample(dtype, (2, 5)), np.int32(3)))
    ties = values("float", 2, 7, 2, 7, 7, 1, 2, 0, -0.0)
    yield from (Case(op, (ties, np.int32(k)), smooth=False) for k in (1, 4, 9))
    for k in (0, 1, 3, 4):
        yield Case(op, (sample("double", (3, 4)), np.int32(k)))
        yield Case(op, (sample("double", (2, 1, 4)), np.int64(k)), {"index_type": "int64"})
    yield Case(op, (sample("double", (4,)), np.int16(2)), {"index_type": "int16"})
    yield Case(op, (values("double", np.inf, -np.inf, 1), np.int32(3)), smooth=False)
    yield Case(op, (values("float", 1, np.nan, 2), np.int32(2)), smooth=False, differs=ORDER)
    yield Case(op, (sample("double", (6,)), np.int32(3)), {"sorted": False}, differs=ORDER)
    yield from (Case(op, (sample("double", shape), np.int32(0))) for shape in ((2, 0), (0, 3)))
    yield Case(op, (sample("double", (0, 3)), np.int32(2)))
    yield from (Case(op, (sample("float", (2, 3)), np.int32(k)), fails=True) for k in (4, -1))
    yield Case(op, (sample("float", (2, 3)), values("int32", 1)), fails=True)
    yield Case(op, (np.float32(1), np.int32(0)), fails=True)


NAN = "nan has no order in TensorFlow."


def approximate_tops() -> Iterator[Case]:
    """Every type, ties, any dimension, the smallest elements, and what cannot be taken."""
    op = "ApproxTopK"
    for dtype in ("half", "bfloat16", "float"):
        yield Case(op, (sample(dtype, (2, 5)),), {"k": 3})
    ties = values("float", 2, 7, 2, 7, 7, 1, 2, 0, -0.0)
    for k in (0, 4, 9):
        yield Case(op, (ties,), {"k": k}, smooth=False)
    yield Case(op, (values("float", np.nan, 1, np.inf, np.nan, -np.inf),), {"k": 5}, differs=NAN, smooth=False)
    rows = sample("float", (3, 4), seed=2)
    for dimension in (0, 1, -1, -2):
        for is_max in (True, False):
            yield Case(op, (rows,), {"k": 2, "reduction_dimension": dimension, "is_max_k": is_max})
    yield Case(op, (sample("float", (2, 3, 4), seed=2),), {"k": 2, "reduction_dimension": 1})
    yield Case(op, (rows,), {"k": 2, "recall_target": 1.0, "reduction_input_size_override": 2})
    yield from (Case(op, (sample("float", shape),), {"k": 0}) for shape in ((2, 0), (0, 3)))
    for attrs in ({"k": 5}, {"k": 1, "reduction_dimension": 2}, {"k": 1, "reduction_dimension": -3}, {"k": -1}):
        yield Case(op, (rows,), attrs, fails=True)
    yield from (Case(op, (rows,), {"k": 1, "recall_target": recall}, fails=True) for recall in (0.0, 1.5))
    yield Case(op, (np.float32(1),), {"k": 1}, fails=True)


def nth() -> Iterator[Case]:
    """Every type, both orders, ties, nan, empty batches, and positions that do not exist."""
    op = "NthElement"
    for dtype in REAL:
        yield Case(op, (sample(dtype, (2, 5)), np.int32(1)))
    for n in range(4):
        yield Case(op, (sample("double", (2, 3, 4)), np.int32(n)), {"reverse": n % 2 == 1})
        yield Case(op, (values("double", 3, 1, 3, 1), np.int32(n)), smooth=False)
    special = values("float", 3, np.inf, -np.inf, 2)
    yield from (Case(op, (special, np.int32(n)), {"reverse": n < 2}, smooth=False) for n in (0, 1, 3))
    yield Case(op, (values("float", 3, np.nan, 2), np.int32(1)), smooth=False)
    yield Case(op, (sample("double", (0, 3)), np.int32(2)))
    for shape, n in (((2, 3), 3), ((2, 3), -1), ((2, 0), 0), ((0, 3), 7), ((), 0)):
        yield Case(op, (sample("float", shape), np.int32(n)), fails=True)
    yield Case(op, (sample("float", (2, 3)), values("int32", 1)), fails=True)


CASES: list[Case] = [
    *nth(),
    *top_k(),
    *tops(),
    *approximate_tops(),
]
