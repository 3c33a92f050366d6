"""Cases of `ops/matmul.yaml`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from support.case import Case
from support.samples import COMPLEX, FLOATING, sample, values

MULTIPLIED = (*FLOATING, "int32", "int64", *COMPLEX)
"""The types that TensorFlow multiplies matrices of on a CPU."""


def matrices() -> Iterator[Case]:
    """Products with all transpositions, every type, empty and refused shapes."""
    for ta in (False, True):
        for tb in (False, True):
            for dtype in ("double", "complex128"):
                a = sample(dtype, (3, 2) if ta else (2, 3))
                b = sample(dtype, (4, 3) if tb else (3, 4), seed=1)
                yield Case("MatMul", (a, b), {"transpose_a": ta, "transpose_b": tb})
    yield from (
        Case("MatMul", (sample(d, (2, 3)), sample(d, (3, 2), seed=1))) for d in (*MULTIPLIED, "uint8", "uint16")
    )
    yield from (
        Case("MatMul", (sample("double", a), sample("double", b)))
        for a, b in (((0, 3), (3, 2)), ((2, 0), (0, 3)), ((2, 3), (3, 0)), ((1, 1), (1, 1)))
    )
    yield Case("MatMul", (values("float", np.nan, 1)[None], values("float", 0, 2)[:, None]), smooth=False)
    # A sum of 4096 halves, which a running total in half precision would round badly.
    yield Case("MatMul", (np.full((1, 4096), 0.1, np.float16), np.ones((4096, 1), np.float16)))
    yield from (
        Case("MatMul", (sample("float", a), sample("float", b)), fails=True)
        for a, b in (((2, 3), (2, 3)), ((3,), (3, 2)), ((2, 3), (3,)), ((1, 2, 3), (3, 2)), ((), (1, 1)))
    )


UNARY = (
    ("->", ()),
    ("ij->ij", (2, 3)),
    ("ij->ji", (2, 3)),
    ("ij->j", (2, 3)),
    ("ij->", (2, 3)),
    ("iJ1->1iJ", (2, 3, 2)),
    ("ii->i", (3, 3)),
    ("ii->", (3, 3)),
    ("i->ii", (3,)),
    ("ii->ii", (3, 3)),
    ("iii->", (2, 2, 2)),
    ("iij->jii", (3, 3, 2)),
    ("iijj->ij", (2, 2, 3, 3)),
    ("iijk->jjk", (2, 2, 3, 2)),
    ("...->...", (2, 3)),
    ("...i->i...", (2, 3, 2)),
    ("...i->...", (2, 3)),
    ("a...b->...", (2, 4, 3)),
    ("...ii->...i", (2, 3, 3)),
    ("...i->...ii", (2, 3)),
    ("a...a->...", (2, 3, 2)),
    ("i->...i", (3,)),
    ("...i->i", (3,)),
    ("ij->i", (0, 3)),
    ("ij->i", (3, 0)),
    ("ii->", (0, 0)),
    ("i j->j i", (2, 1, 3)),
)

BINARY = (
    (",->", (), ()),
    (",i->i", (), (2,)),
    ("i,i->", (3,), (3,)),
    ("i,i->i", (3,), (3,)),
    ("i,j->ij", (2,), (3,)),
    ("i,j->ji", (2,), (3,)),
    ("i,j->", (2,), (3,)),
    ("ij,jk->ik", (2, 3), (3, 4)),
    ("ij,kj->ki", (2, 3), (4, 3)),
    ("ij,j->i", (2, 3), (3,)),
    ("ij,jk->k", (2, 3), (3, 2)),
    ("ij,kl->jl", (2, 3), (2, 2)),
    ("bij,bjk->bik", (2, 2, 3), (2, 3, 2)),
    ("bij,bjk->ik", (2, 2, 3), (2, 3, 2)),
    ("ijk,jil->kjil", (2, 3, 2), (3, 2, 2)),
    ("abc,cbd->", (2, 3, 2), (2, 3, 2)),
    ("...ij,...jk->...ik", (3, 1, 2, 3), (2, 3, 2)),
    ("...ij,jk->...ik", (2, 2, 3), (3, 2)),
    ("...,...->...", (2, 3), (3,)),
    ("...,...->...", (2, 1, 3), (2, 1)),
    ("...a,a...->...", (3, 2), (2, 3)),
    ("...a,a...->...a", (2, 3), (3, 2)),
    ("a...,a...->...", (2, 1, 3), (2, 4, 1)),
    ("i...j,j->i...", (2, 2, 3), (3,)),
    ("...,i->i...", (2,), (3,)),
    ("a...,b->ab...", (2, 3), (3,)),
    ("ab,bc->...ac", (2, 3), (3, 2)),
    ("...ab,bc->ac", (2, 3), (3, 2)),
    ("...i,...->...", (2, 1, 2), (3,)),
    ("...i,j->...", (1, 2), (3,)),
    ("iij,jj->i", (2, 2, 3), (3, 3)),
    ("ii,jj->ij", (2, 2), (3, 3)),
    ("i,i->ii", (3,), (3,)),
    ("ab,b->aab", (2, 3), (3,)),
    ("aab,b->", (2, 2, 3), (3,)),
    ("...ii,i...->...i", (2, 3, 3), (3, 2)),
    ("ab,bc->ac", (2, 0), (0, 3)),
    ("abc,cd->abd", (2, 0, 3), (3, 2)),
    ("ab,ab->ab", (2, 0), (2, 0)),
)

REFUSED = (
    ("ij,jk", ((2, 3), (3, 4))),
    ("", ((),)),
    ("ij->ij->ij", ((2, 3),)),
    ("ij->k", ((2, 3),)),
    ("i,i->ij", ((2,), (2,))),
    ("...->...a", ((2,),)),
    ("i-> i", ((3,),)),
    ("ij,jk,kl->il", ((2, 3), (3, 2), (2, 2))),
    ("i..->i", ((2, 3),)),
    ("a.b->ab", ((2, 3),)),
    ("...i...->", ((2,),)),
    ("...i...->i", ((2, 3, 4),)),
    ("ij->i", ((2,),)),
    ("ij->i", ((2, 3, 4),)),
    ("->", ((2,),)),
    ("...ij->...", ((2,),)),
    ("ij,jk->ik", ((2, 3),)),
    ("ij->i", ((2, 3), (2, 3))),
    ("ij,jk->ik", ((2, 3), (2, 3))),
    ("ii->i", ((2, 3),)),
    ("i,i->i", ((1,), (3,))),
    ("ij,ij->ij", ((1, 3), (2, 3))),
    ("...,...->...", ((2, 3), (2,))),
    ("...ij,...jk->ik", ((5, 1, 2, 3), (4, 3, 2))),
    ("i...->i", ((2, 3),)),
    ("...->", ((2, 3),)),
)


def einsums() -> Iterator[Case]:
    """Equations of every kind, then types, then what is refused."""

    def case(equation: str, *shapes: tuple[int, ...], dtype: str = "double", fails: bool = False) -> Case:
        inputs = tuple(sample(dtype, shape, seed=i) for i, shape in enumerate(shapes))
        return Case("Einsum", (inputs,), {"equation": equation}, fails=fails)

    yield from (case(equation, shape) for equation, shape in UNARY)
    yield from (case(equation, a, b) for equation, a, b in BINARY)
    for dtype in MULTIPLIED:
        yield case("ij,jk->ki", (2, 3), (3, 2), dtype=dtype)
        yield case("ij->i", (2, 3), dtype=dtype)
        yield case("ii->ii", (2, 2), dtype=dtype)
    yield from (
        case(equation, (2, 2, 3), (2, 3, 2), dtype="complex128") for equation in ("...ij,...jk->...ik", "bij,bjk->bb")
    )
    special = np.array([[np.nan, np.inf], [1, -np.inf]])
    yield from (Case("Einsum", ((special,),), {"equation": e}, smooth=False) for e in ("ij->i", "ii->ii", "ij->iij"))
    # A sum of 4096 halves.
    halves = (np.full((1, 4096), 0.1, np.float16), np.ones((4096, 1), np.float16))
    yield Case(
        "Einsum", (halves,), {"equation": "ij,jk->ik"}, differs="TensorFlow keeps the running total in half precision."
    )
    yield from (case(equation, *shapes, fails=True) for equation, shapes in REFUSED)
    yield Case("Einsum", ((sample("bool", (2, 2)),),), {"equation": "ij->j"}, fails=True)


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

REFUSED_BATCHES = (((2, 3), (2, 3)), ((3,), (3, 2)), ((2, 3), (3,)), ((), ()), ((5, 2, 3), (4, 3, 2)))


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
    yield from (
        Case(op, (sample("float", a), sample("float", b)), {"Tout": "float"}, fails=True) for a, b in REFUSED_BATCHES
    )
    for left, right, out in (
        ("float", "float", "int32"),
        ("complex64", "float", "complex64"),
        ("complex64", "complex64", "float"),
    ):
        yield Case(op, (sample(left, (2, 3)), sample(right, (3, 2))), {"Tout": out}, fails=True)


def cross_products() -> Iterator[Case]:
    """Every type, an empty batch, and what is refused."""
    for dtype in (*FLOATING, "int32", "int64"):
        yield Case("Cross", (sample(dtype, (2, 3)), sample(dtype, (2, 3), seed=1)))
    yield Case("Cross", (sample("double", (0, 3)), sample("double", (0, 3))))
    for a, b in (((3,), (2, 3)), ((2, 2), (2, 2)), ((), ())):
        yield Case("Cross", (sample("double", a), sample("double", b)), fails=True)


CASES: list[Case] = [
    *matrices(),
    *products(),
    *einsums(),
    *cross_products(),
]
