"""Cases of `ops/debugging.yaml`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from support.case import Case
from support.samples import FLOATING, ints, sample, strings, values


def numerics() -> Iterator[Case]:
    """Every type, empty arrays, and what is not finite."""
    op, message = "CheckNumericsV2", {"message": "layer 1"}
    for dtype in FLOATING:
        yield Case(op, (sample(dtype, (2, 3)),), message)
        yield Case(op, (values(dtype, 1, np.nan, -np.inf),), message, fails=True)
    yield from (Case(op, (sample("double", shape),), message) for shape in ((), (0, 2)))
    yield Case(op, (np.float32(np.inf),), message, fails=True)


def assertions() -> Iterator[Case]:
    """True and false conditions with values of several types, and what is no condition."""
    op, data = "Assert", (sample("float", (2, 3)), strings("a"), np.int32(2))
    yield Case(op, (np.bool_(True), data))
    yield Case(op, (np.bool_(True), data[:1]), {"summarize": -1})
    for summarize in (-1, 0, 3):
        yield Case(op, (np.bool_(False), data), {"summarize": summarize}, fails=True)
    yield Case(op, (np.array([True]), data), fails=True)
    yield Case(op, (np.bool_(True), ()), fails=True)
    yield Case(op, (np.int32(1), (ints(1),)), fails=True)


def prints() -> Iterator[Case]:
    """Streams, and what cannot be printed; what is printed has tests of its own."""
    op, text = "PrintV2", np.array(b"text", object)
    for stream in ("stderr", "stdout", "log(info)", "log(warning)", "log(error)"):
        yield Case(op, (text,), {"output_stream": stream})
    yield Case(op, (text,), {"end": ""})
    for stream in ("log(fatal)", "", "file:///no such folder/file"):
        yield Case(op, (text,), {"output_stream": stream}, fails=True)
    yield Case(op, (strings("a"),), fails=True)
    yield Case(op, (np.int32(1),), fails=True)


CASES: list[Case] = [
    *numerics(),
    *assertions(),
    *prints(),
    Case("Timestamp", differs="It is another time."),
]
