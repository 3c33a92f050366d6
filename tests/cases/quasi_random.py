"""Cases of `ops/quasi_random.yaml`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from support.case import Case
from support.samples import ints


def sobol() -> Iterator[Case]:
    """Few and many dimensions, skipped points, and numbers that are refused."""
    op = "SobolSample"

    def sample(*numbers: int, dtype: str = "float", fails: bool = False) -> Case:
        return Case(op, tuple(map(np.int32, numbers)), {"dtype": dtype}, fails=fails)

    for dtype in ("float", "double"):
        yield from (sample(*numbers, dtype=dtype) for numbers in ((1, 5, 0), (3, 8, 0), (7, 4, 1001), (300, 1, 6)))
    for numbers in ((0, 3, 0), (-1, 3, 0), (2, 0, 0), (2, -1, 0), (2, 3, -1), (2, 3, 2**31 - 1), (2, 3, 2**31 - 4)):
        yield sample(*numbers, fails=True)
    yield Case(op, (ints(2), np.int32(3), np.int32(0)), {"dtype": "float"}, fails=True)


CASES: list[Case] = [*sobol()]
