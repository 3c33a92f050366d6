"""Cases of `ops/colour.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from support.case import Case
from support.samples import FLOATING, sample, values

MORE: Final = "TensorFlow has no gradient for this operation."
INFINITE: Final = "TensorFlow's gradient is 0 at some infinite numbers, and not a number at others."
NARROW: Final = "TensorFlow has no kernel for float16."

ODD: Final = (
    (np.nan, 1, 0), (1, np.nan, 0), (1, 2, np.nan), (1, np.nan, 2), (np.inf, 1, 0), (1, 0, np.inf), (-np.inf, 0, 1),
    (np.inf, np.inf, 1), (-1, 0.5, 2), (-1, -2, -3), (0, 0, 0), (1, 1, 1), (7.3, 0.5, 2), (-0.2, 0.5, 0.5),
)  # fmt: skip
"""Colours that are not finite, out of range or grey."""
PLAIN: Final = (
    (0.9, 0.5, 0.1), (0.55, 0.9, 0.1), (0.1, 0.8, 0.4), (0.2, 0.3, 0.7), (0.6, 0.1, 1.5), (0.7, 0.2, 0.4),
)  # fmt: skip
"""A colour in each sixth of the circle."""
GREY: Final = (
    (0.2, 0.9, 0.2),
    (0, 0.3, 0),
    (1, 0, 0.5),
    (0, 0.2, 0.7),
    (0.5, 0.5, 0.5),
    (1, 1, 0.2),
    (0.2, 1, 1),
    (1, 0.2, 1),
    (0, 0, 0),
)
"""Colours with ties."""


def adjusted() -> Iterator[Case]:
    """Factors and rotations, types and shapes."""
    for name, numbers in (
        ("AdjustContrastv2", (0.3, 1.7, -1.0)),
        ("AdjustHue", (0.3, -0.4, 7.3, 0.0)),
        ("AdjustSaturation", (0.3, 1.2, 4.0, -1.0)),
    ):
        x = values("float", *PLAIN).reshape(1, 2, 3, 3)
        for number in numbers:
            yield Case(name, (x, np.float32(number)), smooth=number >= 0)
            yield Case(name, (values("float", *ODD, *GREY).reshape(-1, 1, 1, 3), np.float32(number)), smooth=False)
        yield Case(name, (x, np.float32(np.nan)), smooth=False)
        yield Case(name, (x.astype(np.float16), np.float32(0.3)), differs=NARROW)
        yield Case(name, (x[0], np.float32(0.65)))
        for shape in ((0, 2, 3), (2, 2, 0, 3)):
            yield Case(name, (sample("float", shape), np.float32(0.3)))
        yield Case(name, (x[0, 0], np.float32(0.3)), fails=True)
        yield Case(name, (x, values("float", 0.3)), fails=True)
    infinite = values("float", *[np.inf] * 3, *[-np.inf] * 5, np.nan).reshape(3, 1, 1, 3)
    for number in (0.1, 0.8):
        yield Case("AdjustHue", (infinite, np.float32(number)), smooth=False)
    yield Case("AdjustContrastv2", (sample("float", (2, 3, 2, 1)), np.float32(0.3)))
    for name in ("AdjustHue", "AdjustSaturation"):
        yield Case(name, (sample("float", (2, 2, 4)), np.float32(0.3)), fails=True)


def converted() -> Iterator[Case]:
    """Types and shapes, ties, what is not finite, what is out of range."""
    for name in ("RGBToHSV", "HSVToRGB"):
        differs = MORE if name == "HSVToRGB" else ""
        for dtype in FLOATING:
            rtol = 4e-3 if dtype == "half" else 3e-2 if dtype == "bfloat16" else None
            plain = values(dtype, *PLAIN)
            yield Case(name, (plain.reshape(2, 3, 3),), gradient_differs=differs, rtol=rtol)
            yield Case(name, (values(dtype, *GREY),), smooth=False, gradient_differs=differs, rtol=rtol)
        for dtype in ("float", "double"):
            yield Case(name, (values(dtype, *ODD),), smooth=False, gradient_differs=differs or INFINITE)
        yield Case(name, (values("double", 0.3, 0.2, 0.7),), gradient_differs=differs)
        yield Case(name, (sample("double", (0, 3)),), gradient_differs=differs)
        for shape in ((), (2, 4), (2, 0)):
            yield Case(name, (sample("float", shape),), fails=True)


CASES: list[Case] = [*adjusted(), *converted()]
