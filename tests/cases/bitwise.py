"""Cases of `ops/bitwise.yaml`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from support.case import Case
from support.samples import SIGNED, UNSIGNED, numpy_type, sample, values


def binary(op: str) -> Iterator[Case]:
    """Every dtype, its largest and smallest numbers, and broadcasting."""
    for dtype in (*SIGNED, *UNSIGNED):
        limits = np.iinfo(numpy_type(dtype))
        row = values(dtype, 0, 1, 5, 7, 31, 63, limits.max, limits.min)
        yield Case(op, (row[:, None], row))
        yield Case(op, (sample(dtype, (2, 3), 0, 99), sample(dtype, (3,), 0, 9, seed=1)))
    yield Case(op, (values("int32", -8, 1, -1), values("int32", -1, 40, 33)))
    yield Case(op, (np.int32(5), np.int32(3)))
    yield Case(op, (sample("int32", (0, 2)), sample("int32", (1,))))
    yield Case(op, (sample("int32", (2,)), sample("int32", (3,))), fails=True)


CASES: list[Case] = [
    *(case for op in ("BitwiseAnd", "BitwiseOr", "BitwiseXor", "LeftShift", "RightShift") for case in binary(op)),
    *(Case("Invert", (sample(dtype, (2, 3), -99, 99),)) for dtype in (*SIGNED, *UNSIGNED)),
    *(
        Case(
            "PopulationCount", (values(dtype, np.iinfo(numpy_type(dtype)).min, 0, 7, np.iinfo(numpy_type(dtype)).max),)
        )
        for dtype in (*SIGNED, *UNSIGNED)
    ),
    *(Case("PopulationCount", (sample("int16", shape),)) for shape in ((), (0, 2))),
    *(Case("Invert", (sample("int32", shape),)) for shape in ((), (0, 2))),
]
