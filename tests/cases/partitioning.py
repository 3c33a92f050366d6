"""Cases of `ops/partitioning.yaml`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from support.case import Case
from support.samples import ints, sample, strings

LAST: Final = "TensorFlow's gradient gives all of the gradient to each of several slices of one position."


def partitions() -> Iterator[Case]:
    """Types, slices of any shape, empty partitions, and partitions that do not exist."""
    op = "DynamicPartition"
    for dtype in ("uint16", "bool", "complex64", "bfloat16"):
        yield Case(op, (sample(dtype, (3, 2)), ints(1, 0, 1)), {"num_partitions": 2})
    yield Case(op, (strings("a", "b"), ints(1, 0)), {"num_partitions": 2})
    for shape, numbers, count in (
        ((4,), (0, 2, 0, 0), 3),
        ((2, 2), ((0, 1), (1, 1)), 2),
        ((3,), 1, 2),
        ((), 0, 1),
        ((0, 2), np.zeros(0), 2),
        ((2, 0), (1, 0), 2),
    ):
        yield Case(op, (sample("double", shape), np.array(numbers, np.int32)), {"num_partitions": count})
    for row in ((0, 2, 0), (0, -1, 0), (0, 1)):
        yield Case(op, (sample("float", (3,)), ints(*row)), {"num_partitions": 2}, fails=True)


def _stitch(op: str, indices: Sequence[Any], *data: Any, **keywords: Any) -> Case:
    arrays = tuple(sample("double", each, seed=i) if isinstance(each, tuple) else each for i, each in enumerate(data))
    return Case(op, (tuple(np.array(each, np.int32) for each in indices), arrays), **keywords)


def stitches() -> Iterator[Case]:
    """Types, slices and indices of any shape, positions that occur again, and arrays that do not fit."""
    for op in ("DynamicStitch", "ParallelDynamicStitch"):
        yield _stitch(op, [[0, 2], [1]], (2, 2), (1, 2))
        yield _stitch(op, [0, [[1, 2]]], (2,), (1, 2, 2))
        yield _stitch(op, [[0, 1], [1]], (2,), (1,), gradient_differs=LAST)
        yield _stitch(op, [np.zeros(0)], (0, 2))
        yield _stitch(op, [[0]], (1, 0))
        for dtype in ("int8", "bool", "complex64"):
            yield _stitch(op, [[1], [0]], sample(dtype, (1, 2)), sample(dtype, (1, 2), seed=1))
        yield _stitch(op, [[1], [0]], strings("a"), strings("b"))
        for indices, data in (
            ([[0, -1]], [(2,)]),
            ([[0], [1]], [(1,), (1, 1)]),
            ([[0], [1]], [(1,), (2,)]),
            ([[0]], [()]),
        ):
            yield _stitch(op, indices, *data, fails=True)
    yield _stitch("DynamicStitch", [[0, 3]], (2,))


CASES: list[Case] = [
    *partitions(),
    *stitches(),
]
