"""Cases of `ops/banded.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

import numpy as np

from support.case import Case
from support.recording import Array
from support.samples import COMPLEX, sample, values

LOOSE: Final = {"half": 2e-2, "float": 1e-5, "complex64": 1e-5, "complex128": 1e-12}

Shapes: TypeAlias = tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
SHAPES: Final[Shapes] = (((2, 4), (4, 2)), ((3, 3), (3, 1)), ((1, 3), (3, 2)), ((2, 1, 2, 3), (3, 3, 1)))
REFUSED: Final[Shapes] = (
    ((1, 0), (0, 1)),
    ((0, 2), (2, 1)),
    ((1, 3), (2, 1)),
    ((2, 1), (1, 2)),
    ((1, 4, 3), (3, 2)),
    ((3,), (3, 1)),
    ((1, 2), (2, 0)),
    ((2, 1, 2), (3, 2, 1)),
)


def band(dtype: str, shape: tuple[int, ...], main: int) -> Array:
    """Diagonals of matrices that are far from singular."""
    x = sample(dtype, shape, -1, 1)
    x[..., main, :] += 3
    return x


def triangular() -> Iterator[Case]:
    """Both sides, adjoint or not, one diagonal and several, broadcasting, and what is refused."""
    op = "BandedTriangularSolve"
    for lower in (False, True):
        main = 0 if lower else -1
        for adjoint in (False, True):
            attrs = {"lower": lower, "adjoint": adjoint}
            for matrix, rhs in SHAPES:
                yield Case(op, (band("double", matrix, main), sample("double", rhs, seed=1)), attrs)
        for dtype in ("half", "float", *COMPLEX):
            inputs = band(dtype, (2, 3), main), sample(dtype, (3, 2), seed=1)
            yield Case(op, inputs, {"lower": lower, "adjoint": dtype == "complex64"}, rtol=LOOSE[dtype])
    yield Case(op, (np.array([[2.0, 0.0, 4.0], [1.0, 5.0, 9.0]]), np.ones((3, 1))), fails=True)
    for matrix, rhs in REFUSED:
        yield Case(op, (np.ones(matrix), np.ones(rhs)), fails=True)


def singular() -> Iterator[tuple[Array, Array]]:
    """Systems of all types that have pivots of 0, also -0, and several right-hand sides; and one that has none."""
    right = np.array([[1.0, 3.0], [2.0, -5.0], [-3.0, 0.0], [7.0, 1.0]])
    for diagonals in (
        ((0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0)),
        ((1, -2, 5, 9), (0, 0, 0, 0), (9, 0, 0, 0)),
        ((1, 2, 5, 9), (0, 0, 0, 0), (9, 1, -7, 0)),
        ((2, -1, 1, 9), (4, 1, 1, 2), (9, 1, 1, -2)),
    ):
        for dtype in ("float", "double", *COMPLEX):
            yield values(dtype, *diagonals), values(dtype, *right)
    yield values("double", (1, 0, 3, 0), (1, 1, 2, 0), (0, 1, 4, 5)), right
    yield np.array([[2.0], [0.0], [2.0]]), np.array([[5.0]])
    yield np.array([[[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]] * 2), np.array([[[1.0], [2.0]], [[0.0], [0.0]]])


def tridiagonal() -> Iterator[Case]:
    """Systems of all types and sizes, singular ones, and what is refused."""
    op = "TridiagonalSolve"
    for shape in ((3, 4), (2, 3, 2), (3, 1), (3, 0), (0, 3, 2)):
        yield Case(op, (band("double", shape, 1), sample("double", (*shape[:-2], shape[-1], 2), seed=1)))
    yield Case(op, (band("double", (3, 3), 1), np.ones((3, 1))), {"partial_pivoting": False})
    for dtype in ("float", *COMPLEX):
        why = "TensorFlow transposes where it should take adjoints" if dtype in COMPLEX else ""
        inputs = band(dtype, (3, 3), 1), sample(dtype, (3, 1), seed=1)
        yield Case(op, inputs, rtol=LOOSE[dtype], gradient_differs=why)
    yield Case(op, (np.array([[1.0, 2.0, 9.0], [0.0, 0.0, 0.0], [9.0, 0.0, 0.0]]), np.ones((3, 1))), smooth=False)
    for inputs in singular():
        why = "TensorFlow transposes where it should take adjoints" if inputs[0].dtype.kind == "c" else ""
        yield Case(op, inputs, {"perturb_singular": True}, smooth=False, rtol=1e-4, gradient_differs=why)
    for diagonals, rhs in (((2, 3), (3, 1)), ((3, 3), (2, 1)), ((2, 3, 3), (1, 3, 1)), ((3,), (3, 1)), ((3, 3), (3,))):
        yield Case(op, (np.ones(diagonals), np.ones(rhs)), fails=True)
    yield Case(
        op, (np.ones((3, 2)), np.ones((2, 1))), {"partial_pivoting": False, "perturb_singular": True}, fails=True
    )


def products() -> Iterator[Case]:
    """Products of all types and sizes, elements that are ignored, and what is refused."""
    op = "TridiagonalMatMul"
    sizes: list[tuple[tuple[int, ...], int]] = [((), 4), ((2,), 2), ((), 1), ((), 0), ((0,), 2)]
    others: list[tuple[str, tuple[tuple[int, ...], int]]] = [(dtype, ((), 3)) for dtype in ("float", *COMPLEX)]
    for dtype, (stack, m) in (*(("double", each) for each in sizes), *others):
        diagonals = [sample(dtype, (*stack, 1, m), seed=seed) for seed in range(3)]
        yield Case(op, (*diagonals, sample(dtype, (*stack, m, 2), seed=3)))
    outside = np.array([[1.0, np.nan]]), np.ones((1, 2)), np.array([[np.inf, 1.0]])
    yield Case(op, (*outside, np.ones((2, 1))), smooth=False)
    for diagonal, rhs in (((3,), (3, 1)), ((1, 3), (2, 1)), ((2, 3), (3, 1)), ((1, 1, 3), (2, 3, 1))):
        yield Case(op, (*[np.ones(diagonal)] * 3, np.ones(rhs)), fails=True)


CASES: list[Case] = [
    *triangular(),
    *tridiagonal(),
    *products(),
]
