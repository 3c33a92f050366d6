"""Cases of `ops/fused_convolution.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from support.case import Case
from support.recording import Array
from support.samples import ints, sample

SEVERAL: Final = "TensorFlow's results for the second image are not what its MirrorPad and Conv2D give."
MISSING: Final = "TensorFlow has no kernel for bfloat16."


def widths(rows: tuple[int, int], columns: tuple[int, int], outer: tuple[int, int] = (0, 0)) -> Array:
    """Paddings of rows and columns."""
    return np.array([outer, rows, columns, (0, 0)], np.int32)


def attributes(mode: str, stride: int, padding: str) -> dict[str, Any]:
    """The mirror and the slide."""
    return {"mode": mode, "strides": [1, stride, 1, 1], "padding": padding}


def convolutions() -> Iterator[Case]:
    """Mirrors, strides and paddings, types, and what does not fit."""
    filters = sample("double", (2, 2, 2, 3), -1, 1)
    for mode, stride, padding in (("REFLECT", 1, "VALID"), ("SYMMETRIC", 2, "SAME"), ("REFLECT", 2, "SAME")):
        attrs, around = attributes(mode, stride, padding), widths((1, 0), (1, 2))
        yield Case("FusedPadConv2D", (sample("double", (1, 3, 3, 2)), around, filters), attrs)
        yield Case("FusedPadConv2D", (sample("double", (2, 3, 3, 2)), around, filters), attrs, differs=SEVERAL)
        for size in ((4, 3), (2, 5)):
            inputs: tuple[Any, ...]
            inputs = sample("float", (1, 3, 3, 2)), ints(*size), widths((1, 0), (1, 1)), filters.astype(np.float32)
            for align in (False, True):
                yield Case("FusedResizeAndPadConv2D", inputs, {**attrs, "resize_align_corners": align}, rtol=1e-5)
    plain = attributes("REFLECT", 1, "VALID")
    for dtype in ("bfloat16", "half", "float"):
        inputs = sample(dtype, (1, 3, 3, 2)), widths((1, 1), (0, 1)), filters.astype(sample(dtype, ()).dtype)
        rtol = {"half": 1e-2, "bfloat16": 5e-2}.get(dtype)
        yield Case("FusedPadConv2D", inputs, plain, rtol=rtol, differs=MISSING if dtype == "bfloat16" else "")
    for dtype in ("half", "double"):
        x = sample(dtype, (1, 2, 2, 2))
        rtol = 1e-2 if dtype == "half" else None
        inputs = x, ints(3, 4), widths((1, 1), (0, 1)), filters.astype(x.dtype)
        yield Case("FusedResizeAndPadConv2D", inputs, plain, rtol=rtol, smooth=False)
    x, few, good = sample("float", (1, 3, 3, 2)), filters.astype(np.float32), widths((1, 1), (1, 1))
    for wrong in (
        (x[0], good, few),
        (x, good[:3], few),
        (x, widths((3, 0), (0, 0)), few),
        (x, widths((0, 0), (-1, 0)), few),
        (x, widths((0, 0), (0, 0), (1, 0)), few),
        (x, good, few[:, :, :1, 0]),
    ):
        yield Case("FusedPadConv2D", wrong, plain, fails=True)
    for wrong_size in (ints(0, 2), ints(2)):
        yield Case("FusedResizeAndPadConv2D", (x, wrong_size, good, few), plain, fails=True)


CASES: list[Case] = list(convolutions())
