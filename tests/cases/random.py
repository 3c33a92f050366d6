"""Cases of `ops/random.yaml`: what is drawn has the type and shape asked for. Distributions have tests of their own."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from support.case import Case
from support.samples import FLOATING, NUMBER, REAL, sample, values

SHAPES: tuple[tuple[int, ...], ...] = ((), (3,), (2, 3), (0, 3), (1, 2, 1))


def draws(op: str) -> Iterator[Case]:
    """Every dtype and shape, and what is not a shape."""
    for dtype in FLOATING:
        yield from (
            Case(op, (values(index, *shape),), {"dtype": dtype}) for index in ("int32", "int64") for shape in SHAPES
        )
    yield Case(op, (values("int32", 2),), {"dtype": "float", "seed": 1, "seed2": 2})
    yield from (Case(op, (shape,), {"dtype": "float"}, fails=True) for shape in (values("int32", 2)[None], np.int32(2)))


def integers() -> Iterator[Case]:
    """Bounds of every kind, and those that leave nothing to draw."""
    op = "RandomUniformInt"
    for index in ("int32", "int64"):
        for shape in SHAPES:
            yield Case(op, (values(index, *shape), np.int64(-3), np.int64(4)))
            yield Case(op, (values(index, *shape), np.int32(-3), np.int32(4)))
    yield Case(op, (values("int32", 4), np.int32(-(2**31)), np.int32(2**31 - 1)))
    yield Case(op, (values("int32", 4), np.int64(-(2**63)), np.int64(2**63 - 1)))
    yield Case(op, (values("int32", 0), np.int32(5), np.int32(3)))
    yield from (Case(op, (values("int32", 2), np.int32(5), np.int32(high)), fails=True) for high in (5, 3))
    yield Case(op, (values("int32", 2), values("int32", 1), np.int32(3)), fails=True)
    yield Case(op, (values("int32", 2), np.int32(1), values("int32", 3)), fails=True)


def multinomial() -> Iterator[Case]:
    """Every type, no rows, no samples, and what is not a distribution."""
    op = "Multinomial"
    for dtype in REAL:
        yield Case(op, (sample(dtype, (2, 3)), np.int32(4)))
    yield Case(op, (sample("float", (2, 3)), np.int32(4)), {"output_dtype": "int32"})
    yield Case(op, (sample("float", (0, 3)), np.int32(4)))
    yield Case(op, (sample("float", (2, 3)), np.int32(0)))
    yield Case(op, (values("float", 0, -np.inf, np.nan)[None], np.int32(4)))
    nothing = values("float", -np.inf, -np.inf)[None]
    yield Case(op, (nothing, np.int32(4)), fails=True, differs="there is no class to draw")
    yield Case(op, (sample("float", (3,)), np.int32(4)), fails=True)
    yield Case(op, (sample("float", (2, 0)), np.int32(4)), fails=True)
    yield Case(op, (sample("float", (2, 3)), np.int32(-1)), fails=True)
    yield Case(op, (sample("float", (2, 3)), values("int32", 4)), fails=True)


CASES: list[Case] = [
    *(case for op in ("RandomUniform", "RandomStandardNormal", "TruncatedNormal") for case in draws(op)),
    *integers(),
    *multinomial(),
    *(Case("RandomShuffle", (sample(dtype, (4, 2)),)) for dtype in (*NUMBER, "bool")),
    *(Case("RandomShuffle", (sample("float", shape),)) for shape in ((), (0,), (1, 2), (3, 0))),
]
