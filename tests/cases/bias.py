"""Cases of `ops/bias.yaml`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from support.case import Case
from support.samples import COMPLEX, NUMBER, sample


def biases() -> Iterator[Case]:
    """Both layouts over ranks and dtypes, and biases that do not fit."""
    for layout, shapes in (
        ("NHWC", ((2, 3), (2, 2, 3), (2, 1, 2, 3), (1, 2, 1, 2, 3), (0, 3), (2, 0), (1, 1, 2, 1, 2, 2))),
        ("NCHW", ((2, 3, 2), (2, 3, 1, 2), (1, 3, 1, 2, 2), (0, 3, 2), (2, 3, 0), (1, 2, 1, 2, 2, 2))),
    ):
        axis = 1 if layout == "NCHW" else -1
        for shape in shapes:
            bias = sample("double", (shape[axis],), seed=1)
            yield Case("BiasAdd", (sample("double", shape), bias), {"data_format": layout})
            yield Case("BiasAddGrad", (sample("double", shape),), {"data_format": layout})
        unfit: tuple[tuple[tuple[int, ...], int], ...] = (((2, 3), 4), ((2, 3, 5), 1), ((3,), 3), ((), 1))
        for wrong, length in unfit:
            inputs = (sample("float", wrong), sample("float", (length,)))
            yield Case("BiasAdd", inputs, {"data_format": layout}, fails=True)
        yield from (Case("BiasAddGrad", (sample("float", s),), {"data_format": layout}, fails=True) for s in ((), (3,)))
    yield Case("BiasAdd", (sample("float", (2, 3)), sample("float", (1, 3))), fails=True)
    yield Case("BiasAdd", (sample("float", (2, 3)), sample("float", (3,))), {"data_format": "NCHW"}, fails=True)
    yield Case("BiasAddGrad", (sample("float", (2, 3)),), {"data_format": "NCHW"}, fails=True)
    for dtype in NUMBER:
        yield Case("BiasAdd", (sample(dtype, (2, 3), high=9), sample(dtype, (3,), high=9, seed=1)))
        yield Case("BiasAddGrad", (sample(dtype, (2, 3)),))
    yield from (Case("BiasAdd", (sample(d, (2, 3, 2)), sample(d, (3,))), {"data_format": "NCHW"}) for d in COMPLEX)
    yield Case("BiasAdd", (np.full((1, 2), 100, np.int8), np.full(2, 100, np.int8)))
    yield Case("BiasAddGrad", (np.full((5, 2), 100, np.int8),))
    yield Case("BiasAddGrad", (np.full((3000, 1), 1, np.float16),))


CASES: list[Case] = [
    *biases(),
]
