"""Cases of `ops/decomposition.yaml`."""

from __future__ import annotations

from support.case import Case
from support.samples import COMPLEX, sample

SHAPES: tuple[tuple[int, ...], ...] = ((3, 3), (4, 2), (2, 4), (2, 3, 2), (1, 1), (0, 2), (2, 0), (0, 3, 2))
ROUNDING = 1e-4
"""For single precision, in which two ways to compute a factor agree only so far."""

CASES: list[Case] = [
    *(
        Case("Qr", (sample("double", shape),), {"full_matrices": full}, rtol=1e-12)
        for shape in SHAPES
        for full in (False, True)
    ),
    *(Case("Qr", (sample(dtype, (3, 2)),), rtol=1e-2 if dtype == "half" else ROUNDING) for dtype in ("half", "float")),
    *(Case("Qr", (sample(dtype, (3, 2)),), rtol=ROUNDING) for dtype in COMPLEX),
    Case("Qr", (sample("double", (3,)),), fails=True),
]
