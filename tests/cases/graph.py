"""Cases of `ops/graph.yaml`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from support.case import Case
from support.samples import SIGNED, sample, strings
from support.sweeps import ARRAYS, is_smooth


def copies() -> Iterator[Case]:
    """Every type through operations that return their input."""
    for op in ("Snapshot", "DeepCopy", "GuaranteeConst"):
        yield from (Case(op, (sample(dtype, (2, 3)),)) for dtype in ("double", "bool", "complex64", "int8"))
        yield Case(op, (strings("a", "b"),))
        yield from (Case(op, (sample("double", shape),)) for shape in ((), (0, 2)))


CASES: list[Case] = [
    Case("PlaceholderWithDefault", (sample("double", (2, 3)),), {"shape": [-1, 3]}),
    Case("PlaceholderWithDefault", (np.array([1, 2], np.int64),), {"shape": None}),
    Case("PlaceholderWithDefault", (np.array([b"x"], object),), {"shape": [1]}),
    *(Case(op, (x,), smooth=is_smooth(x)) for op in ("Identity", "StopGradient") for x in ARRAYS),
    Case("IdentityN", (tuple(ARRAYS),), smooth=False),
    Case("IdentityN", ((sample("double", (2, 2)), np.array([1, 2], np.int32), np.float64(0.5)),)),
    Case("IdentityN", ((sample("double", (3,)),),)),
    Case("NoOp"),
    *(Case("PreventGradient", (sample(dtype, (2,)),), {"message": "not yet"}) for dtype in ("float", *SIGNED, "bool")),
    Case("PreventGradient", (strings("a", "b"),)),
    *copies(),
]
