"""Cases of `ops/sparse_sets.yaml`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from support.case import Case
from support.recording import Array
from support.samples import ALL, sample, strings, values

RUNS = "TensorFlow counts the last run of neighbouring indices only."
NOTHING = "TensorFlow refuses a result without elements."


def sparse(indices: Sequence[Sequence[int]], elements: Array, *shape: int) -> tuple[Array, Array, Array]:
    """A sparse array: indices, values and shape."""
    return np.array(indices, np.int64).reshape(len(indices), len(shape)), elements, values("int64", *shape)


def sizes() -> Iterator[Case]:
    """Every type, sets of sets, empty ones, and indices that are refused."""
    op, places = "SetSize", [[0, 0], [0, 1], [1, 0]]
    for dtype in ("int8", "int16", "int32", "int64", "uint8", "uint16"):
        yield Case(op, sparse(places, values(dtype, 1, 1, 2), 2, 2))
    yield Case(op, sparse(places, strings("a", "b", "b"), 2, 3))
    yield Case(op, sparse([[0, 0, 0], [1, 1, 0], [1, 1, 1]], values("int32", 1, 2, 2), 2, 3, 2))
    yield from (Case(op, sparse([], values("int32"), *shape)) for shape in ((2, 2), (0, 2), (2, 0)))
    same = sparse([[0, 0], [0, 0]], values("int32", 1, 1), 2, 2)
    yield Case(op, same, fails=True)
    yield Case(op, same, {"validate_indices": False})
    one = values("int32", 1, 1)
    mixed = sparse([[0, 0], [1, 0], [0, 1]], values("int32", 1, 2, 3), 2, 2)
    yield Case(op, mixed, fails=True)
    yield Case(op, mixed, {"validate_indices": False}, differs=RUNS)
    for wrong in ([[0, 1], [0, 0]], [[0, 0], [0, 2]], [[0, 0], [2, 0]], [[0, -1], [0, 0]]):
        yield Case(op, sparse(wrong, one, 2, 2), fails=True)
    yield Case(op, sparse([[0], [1]], one, 3), fails=True)
    yield Case(op, sparse([[0, 0]], one, 2, 2), fails=True)
    indices, elements, _ = sparse([[0, 0], [0, 1]], one, 2, 2)
    yield Case(op, (indices, elements, values("int64", 2, 2, 2)), fails=True)
    yield Case(op, (indices, elements, values("int64", 2, -2)), fails=True)
    yield Case(op, (indices, elements, values("int64", 2, 2)[None]), fails=True)
    yield Case(op, (indices, elements[None], values("int64", 2, 2)), fails=True)
    yield Case(op, (indices[0], elements, values("int64", 2, 2)), fails=True)


def distances() -> Iterator[Case]:
    """Every type, sequences that only one side has, shapes that differ, and what is refused."""
    op, places = "EditDistance", [[0, 0], [0, 1], [1, 0]]

    def case(one: Any, other: Any, normalize: bool = True, **options: Any) -> Case:
        return Case(op, (*sparse(*one), *sparse(*other)), {"normalize": normalize}, **options)

    for dtype in ALL:
        yield case((places, values(dtype, 1, 0, 1), 2, 2), (places[:2], values(dtype, 1, 1), 2, 2))
    for normalize in (True, False):
        words = places, strings("a", "b", "c"), 2, 2
        yield case(words, ([[0, 0], [0, 1]], strings("b", "a"), 2, 3), normalize)
        yield case(([], values("int32"), 2, 2), (places, values("int32", 1, 2, 3), 2, 2), normalize)
        yield case((places, values("int32", 1, 2, 3), 2, 2), ([], values("int32"), 2, 2), normalize)
        yield case(([], values("int32"), 2, 2), ([], values("int32"), 3, 1), normalize)
        long = [[row, column] for row in range(3) for column in range(5)]
        one = long, sample("int32", (15,), 0, 2), 3, 5
        yield case(one, (long[:-2], sample("int32", (13,), 0, 2, seed=1), 3, 6), normalize)
    cube = [[0, 0, 0], [0, 1, 0], [1, 1, 1]]
    yield case((cube, values("int32", 1, 2, 3), 2, 2, 2), (cube[1:], values("int32", 2, 4), 2, 2, 2))
    nans = places, values("float", np.nan, 1, -0.0), 2, 2
    yield case(nans, (places, values("float", np.nan, 1, 0.0), 2, 2))
    yield case(([], values("int32"), 0, 2), ([], values("int32"), 0, 2), differs=NOTHING)
    two = places[:2], values("int32", 1, 2), 2, 2
    yield case(two, ([[0]], values("int32", 1), 3), fails=True)
    yield case(([[0]], values("int32", 1), 3), ([[0]], values("int32", 1), 3), fails=True)
    yield case(two, ([[0, 0, 0]], values("int32", 1), 2, 2, 2), fails=True)
    yield case(two, ([[2, 0]], values("int32", 1), 2, 2), fails=True)
    yield case(two, ([[-1, 0]], values("int32", 1), 2, 2), fails=True)
    yield case(two, ([[0, 0]], values("int32", 1, 2), 2, 2), fails=True)
    yield case(two, ([[0, 0]], values("int32", 1), 2, -2), fails=True)


CASES: list[Case] = [*sizes(), *distances()]
