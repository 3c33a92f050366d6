"""Cases of `ops/data_format.yaml`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from support.case import Case
from support.samples import ints

FORMATS = (("NHWC", "NCHW"), ("NCHW", "NHWC"), ("NHWC", "HWNC"), ("NHWC", "NCWH"), ("ABCD", "DCBA"))
FIVE = (("NDHWC", "NCDHW"), ("NCDHW", "NDHWC"), ("NDHWC", "NCWHD"))


def axes() -> Iterator[Case]:
    """Axes from both ends and beyond, in all shapes and formats, and formats that are refused."""
    for src, dst in (*FORMATS, *FIVE):
        yield Case("DataFormatDimMap", (np.arange(-4, 6, dtype=np.int32),), {"src_format": src, "dst_format": dst})
    for x in (np.int64(3), np.array([[3, 1], [0, -1]]), np.zeros((0, 2), np.int32)):
        yield Case("DataFormatDimMap", (x,))
    yield Case("DataFormatDimMap", (ints(-6),), differs="TensorFlow takes it for the last axis.")
    for src, dst in (("NHWC", "NCDHW"), ("ABC", "CBA"), ("AABC", "CBAA"), ("NHWC", "NCXY"), ("NHWCXY", "XYNHWC")):
        yield Case("DataFormatDimMap", (ints(0, 1),), {"src_format": src, "dst_format": dst}, fails=True)
        yield Case("DataFormatVecPermute", (ints(0, 1, 2, 3),), {"src_format": src, "dst_format": dst}, fails=True)


def permutations() -> Iterator[Case]:
    """Vectors and matrices, for all dimensions or the spatial ones, and what does not fit."""
    for formats, rank in ((FORMATS, 4), (FIVE, 5)):
        for src, dst in formats:
            attrs = {"src_format": src, "dst_format": dst}
            for count in (rank, rank - 2) if "H" in src else (rank,):
                yield Case("DataFormatVecPermute", (np.arange(1, count + 1, dtype=np.int32),), attrs)
                yield Case("DataFormatVecPermute", (np.arange(2 * count).reshape(count, 2),), attrs)
    for x in (ints(1, 2, 3), ints(), np.int32(1), np.zeros((4, 3), np.int32), np.zeros((4, 0), np.int32)):
        yield Case("DataFormatVecPermute", (x,), fails=True)
    yield Case("DataFormatVecPermute", (np.zeros((4, 2, 1), np.int32),), fails=True)
    for src, dst in (("ABCD", "DCBA"), ("NHXC", "NCHX")):
        yield Case("DataFormatVecPermute", (ints(1, 2),), {"src_format": src, "dst_format": dst}, fails=True)


CASES: list[Case] = [*axes(), *permutations()]
