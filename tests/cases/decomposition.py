"""Cases of `ops/decomposition.yaml`."""

from __future__ import annotations

from collections.abc import Iterator

from support.case import Case
from support.samples import COMPLEX, sample

SHAPES: tuple[tuple[int, ...], ...] = ((3, 3), (4, 2), (2, 4), (2, 3, 2), (1, 1), (0, 2), (2, 0), (0, 3, 2), (2, 2, 3))
ROUNDING = 1e-4
"""For single precision, in which two computations of a factor agree only so far."""


def factors() -> Iterator[Case]:
    """Tall, square, wide and empty matrices, alone and in stacks; all types."""
    for full in (False, True):
        # Where the last columns of q are not determined, there is no gradient to compare with finite differences.
        yield from (
            Case(
                "Qr",
                (sample("double", shape),),
                {"full_matrices": full},
                rtol=1e-12,
                smooth=not full or shape[-2] <= shape[-1],
            )
            for shape in SHAPES
        )
    yield from (
        Case("Qr", (sample(dtype, (3, 2)),), rtol=1e-2 if dtype == "half" else ROUNDING) for dtype in ("half", "float")
    )
    yield from (
        Case("Qr", (sample(dtype, shape),), rtol=ROUNDING) for dtype in COMPLEX for shape in ((3, 2), (3, 3), (2, 3))
    )
    yield Case("Qr", (sample("double", (3,)),), fails=True)


CASES: list[Case] = [
    *factors(),
]
