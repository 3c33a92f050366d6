"""Cases of `ops/logic.yaml`."""

from __future__ import annotations

import numpy as np

from support.case import Case
from support.samples import sample
from support.sweeps import BROADCAST

LOGICAL = ("LogicalAnd", "LogicalOr")


CASES: list[Case] = [
    *(Case(op, (np.array([[True], [False]]), np.array([True, False]))) for op in LOGICAL),
    *(Case(op, (sample("bool", x), sample("bool", y, seed=1))) for op in LOGICAL for x, y in BROADCAST),
    *(Case(op, (sample("bool", (2,)), sample("bool", (3,))), fails=True) for op in LOGICAL),
    *(Case("LogicalNot", (sample("bool", shape),)) for shape in ((2, 3), (), (0, 2))),
]
