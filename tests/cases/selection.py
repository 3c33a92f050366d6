"""Cases of `ops/selection.yaml`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from support.case import Case
from support.samples import ALL, FLOATING, SPECIAL, sample, strings, values


def selects() -> Iterator[Case]:
    """`SelectV2`: every dtype and kind of broadcasting."""
    condition = np.array([[True, False, True], [False, False, True]])
    yield from (Case("SelectV2", (condition, sample(dtype, (2, 3)), sample(dtype, (3,), seed=1))) for dtype in ALL)
    yield Case("SelectV2", (condition[0], strings("a", "b", "c"), strings("x")[0]))
    for chosen, t, e in (
        (condition, (), ()),
        (condition, (2, 1), (3,)),
        (condition[:, :1], (2, 1), (1, 3)),
        (np.array(True), (2, 3), ()),
        (np.array(False), (), ()),
        (condition[:, :1], (3,), (2, 2, 1)),
        (np.zeros((0,), bool), (), (1,)),
        (np.zeros((2, 0), bool), (2, 1), (1,)),
    ):
        yield Case("SelectV2", (chosen, sample("double", t), sample("double", e, seed=1)))
    yield Case("SelectV2", (np.array([True, False]), values("float", np.nan, 1), values("float", 2, np.inf)))
    yield Case("SelectV2", (condition, sample("double", (2,)), sample("double", (3,))), fails=True)


def wheres() -> Iterator[Case]:
    """`Where`: every dtype and rank."""
    yield from (Case("Where", (sample(dtype, (3, 4), -1, 1),)) for dtype in ALL)
    yield from (
        Case("Where", (sample("bool", shape),)) for shape in ((5,), (0,), (0, 3), (2, 0), (2, 1, 3), (1, 2, 1, 2))
    )
    yield from (Case("Where", (values(dtype, *SPECIAL),)) for dtype in FLOATING)
    yield Case("Where", (values("complex64", 0, 1j, 1, 0),))
    yield Case("Where", (np.array(True),), fails=True)


CASES: list[Case] = [
    *selects(),
    *wheres(),
]
