"""Cases of `ops/diagonal.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

import numpy as np

from support.case import Case
from support.recording import Array
from support.samples import sample

ALIGNMENTS: Final = ("LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT")
TYPES: Final = ("bfloat16", "float", "int32", "uint8", "complex64", "bool")
MISALIGNED: Final = "TensorFlow's gradient takes shorter diagonals to be aligned on the right"
Sizes: TypeAlias = tuple[int, ...]
SHAPES: Final[tuple[Sizes, ...]] = ((3, 3), (2, 4), (4, 2), (2, 3, 2), (0, 3), (0, 2, 2))


BUILT: Final[tuple[tuple[Sizes, int | Sizes, int, int], ...]] = (
    ((3,), 0, -1, -1),
    ((2, 2), 1, -1, -1),
    ((2,), -2, -1, 3),
    ((2,), 0, 3, -1),
    ((2,), 1, 4, 3),
    ((0,), 1, -1, -1),
    ((0, 2), 0, -1, -1),
    ((3, 3), (-1, 1), -1, -1),
    ((2, 2, 3), (0, 1), 3, 4),
    ((2, 2), (1, 2), 2, -1),
    ((2,), (1, 1), -1, -1),
    ((1, 2), (-1,), -1, -1),
)
"""The shape of the diagonals, which they are, and the numbers of rows and columns."""
PARTLY_OUTSIDE: Final[tuple[tuple[Sizes, int | Sizes, int, int], ...]] = (
    ((6, 3), (-4, 1), -1, 3),
    ((6, 2), (-4, 1), -1, 2),
    ((6, 1), (-4, 1), -1, 1),
    ((2, 1), (-1, 0), -1, -1),
    ((3, 2, 1), (2, 3), -1, -1),
    ((4, 2), (-1, 2), 2, -1),
    ((4, 3), (0, 3), 3, -1),
)
"""Here some of the diagonals have no element in the matrix, and the gradient is refused."""
NOT_BUILT: Final[tuple[tuple[Sizes, int | Sizes, int, int], ...]] = (
    ((2,), 0, 3, 4),
    ((2,), 0, 1, -1),
    ((2,), 0, -1, 0),
    ((2, 2), (-1, 1), -1, -1),
    ((1, 2), (1, 0), -1, -1),
    ((), 0, -1, -1),
    ((3, 2), (0, 1, 2), -1, -1),
)
READ: Final[tuple[int | Sizes, ...]] = (1, -2, (-1, 1), (1, 1), (-2, -1), (-2, 3), (0,))
NOT_READ: Final[tuple[int | Sizes, ...]] = (4, -3, (1, 0), (0, 4), (), (0, 1, 2))
REPLACED: Final[tuple[tuple[Sizes, Sizes, int | Sizes], ...]] = (
    ((3, 3), (3,), 0),
    ((2, 2, 3), (2, 2), 1),
    ((3, 4), (2, 3), (0, 1)),
    ((4, 2), (2,), (-1, -1)),
    ((0, 3), (0,), 0),
    ((0, 2, 2), (0, 2), 0),
    ((3, 3), (5, 3), (-2, 2)),
)
"""The shapes of the matrices and of the new diagonals, and which they are."""
NOT_REPLACED: Final[tuple[tuple[Sizes, Sizes, int | Sizes], ...]] = (
    ((3, 4), (2,), 0),
    ((3, 4), (4,), 0),
    ((3, 4), (1, 3), (0, 0)),
    ((3, 4), (3,), 4),
    ((2, 3, 3), (1, 3), 0),
    ((3,), (3,), 0),
    ((2, 3, 3), (3,), 0),
)


def index(k: int | Sizes) -> Array:
    """Diagonals as TensorFlow takes them."""
    return np.array(k, np.int32)


def bands() -> Iterator[Case]:
    """All shapes, types and sides; what is not finite; too many diagonals."""
    op = "MatrixBandPart"
    for lower, upper in ((1, 0), (0, -1), (-1, -1), (2, 2)):
        yield from (
            Case(op, (sample("double", shape), np.int64(lower), np.int64(upper)))
            for shape in SHAPES
            if min(shape[-2:]) >= 2
        )
    yield from (Case(op, (sample(dtype, (3, 3)), np.int32(0), np.int32(1))) for dtype in TYPES)
    yield from (Case(op, (sample("double", shape), np.int64(0), np.int64(0))) for shape in ((0, 3), (3, 0), (0, 2, 2)))
    yield Case(op, (np.full((2, 2), np.nan), np.int64(0), np.int64(0)), smooth=False)
    for lower, upper in ((4, 0), (0, 3)):
        yield Case(op, (sample("double", (3, 2)), np.int64(lower), np.int64(upper)), fails=True)
    yield Case(op, (sample("double", (3,)), np.int64(0), np.int64(0)), fails=True)
    yield Case(op, (sample("double", (3, 3)), np.array([1]), np.int64(0)), fails=True)


def building() -> Iterator[Case]:
    """Single diagonals and bands, all alignments, sizes that are given and sizes that are not."""
    for op in ("MatrixDiagV2", "MatrixDiagV3"):
        for shape, k, rows, columns in BUILT:
            sizes = np.int32(rows), np.int32(columns)
            # An empty diagonal beside the main one makes a matrix that has no such diagonal to take the gradient from.
            smooth = shape != (0,)
            differs = MISALIGNED if op == "MatrixDiagV2" and k in ((-1, 1), (1, 2)) else ""
            inputs = sample("double", shape), index(k), *sizes, np.float64(9)
            yield Case(op, inputs, smooth=smooth, gradient_differs=differs)
        for shape, k, rows, columns in PARTLY_OUTSIDE:
            inputs = sample("double", shape), index(k), np.int32(rows), np.int32(columns), np.float64(9)
            yield Case(op, inputs, smooth=False)
        for shape, k, rows, columns in NOT_BUILT:
            sizes = np.int32(rows), np.int32(columns)
            yield Case(op, (sample("double", shape), index(k), *sizes, np.float64(9)), fails=True)
    small = np.int32(-1)
    for align in ALIGNMENTS:
        yield Case(
            "MatrixDiagV3", (sample("double", (4, 3)), index((-2, 1)), small, small, np.float64(9)), {"align": align}
        )
    for dtype in TYPES:
        yield Case("MatrixDiagV3", (sample(dtype, (2,)), index(0), small, small, sample(dtype, ())))
    yield Case("MatrixDiagV3", (sample("double", (2,)), index(0), small, small, np.ones(1)), fails=True)


def reading() -> Iterator[Case]:
    """Single diagonals and bands of all shapes, all alignments, and diagonals that are outside."""
    for op in ("MatrixDiagPartV2", "MatrixDiagPartV3"):
        for shape in SHAPES:
            yield Case(op, (sample("double", shape), index(0), np.float64(9)))
        for k in READ:
            differs = MISALIGNED if op == "MatrixDiagPartV2" and k in ((-2, 3), (-1, 1)) else ""
            yield Case(op, (sample("double", (3, 4)), index(k), np.float64(9)), gradient_differs=differs)
        for k in NOT_READ:
            yield Case(op, (sample("double", (3, 4)), index(k), np.float64(9)), fails=True)
        yield Case(op, (sample("double", (3,)), index(0), np.float64(9)), fails=True)
        yield Case(op, (np.ones((0, 0)), index(1), np.float64(9)), fails=True)
    for align in ALIGNMENTS:
        yield Case("MatrixDiagPartV3", (sample("double", (2, 3, 4)), index((-2, 2)), np.float64(9)), {"align": align})
    for dtype in TYPES:
        yield Case("MatrixDiagPartV3", (sample(dtype, (2, 3)), index((0, 1)), sample(dtype, ())))


def replacing() -> Iterator[Case]:
    """Single diagonals and bands, all alignments, and diagonals of other sizes."""
    op = "MatrixSetDiagV3"
    for x, diagonal, k in REPLACED:
        yield Case(op, (sample("double", x), sample("double", diagonal, seed=1), index(k)))
    for align in ALIGNMENTS:
        yield Case(op, (sample("double", (3, 4)), sample("double", (4, 3)), index((-2, 1))), {"align": align})
    for dtype in TYPES:
        yield Case(op, (sample(dtype, (2, 3)), sample(dtype, (2,), seed=1), index(0)))
    for x, diagonal, k in NOT_REPLACED:
        yield Case(op, (sample("double", x), sample("double", diagonal), index(k)), fails=True)


def arrays() -> Iterator[Case]:
    """Diagonals of arrays of any rank."""
    for shape in ((3,), (2, 2), (0, 2), (1, 2, 1)):
        yield Case("Diag", (sample("double", shape),))
        yield Case("DiagPart", (sample("double", shape * 2),))
    for dtype in ("bfloat16", "half", "float", "int32", "int64", "complex64"):
        yield Case("Diag", (sample(dtype, (2,)),))
        yield Case("DiagPart", (sample(dtype, (2, 2)),))
    yield Case("Diag", (sample("double", ()),), fails=True)
    yield from (Case("DiagPart", (sample("double", shape),), fails=True) for shape in ((2, 3), (2,), (2, 2, 2)))
    yield Case("DiagPart", (sample("double", ()),), fails=True)


CASES: list[Case] = [
    *bands(),
    *building(),
    *reading(),
    *replacing(),
    *arrays(),
]
