"""Cases of `ops/space_to_batch.yaml`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from support.case import Case
from support.samples import sample

DIVIDED: Final[tuple[tuple[Sequence[int], Sequence[int], Any], ...]] = (
    ((1, 4), (2,), [[0, 0]]),
    ((2, 4, 3, 2), (2, 3), [[1, 1], [0, 0]]),
    ((2, 3, 2, 2, 2), (1, 2, 1), [[0, 1], [1, 1], [0, 0]]),
    ((2, 3), (), np.zeros((0, 2))),
    ((3,), (), np.zeros((0, 2))),
    ((0, 4, 2), (2,), [[1, 1]]),
    ((1, 0), (2,), [[1, 1]]),
)
"""The shape of the input, the sizes of the blocks, and the paddings."""
NOT_DIVIDED: Final[tuple[tuple[Sequence[int], Any, Any], ...]] = (
    ((1, 4), (3,), [[1, 0]]),
    ((1, 4), (0,), [[0, 0]]),
    ((1, 4), (2,), [[-1, 1]]),
    ((1, 4), (2,), [[0, 0], [0, 0]]),
    ((1, 4), (2, 2), [[0, 0], [0, 0]]),
    ((1, 4), (2,), [[0, 0, 0]]),
    ((1, 4), (2,), [0, 0]),
    ((1, 4), 2, [[0, 0]]),
    ((), (), np.zeros((0, 2))),
)
JOINED: Final[tuple[tuple[Sequence[int], Sequence[int], Any], ...]] = (
    ((2, 2), (2,), [[0, 0]]),
    ((6, 2, 1, 2), (2, 3), [[1, 1], [0, 2]]),
    ((4, 2, 2), (2,), [[1, 3]]),
    ((3,), (), np.zeros((0, 2))),
    ((0, 2), (2,), [[1, 0]]),
)
NOT_JOINED: Final[tuple[tuple[Sequence[int], Any, Any], ...]] = (
    ((3, 2), (2,), [[0, 0]]),
    ((2, 2), (2,), [[2, 3]]),
    ((2, 2), (2,), [[-1, 0]]),
    ((2, 2), (-1,), [[0, 0]]),
    ((2, 2), (2, 1), [[0, 0], [0, 0]]),
)
TYPES: Final = ("int8", "uint16", "bfloat16", "float", "complex64")


def blocks() -> Iterator[Case]:
    """Blocks of several dimensions, borders, empty arrays, types, and what does not fit."""
    for op, fitting, failing in (
        ("SpaceToBatchND", DIVIDED, NOT_DIVIDED),
        ("BatchToSpaceND", JOINED, NOT_JOINED),
    ):
        for number, (shape, sizes, widths) in enumerate((*fitting, *failing)):
            inputs = sample("double", tuple(shape)), np.array(sizes, np.int32), np.array(widths, np.int64)
            yield Case(op, inputs, fails=number >= len(fitting))
        for dtype in TYPES:
            yield Case(op, (sample(dtype, (2, 2, 1)), np.array([2]), np.array([[0, 0]], np.int32)))


def images() -> Iterator[Case]:
    """Square blocks of images, and images that are not divided by them."""
    shape: tuple[int, ...]
    for op, shape, widths, size in (
        ("SpaceToBatch", (2, 2, 4, 1), [[1, 1], [0, 0]], 2),
        ("SpaceToBatch", (1, 2, 1, 2), [[1, 0], [1, 1]], 3),
        ("SpaceToBatch", (0, 2, 2, 1), [[0, 0], [0, 0]], 2),
        ("BatchToSpace", (8, 1, 2, 1), [[1, 0], [0, 1]], 2),
        ("BatchToSpace", (9, 1, 1, 2), [[0, 2], [1, 0]], 3),
    ):
        yield Case(op, (sample("double", shape), np.array(widths, np.int32)), {"block_size": size})
    for op, shape, widths in (
        ("SpaceToBatch", (1, 2, 3, 1), [[0, 0], [0, 0]]),
        ("SpaceToBatch", (2, 2, 1), [[0, 0], [0, 0]]),
        ("SpaceToBatch", (1, 2, 2, 1), [[0, 0]]),
        ("BatchToSpace", (3, 2, 2, 1), [[0, 0], [0, 0]]),
        ("BatchToSpace", (4, 1, 1, 1), [[2, 1], [0, 0]]),
    ):
        inputs = sample("float", shape), np.array(widths, np.int32)
        yield Case(op, inputs, {"block_size": 2}, fails=True)


def channels() -> Iterator[Case]:
    """Types, block sizes and data formats; TensorFlow has no NCHW on the CPU."""
    for op, last, first in (
        ("SpaceToDepth", (1, 2, 4, 2), (1, 2, 2, 4)),
        ("DepthToSpace", (2, 1, 2, 8), (1, 4, 1, 2)),
    ):
        for dtype in ("double", "int8", "bool", "complex64"):
            yield Case(op, (sample(dtype, last),), {"block_size": 2})
        yield Case(op, (sample("double", (0, *last[1:])),), {"block_size": 2})
        yield Case(op, (sample("double", first),), {"block_size": 2, "data_format": "NCHW"})
        yield Case(op, (sample("double", (*first, 4)),), {"block_size": 2, "data_format": "NCHW_VECT_C"})
        for shape in ((1, 3, 3, 3), last[1:]):
            yield Case(op, (sample("float", shape),), {"block_size": 2}, fails=True)
        wrong = sample("float", (*first, 3))
        yield Case(op, (wrong,), {"block_size": 2, "data_format": "NCHW_VECT_C"}, fails=True)
    yield Case("SpaceToDepth", (sample("double", (1, 3, 6, 1)),), {"block_size": 3})
    yield Case("DepthToSpace", (sample("double", (1, 1, 2, 9)),), {"block_size": 3})


CASES: list[Case] = [
    *blocks(),
    *images(),
    *channels(),
]
