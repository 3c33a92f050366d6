"""Cases of `ops/train.yaml`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from support.case import Case, Var
from support.samples import COMPLEX, FLOATING, NUMBER, SIGNED, sample, strings, values

PRODUCTS = (
    ((2, 3), (3, 2)),
    ((3, 2, 3), (3, 2)),
    ((2, 3), (3, 3, 2)),
    ((3, 1, 2, 3), (2, 3, 1)),
    ((1, 2, 3), (4, 3, 2)),
    ((2, 1, 1, 2), (1, 3, 2, 1)),
    ((0, 2, 3), (3, 2)),
    ((2, 0), (0, 3)),
    ((2, 2, 0), (0, 2)),
)
REFUSED = (((2, 3), (2, 3)), ((3,), (3, 2)), ((2, 3), (3,)), ((), ()), ((5, 2, 3), (4, 3, 2)))


def products() -> Iterator[Case]:
    """Batches that broadcast, adjoints, every type alone and mixed."""
    op = "BatchMatMulV3"
    for a, b in PRODUCTS:
        yield Case(op, (sample("double", a), sample("double", b, seed=1)), {"Tout": "double"})
    for adj_x in (False, True):
        for adj_y in (False, True):
            for dtype in ("double", "complex128"):
                x = sample(dtype, (2, 1, 3, 2) if adj_x else (2, 1, 2, 3))
                y = sample(dtype, (2, 1, 3) if adj_y else (2, 3, 1), seed=1)
                yield Case(op, (x, y), {"Tout": dtype, "adj_x": adj_x, "adj_y": adj_y})
    for dtype in (*FLOATING, "int16", "int32", "int64", *COMPLEX):
        yield Case(op, (sample(dtype, (2, 2, 3)), sample(dtype, (3, 2), seed=1)), {"Tout": dtype})
    for left, right, out in (
        ("int8", "int8", "int32"),
        ("uint8", "int8", "int32"),
        ("int8", "uint8", "int32"),
        ("uint8", "uint8", "int32"),
        ("bfloat16", "int8", "bfloat16"),
        ("uint8", "bfloat16", "bfloat16"),
        ("float", "float", "double"),
        ("half", "float", "float"),
        ("complex64", "complex64", "complex128"),
        ("double", "double", "float"),
    ):
        yield Case(op, (sample(left, (2, 3)), sample(right, (2, 3, 2), seed=1)), {"Tout": out})
    yield from (Case(op, (sample("float", a), sample("float", b)), {"Tout": "float"}, fails=True) for a, b in REFUSED)
    for left, right, out in (
        ("float", "float", "int32"),
        ("complex64", "float", "complex64"),
        ("complex64", "complex64", "float"),
    ):
        yield Case(op, (sample(left, (2, 3)), sample(right, (3, 2))), {"Tout": out}, fails=True)


def steps() -> Iterator[Case]:
    """Steps of gradient descent: every type, empty and scalar variables, and steps that do not fit."""
    op = "ResourceApplyGradientDescent"
    for dtype in NUMBER:
        value = sample(dtype, (2, 3), high=9)
        yield Case(op, (Var(value), value.dtype.type(2), sample(dtype, (2, 3), seed=1)))
    for shape in ((), (0, 3)):
        yield Case(op, (Var(sample("double", shape)), np.float64(0.5), sample("double", shape, seed=1)))
    variable = Var(sample("float", (2, 3)))
    delta = sample("float", (2, 3), seed=1)
    yield Case(op, (variable, values("float", 0.5), delta), fails=True)
    yield Case(op, (variable, np.float32(0.5), delta[0]), fails=True)
    yield Case(op, (variable, np.float64(0.5), delta.astype(np.float64)), fails=True)
    yield Case(op, (Var(None), np.float32(0.5), delta), fails=True)


CASES: list[Case] = [
    *(Case("PreventGradient", (sample(dtype, (2,)),), {"message": "not yet"}) for dtype in ("float", *SIGNED, "bool")),
    Case("PreventGradient", (strings("a", "b"),)),
    *products(),
    *steps(),
]
