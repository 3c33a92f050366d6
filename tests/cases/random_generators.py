"""Cases of `ops/random_generators.yaml`: what is drawn is TensorFlow's, and so is the state afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

from cases.stateless_random import INTEGERS, TWO_ULPS
from support.case import Case, Var
from support.recording import Array
from support.samples import FLOATING, values

STATES: Final = (values("int64", 3, -5, 7), values("int64", -2, -1, -(2**63)), values("int64", 1, 2, 3, 4, 5))
"""In the second one the counter overflows; in the last one, only three elements count."""
PHILOX: Final = np.int64(1)


def source(state: Array = STATES[0], algorithm: Any = PHILOX) -> tuple[Any, ...]:
    """The variable and the algorithm."""
    return Var(state), algorithm


def sizes(*numbers: int, dtype: str = "int32") -> Array:
    """A shape."""
    return values(dtype, *numbers)


def refused(op: str, rest: tuple[Any, ...], attrs: Mapping[str, Any]) -> Iterator[Case]:
    """Algorithms, and variables that hold no state."""
    for algorithm in (np.int64(0), np.int64(2), values("int64", 1)):
        yield Case(op, (*source(algorithm=algorithm), *rest), attrs, fails=True)
    for state in (values("int64", 1, 2), values("int32", 1, 2, 3), np.ones((1, 3), np.int64)):
        yield Case(op, (*source(state), *rest), attrs, fails=True)


def skips() -> Iterator[Case]:
    """Back and forth, and further than the counter's first half reaches."""
    for state in STATES:
        for delta in (0, 1, -1, 2**62 + 1, 2**54 - 1):
            yield Case("RngSkip", (*source(state), np.int64(delta)))
    yield Case("RngSkip", (*source(algorithm=np.int64(3)), np.int64(1)))
    yield from refused("RngSkip", (np.int64(1),), {})
    yield Case("RngSkip", (*source(), values("int64", 1)), fails=True)
    op = "RngReadAndSkip"
    for state in STATES[:2]:
        for delta in (0, 1, 2**63, 2**54 - 1):
            yield Case(op, (Var(state), np.int32(1), values("uint64", delta)[0]))
    for algorithm in (np.int32(0), np.int32(2), values("int32", 1)):
        yield Case(op, (Var(STATES[0]), algorithm, np.uint64(1)), fails=True)
    yield Case(op, (Var(values("int64", 1, 2)), np.int32(1), np.uint64(1)), fails=True)
    yield Case(op, (Var(STATES[0]), np.int32(1), values("uint64", 1)), fails=True)


def draws(op: str, dtypes: tuple[str, ...], ulps: Mapping[str, float | None]) -> Iterator[Case]:
    """Every type, both types of shapes, no elements, and states that overflow."""
    for dtype in dtypes:
        for shape in ((3, 3), (0,)):
            yield Case(op, (*source(), sizes(*shape)), {"dtype": dtype}, rtol=ulps[dtype])
        yield Case(op, (*source(STATES[1]), sizes(9, dtype="int64")), {"dtype": dtype}, rtol=ulps[dtype])
    yield Case(op, (*source(STATES[2], np.int64(3)), sizes(2)), {"dtype": dtypes[-1]}, rtol=ulps[dtypes[-1]])
    yield Case(op, (*source(), np.int32(2)), {"dtype": dtypes[-1]}, fails=True)
    yield Case(op, (*source(), sizes(-1)), {"dtype": dtypes[-1]}, fails=True)
    yield from refused(op, (sizes(2),), {"dtype": dtypes[-1]})


def integers() -> Iterator[Case]:
    """Narrow ranges and the widest, and those that leave nothing to draw."""
    op = "StatefulUniformInt"
    for dtype in ("int32", "int64"):
        limits = np.iinfo(dtype)
        for low, high in ((0, 7), (-3, 1000), (limits.min, limits.max)):
            yield Case(op, (*source(), sizes(3, 3), values(dtype, low)[0], values(dtype, high)[0]))
    for high in (5, 3):
        for shape in ((2,), (0,)):
            yield Case(op, (*source(), sizes(*shape), np.int64(5), np.int64(high)), fails=True)
    yield Case(op, (*source(), sizes(2), values("int64", 1), np.int64(3)), fails=True)
    yield from refused(op, (sizes(2), np.int64(0), np.int64(5)), {})


def binomial() -> Iterator[Case]:
    """Both methods, and what is no shape, state or algorithm."""
    op, lost = (
        "StatefulRandomBinomial",
        "TensorFlow writes the new state to the memory of the constant that was assigned",
    )
    for dtype in ("half", "float", "double"):
        counts, probs = values(dtype, 3, 50)[:, None], values(dtype, 0.1, 0.5, 0.9)
        yield Case(op, (*source(STATES[1]), sizes(2, 2, 3), counts, probs), differs=lost)
    yield Case(op, (*source(), sizes(0), np.float64(30), np.float64(0.4)), {"dtype": "float"}, differs=lost)
    yield Case(op, (*source(), sizes(2, 0), np.zeros(0), np.float64(0.4)))
    only = "TensorFlow knows algorithm 3 in the other operations only"
    yield Case(op, (*source(algorithm=np.int64(3)), sizes(2), np.float64(9), np.float64(0.4)), differs=only)
    yield Case(op, (*source(), sizes(3), np.ones(2), np.float64(0.4)), fails=True)
    yield from refused(op, (sizes(2), np.float64(10), np.float64(0.4)), {})


CASES: list[Case] = [
    *skips(),
    *draws("StatefulUniform", FLOATING, dict.fromkeys(FLOATING, 0.0)),
    *draws("StatefulStandardNormalV2", FLOATING, TWO_ULPS),
    *draws("StatefulTruncatedNormal", FLOATING, TWO_ULPS),
    *draws("StatefulUniformFullInt", INTEGERS, dict.fromkeys(INTEGERS)),
    *integers(),
    *binomial(),
    *(Case("NonDeterministicInts", (sizes(2, 3),), {"dtype": dtype}) for dtype in INTEGERS),
    Case("NonDeterministicInts", (sizes(0, dtype="int64"),)),
    Case("NonDeterministicInts", (np.int32(2),), fails=True),
]
