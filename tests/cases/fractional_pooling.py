"""Cases of `ops/fractional_pooling.yaml`. The sequences are random: what the poolings give is another test's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from support.case import Case
from support.recording import Array
from support.samples import sample, values

RANDOM: Final = "The same seeds give other sequences here."
EMPTY: Final = "TensorFlow refuses arrays without elements."
UNCHECKED: Final = "TensorFlow does not check the sequences."
ROWS: Final = np.array([0, 2, 4, 7])
COLUMNS: Final = np.array([0, 1, 3, 5])
IMAGES: Final = (2, 7, 5, 2)
POOLED: Final = (2, 3, 3, 2)


def pooled(x: Array, *, overlapping: bool) -> Array:
    """The maxima."""
    more = int(overlapping)
    edges = [list(zip(s[:-1], np.minimum(s[1:] + more, s[-1]), strict=True)) for s in (ROWS, COLUMNS)]
    return np.stack(
        [np.stack([x[:, a:b, c:d].max(axis=(1, 2)) for c, d in edges[1]], axis=1) for a, b in edges[0]], axis=1
    )


def poolings() -> Iterator[Case]:
    """Both poolings: types and attributes, and what is refused."""
    x = sample("float", IMAGES)
    attrs: dict[str, Any] = {"pooling_ratio": [1.0, 2.0, 1.5, 1.0]}
    for op in ("FractionalMaxPool", "FractionalAvgPool"):
        for dtype in ("float", "double", "int32", "int64"):
            yield Case(op, (sample(dtype, IMAGES),), attrs, differs=RANDOM)
        for flags in ({"pseudo_random": True}, {"overlapping": True}, {"deterministic": True, "seed": 3}):
            yield Case(op, (x,), {**attrs, **flags}, differs=RANDOM)
        yield Case(op, (x,), {"pooling_ratio": [1.0, 1.0, 1.0, 1.0]}, differs=RANDOM)
        for seed in ({"seed": 3}, {"seed2": 3}):
            yield Case(op, (x,), {**attrs, **seed}, fails=True)
        for ratio in ([2, 1, 1, 1], [1, 1, 1, 2], [1, 0.5, 1, 1], [1, 8, 1, 1], [1, np.nan, 1, 1]):
            yield Case(op, (x,), {"pooling_ratio": [float(each) for each in ratio]}, fails=True)
        for empty in (x[0], x[:0], x[:, :0]):
            yield Case(op, (empty,), attrs, fails=True)


def backprops() -> Iterator[Case]:
    """Both gradients, for windows that overlap or not; ties and nan; sequences and shapes that do not fit."""
    for overlapping in (False, True):
        attrs = {"overlapping": overlapping}
        for dtype in ("float", "double", "int32", "int64"):
            x, grad = sample(dtype, IMAGES), sample(dtype, POOLED, seed=1)
            sequences = (grad, ROWS, COLUMNS)
            yield Case("FractionalMaxPoolGrad", (x, pooled(x, overlapping=overlapping), *sequences), attrs)
            yield Case("FractionalAvgPoolGrad", (np.array(IMAGES), *sequences), attrs)
        ties = np.ones(IMAGES, np.float32)
        yield Case("FractionalMaxPoolGrad", (ties, ties[:, :3, :3], ties[:, :3, :3], ROWS, COLUMNS), attrs)
    x, grad = sample("float", IMAGES), sample("float", POOLED)
    good = (x, pooled(x, overlapping=False), grad, ROWS, COLUMNS)
    for place, wrong in ((0, x[0]), (1, grad[:, :2]), (3, ROWS[:3])):
        yield Case("FractionalMaxPoolGrad", (*good[:place], wrong, *good[place + 1 :]), fails=True)
    empty = tuple(each[:0] for each in good[:3])
    yield Case("FractionalMaxPoolGrad", (*empty, ROWS, COLUMNS), differs=EMPTY)
    yield Case("FractionalAvgPoolGrad", (np.array((0, *IMAGES[1:])), empty[2], ROWS, COLUMNS), differs=EMPTY)
    for rows in (values("int64", 0, 2, 4, 9), values("int64", 0, 4, 2, 7), values("int64", -1, 2, 4, 7)):
        average = (np.array(IMAGES), grad, rows, COLUMNS)
        yield Case("FractionalAvgPoolGrad", average, fails=True, differs=UNCHECKED if rows[0] == 0 else "")
    yield Case("FractionalAvgPoolGrad", (np.array(IMAGES)[:3], *good[2:]), fails=True)
    yield Case("FractionalAvgPoolGrad", (np.array(IMAGES), grad[0], ROWS, COLUMNS), fails=True)


CASES: list[Case] = [*poolings(), *backprops()]
