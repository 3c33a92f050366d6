"""Cases of `ops/fourier.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from support.case import Case
from support.samples import COMPLEX, ints, sample

Sizes = tuple[int, ...]

PARTS: Final = {"complex64": "float", "complex128": "double"}
SINGLE: Final = "TensorFlow's gradient of a transform of length 1 is wrong."
UNCHECKED: Final = "TensorFlow does not check the length where there are no elements."
SUFFIXES: Final = ("", "2D", "3D")


def complex_transforms() -> Iterator[Case]:
    """Odd and even sizes, primes, single elements, batches, nothing at all, what is not finite."""
    for rank, suffix in enumerate(SUFFIXES, start=1):
        for name in (f"FFT{suffix}", f"IFFT{suffix}"):
            for dtype in COMPLEX:
                yield Case(name, (sample(dtype, (2, 3, 4)[-rank:]),))
            shapes: tuple[Sizes, ...] = ((2, 1, 2, 5), (1, 1, 1), (0, 2, 3, 2), (2, 2, 0))
            yield from (Case(name, (sample("complex128", shape),)) for shape in shapes)
            yield Case(name, (sample("complex64", (2, 2)[: rank - 1]),), fails=True)
    yield Case("FFT", (np.array([1, np.inf, 2], np.complex64),), smooth=False)


def real_transforms() -> Iterator[Case]:
    """Lengths, odd and even, up to the size of the input; both precisions; what does not fit."""
    for rank, suffix in enumerate(SUFFIXES, start=1):
        for lengths in ((2, 3, 4), (2, 2, 5)):
            yield from both(suffix, "complex128", (2, 3, 5), (2, 3, 3), lengths[-rank:])
        single = (1, 1, 1)[-rank:]
        yield from both(suffix, "complex128", (2, 3, 5), (2, 3, 3), single, gradient_differs=SINGLE)
        yield from both(suffix, "complex64", (2, 2, 3, 6), (2, 2, 3, 4), (2, 3, 6)[-rank:])
        yield from both(suffix, "complex128", (0, 2, 3, 4), (0, 2, 3, 3), (2, 3, 4)[-rank:])
        for lengths in ((2, 3, 7), (3, 3, -1)):
            yield from both(suffix, "complex64", (2, 3, 6), (2, 3, 3), lengths[-rank:], fails=True)
        yield from both(suffix, "complex64", (2, 3, 6), (2, 3, 4), (2,) * (rank + 1), fails=True)
        yield from both(suffix, "complex64", (2, 3)[: rank - 1], (2, 3)[: rank - 1], (2,) * rank, fails=True)
        yield from both(suffix, "complex64", (2, 3, 0), (2, 3, 0), (2, 3, 4)[-rank:], fails=True, differs=UNCHECKED)
    yield Case("RFFT", (sample("float", (4,)), np.int32(4)), fails=True)
    yield Case("RFFT", (sample("float", (4,)), ints(4)), {"Tcomplex": "complex128"}, fails=True)
    yield Case("RFFT", (sample("double", (4,)), ints(4)), fails=True)
    yield Case("IRFFT", (sample("complex64", (3,)), ints(4)), {"Treal": "double"}, fails=True)
    yield Case("IRFFT", (sample("complex128", (3,)), ints(4)), fails=True)


def both(suffix: str, dtype: str, shape: Sizes, frequencies: Sizes, lengths: Sizes, **options: Any) -> Iterator[Case]:
    """The transform of real numbers, and its inverse."""
    types = {"Tcomplex": dtype, "Treal": PARTS[dtype]}
    yield Case(f"RFFT{suffix}", (sample(PARTS[dtype], shape), ints(*lengths)), types, **options)
    yield Case(f"IRFFT{suffix}", (sample(dtype, frequencies), ints(*lengths)), types, **options)


def over_axes() -> Iterator[Case]:
    """The operations without a kernel: axes in any order, from both ends, none."""
    types = {"Tcomplex": "complex128", "Treal": "double"}
    for lengths, axes in (((3, 2), (-1, 0)), ((2,), (1,)), ((2, 3, 4), (0, 1, 2))):
        for name in ("FFTND", "IFFTND"):
            yield Case(name, (sample("complex128", (2, 3, 4)), ints(*lengths), ints(*axes)))
        yield Case("RFFTND", (sample("double", (2, 3, 4)), ints(*lengths), ints(*axes)), types)
        yield Case("IRFFTND", (sample("complex128", (2, 3, 4)), ints(*lengths), ints(*axes)), types)
    yield Case("FFTND", (sample("complex64", (2, 3)), ints(), ints()))


CASES: list[Case] = [*complex_transforms(), *real_transforms(), *over_axes()]
