"""Cases of `ops/bitcast.yaml`."""

from __future__ import annotations

from collections.abc import Iterator

from support.case import Case
from support.samples import NUMBER, numpy_type, sample

FITTING: tuple[tuple[tuple[int, ...], str, str], ...] = (
    ((), "float", "int32"),
    ((), "float", "uint8"),
    ((4,), "uint8", "float"),
    ((0,), "float", "uint8"),
    ((0, 4), "uint8", "float"),
    ((2, 0, 2), "int16", "int32"),
    ((0,), "double", "double"),
    ((2, 3, 2), "float", "complex64"),
)
REFUSED: tuple[tuple[tuple[int, ...], str, str], ...] = (
    ((2, 3), "uint8", "float"),
    ((), "uint8", "float"),
    ((0,), "uint8", "float"),
    ((2,), "float", "complex128"),
    ((4, 1), "half", "double"),
)


def pairs() -> Iterator[Case]:
    """Every pair of types."""
    for source in NUMBER:
        for target in NUMBER:
            ratio = numpy_type(target).itemsize // numpy_type(source).itemsize
            shape = (2, ratio) if ratio > 1 else (2,)
            yield Case("Bitcast", (sample(source, shape, 0, 4),), {"type": target})


CASES: list[Case] = [
    *pairs(),
    *(Case("Bitcast", (sample(source, shape, 0, 4),), {"type": target}) for shape, source, target in FITTING),
    *(
        Case("Bitcast", (sample(source, shape, 0, 4),), {"type": target}, fails=True)
        for shape, source, target in REFUSED
    ),
]
