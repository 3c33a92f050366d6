"""Cases of `ops/inplace.yaml`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from support.case import Case
from support.samples import ALL, ints, sample, strings

NO_ROWS = "TensorFlow ignores indices of an array without rows."


def writes(op: str) -> Iterator[Case]:
    """Every type, rows that repeat, indices that count modulo the number of rows, and what does not fit."""
    is_sum = op != "InplaceUpdate"
    for dtype in ALL:
        inputs = sample(dtype, (3, 2)), ints(2, 0, 2), sample(dtype, (3, 2), seed=1)
        yield Case(op, inputs, fails=is_sum and dtype == "bool")
    for shape, rows in (((3,), ints(4, -7)), ((3, 2), ints()), ((2, 1, 2), ints(1)), ((0, 2), ints())):
        yield Case(op, (sample("double", shape), rows, sample("double", (rows.size, *shape[1:]), seed=1)))
    yield Case(op, (strings("a", "b"), ints(0), strings("c")), fails=is_sum)
    x = sample("float", (3, 2))
    for wrong, shape in ((np.int32(0), (1, 2)), (ints(0)[None], (1, 2)), (ints(0), (2,)), (ints(0, 1), (1, 2))):
        yield Case(op, (x, wrong, sample("float", shape)), fails=True)
    yield Case(op, (x, ints(0), sample("float", (1, 3))), fails=True)
    yield Case(op, (sample("float", (0, 2)), ints(0), sample("float", (1, 2))), differs=NO_ROWS, fails=True)
    yield Case(op, (np.float32(1), ints(0), sample("float", (1,))), fails=True)


CASES: list[Case] = [case for kind in ("Add", "Sub", "Update") for case in writes(f"Inplace{kind}")]
