"""Cases of `ops/variable_rows.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from support.case import Case, Var
from support.samples import COMPLEX, NUMBER, REAL, sample, strings, values

SPECIAL = (np.nan, 1.0, -0.0, np.inf)
"""Floating-point numbers, with some that are neither smaller nor larger than others."""


def writes(op: str, dtypes: tuple[str, ...]) -> Iterator[Case]:
    """Every dtype, rows named several times, updates of every shape, and what does not fit."""
    indices = np.array([2, 0, 2], np.int32)
    for dtype in dtypes:
        yield Case(op, (Var(sample(dtype, (3, 2))), indices, sample(dtype, (3, 2), 1, 3, gap=1, seed=1)))
    variable, updates = Var(sample("float", (3, 2))), sample("float", (3, 2), seed=1)
    yield Case(op, (variable, indices.astype(np.int64), updates))
    yield Case(op, (variable, indices, np.float32(1.5)))
    yield Case(op, (variable, np.int32(1), updates[0]))
    yield Case(op, (Var(sample("float", (3,))), np.array([[0, 1], [0, 2]], np.int32), sample("float", (2, 2))))
    yield Case(op, (variable, np.zeros(0, np.int32), updates[:0]))
    five, zeros = values("int32", 0, 1, 2, 3, 1), values("float", 1, np.nan, 0, 2, 0)
    yield Case(op, (Var(values("float", *SPECIAL)), five, zeros), fails=op == "ResourceScatterDiv")
    yield Case(op, (Var(values("int8", 100, -128)), values("int32", 0, 1), values("int8", 100, -1)))
    yield from (Case(op, (variable, values("int32", wrong), updates[:1]), fails=True) for wrong in (3, -1))
    yield Case(op, (variable, indices, sample("float", (3,))), fails=True)
    yield Case(op, (variable, indices, sample("double", (3, 2))), fails=True)
    yield Case(op, (Var(sample("float", ())), values("int32", 0), values("float", 1)), fails=True)
    yield Case(op, (Var(None), indices, updates), fails=True)


def divisions() -> Iterator[Case]:
    """Integers are truncated, and nothing is divided by zero."""
    op, indices = "ResourceScatterDiv", values("int64", 0, 1, 1, 3)
    for dtype in ("int32", "int64", "int8"):
        yield Case(op, (Var(values(dtype, 7, -7, 5, -100)), indices, values(dtype, -2, 2, -3, -1)))
    yield Case(op, (Var(values("float", *SPECIAL)), indices, values("float", 2, np.nan, np.inf, -2)))
    yield Case(op, (Var(values("int32", 7, -7)), values("int32", 0), values("int32", 0)), fails=True)
    yield Case(op, (Var(values("float", 7, -7)), values("int32", 0), np.float32(0)), fails=True)
    yield Case(op, (Var(values("float", 7, -7)), values("int32"), np.float32(0)), fails=True)


def gathers() -> Iterator[Case]:
    """Every dtype, indices of every shape, batches, and indices out of range."""
    op, table = "ResourceGather", Var(sample("double", (2, 3, 4)))
    for dtype in (*NUMBER, "bool"):
        yield Case(op, (Var(sample(dtype, (3, 2))), values("int32", 2, 0, 2)), {"dtype": dtype})
    yield Case(op, (Var(strings("a", "b")), values("int64", 1)), {"dtype": "string"})
    yield Case(op, (Var(strings("a", "b")), np.int64(1)), {"dtype": "string"})

    def gather(indices: Any, batch: int = 0, *, fails: bool = False) -> Case:
        return Case(op, (table, np.array(indices, np.int32)), {"dtype": "double", "batch_dims": batch}, fails=fails)

    yield from (gather(indices) for indices in (1, [], [[0, 1], [1, 1]], np.zeros((2, 0, 3))))
    yield from (
        gather(indices, 1) for indices in ([1, 0], [[1, 0], [2, 2]], [[[1], [0]], [[2], [2]]], np.zeros((2, 0)))
    )
    yield gather([[[1], [0], [3]], [[2], [2], [0]]], 2)
    yield gather([[3, 0, 1], [2, 2, 0]], 2)
    yield from (gather(indices, fails=True) for indices in ([2], [-1]))
    for wrong in ([3, 0], [[[1, 0], [2, 2]]]):
        inputs = table, np.array(wrong, np.int32)
        yield Case(op, inputs, {"dtype": "double", "batch_dims": 1}, fails=True, differs="TensorFlow does not check.")
    yield gather([[1, 0], [3, 2]], 1, fails=True)
    yield gather([[1, 0], [0, 1]], -1, fails=True)
    yield gather(1, 1, fails=True)
    yield gather([0, 1], 2, fails=True)
    yield gather([0, 1, 2], 1, fails=True)
    yield gather(np.zeros((2, 3, 4)), 3, fails=True)
    yield Case(op, (Var(sample("double", ())), values("int32", 0)), {"dtype": "double"}, fails=True)
    yield Case(op, (table, values("int32", 0)), {"dtype": "float"}, fails=True)
    yield Case(op, (Var(None), values("int32", 0)), {"dtype": "float"}, fails=True)


CASES: list[Case] = [
    *gathers(),
    *writes("ResourceScatterUpdate", (*NUMBER, "bool")),
    Case("ResourceScatterUpdate", (Var(strings("a", "b")), values("int32", 0, 0), strings("c", "d"))),
    *(case for kind in ("Add", "Sub", "Mul", "Div") for case in writes(f"ResourceScatter{kind}", NUMBER)),
    *divisions(),
    *(case for kind in ("Min", "Max") for case in writes(f"ResourceScatter{kind}", REAL)),
    *(
        Case(f"ResourceScatter{kind}", (Var(sample(dtype, (3,))), values("int32", 0), sample(dtype, (1,))), fails=True)
        for kind in ("Min", "Max")
        for dtype in COMPLEX
    ),
]
