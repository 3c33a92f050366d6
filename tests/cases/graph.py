"""Cases of `ops/graph.yaml`."""

from __future__ import annotations

import numpy as np

from support.case import Case
from support.samples import SIGNED, sample, strings
from support.sweeps import ARRAYS, is_smooth

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
]
