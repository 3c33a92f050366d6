"""Cases of `ops/hashing.yaml`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from support.case import Case
from support.samples import ALL, sample, strings, values

LENGTHS = (1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 200)
"""Numbers of bytes for which the formula differs."""
METHOD = np.array(b"farmhash64", object)


def fingerprints() -> Iterator[Case]:
    """Every type and length, strings, rows of several strings, empty rows, and what is refused."""
    op = "Fingerprint"
    yield from (Case(op, (sample(dtype, (3, 5)), METHOD)) for dtype in ALL)
    yield from (Case(op, (sample("uint8", (2, length), high=255), METHOD)) for length in LENGTHS)
    yield Case(op, (sample("float", (2, 3, 4)), METHOD))
    texts = ("", "a", "", *("abcdefghij" * 20)[:7:2], "hello", "world", "x" * 70)
    yield Case(op, (strings(*texts), METHOD))
    yield Case(op, (strings("a", "")[:, None], METHOD))
    yield Case(op, (strings("a", "b", "", "c").reshape(2, 2), METHOD))
    yield Case(op, (strings("a", "b", "", "c", "d", "e").reshape(2, 3, 1), METHOD))
    yield from (Case(op, (sample("float", shape), METHOD)) for shape in ((0, 2), (2, 0), (0,)))
    yield Case(op, (strings(), METHOD))
    yield Case(op, (np.zeros((2, 0), object), METHOD), differs="TensorFlow's result is undefined.")
    yield Case(op, (np.float32(1), METHOD), fails=True)
    yield Case(op, (values("int32", 1), np.array(b"md5", object)), fails=True)
    yield Case(op, (values("int32", 1), strings("farmhash64")), fails=True)


CASES: list[Case] = [*fingerprints()]
