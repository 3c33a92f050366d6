"""Cases of `ops/linear_systems.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from support.case import Case
from support.recording import Array
from support.samples import COMPLEX, FLOATING, sample


def triangle(dtype: str, shape: tuple[int, ...]) -> Array:
    """Matrices that are far from singular in both triangles."""
    drawn = sample(dtype, shape, -1, 1)
    return np.asarray(drawn + 3 * np.eye(shape[-1], dtype=drawn.dtype))


def systems() -> Iterator[Case]:
    """Both triangles, adjoint or not, every type, broadcasting, and what cannot be solved."""
    op = "MatrixTriangularSolve"
    for lower in (False, True):
        for adjoint in (False, True):
            attrs = {"lower": lower, "adjoint": adjoint}
            yield from (
                Case(op, (triangle(dtype, (3, 3)), sample(dtype, (3, 2), seed=1)), attrs, rtol=rtol)
                for dtype, rtol in (*((d, None) for d in COMPLEX), ("float", 1e-5), ("double", None))
            )
            yield Case(op, (triangle("double", (2, 1, 2, 2)), sample("double", (3, 2, 1), seed=1)), attrs)
    yield from (Case(op, (triangle(dtype, (2, 2)), sample(dtype, (2, 1), seed=1))) for dtype in FLOATING)
    yield from (
        Case(op, (triangle("double", a), sample("double", b)))
        for a, b in (((0, 0), (0, 2)), ((2, 2), (2, 0)), ((0, 2, 2), (0, 2, 1)))
    )
    yield Case(op, (np.array([[1.0, 2.0], [3.0, 0.0]]), np.ones((2, 1))), smooth=False)
    yield from (
        Case(op, (np.ones(a), np.ones(b)), fails=True)
        for a, b in (((2, 3), (2, 1)), ((2, 2), (3, 1)), ((2,), (2, 1)), ((2, 2), (2,)))
    )
    yield Case(op, (np.ones((2, 2, 2)), np.ones((3, 2, 1))), fails=True)


SQUARES: Final[tuple[tuple[int, ...], ...]] = ((3, 3), (2, 1, 2, 2), (1, 1), (0, 0), (0, 2, 2), (2, 0, 0))
INVERTED: Final = ("half", "float", *COMPLEX)
LOOSE: Final = {"half": 2e-2, "float": 1e-4, "complex64": 1e-4}
"""How far results may differ whose errors grow with the condition of a matrix."""


def square_systems() -> Iterator[Case]:
    """Every type, adjoint or not, empty ones, and what cannot be solved."""
    op = "MatrixSolve"
    for adjoint in (False, True):
        for shape in SQUARES:
            yield Case(
                op, (triangle("double", shape), sample("double", (*shape[:-1], 2), seed=1)), {"adjoint": adjoint}
            )
        for dtype in INVERTED:
            inputs = triangle(dtype, (3, 3)), sample(dtype, (3, 2), seed=1)
            yield Case(op, inputs, {"adjoint": adjoint}, rtol=LOOSE.get(dtype))
    yield Case(op, (np.zeros((2, 2)), np.ones((2, 0))), smooth=False)
    yield Case(op, (np.array([[np.inf, 2.0], [2.0, 4.0]]), np.ones((2, 1))), smooth=False)
    yield Case(op, (np.eye(2), np.array([[np.nan], [1.0]])), smooth=False)
    yield Case(op, (np.array([[1.0, np.nan], [2.0, 4.0]]), np.ones((2, 1))), smooth=False)
    for matrix in (np.ones((2, 2)), np.array([np.eye(2), np.zeros((2, 2))])):
        yield Case(op, (matrix, np.ones((*matrix.shape[:-1], 1))), fails=True)
    for a, b in (((2, 3), (2, 1)), ((2, 2), (3, 1)), ((2,), (2, 1)), ((1, 2, 2), (3, 2, 1)), ((2, 2), (3, 2, 1))):
        yield Case(op, (np.ones(a), np.ones(b)), fails=True)


def inverses() -> Iterator[Case]:
    """Every type, adjoint or not, empty ones, what is not finite, and what cannot be inverted."""
    op = "MatrixInverse"
    for adjoint in (False, True):
        yield from (Case(op, (triangle("double", shape),), {"adjoint": adjoint}) for shape in SQUARES)
        yield from (Case(op, (triangle(d, (3, 3)),), {"adjoint": adjoint}, rtol=LOOSE.get(d)) for d in INVERTED)
    yield Case(op, (np.array([[1.0, np.nan], [2.0, 4.0]]),), smooth=False)
    yield Case(op, (np.array([[1.0, np.inf], [2.0, 4.0]]),), smooth=False)
    for matrix in (np.zeros((2, 2)), np.array([np.eye(2), np.ones((2, 2))]), np.ones((2, 3)), np.ones(2)):
        yield Case(op, (matrix,), fails=True)


def determinants() -> Iterator[Case]:
    """Every type, singular and empty matrices, and what is not finite."""
    for op, why in (
        ("MatrixDeterminant", "TensorFlow does not conjugate the determinant"),
        ("LogMatrixDeterminant", "TensorFlow does not take the real part of the gradient, and has none of the sign"),
    ):
        yield from (Case(op, (triangle("double", shape),)) for shape in SQUARES)
        yield from (
            Case(op, (triangle(d, (2, 3, 3)),), rtol=LOOSE.get(d), gradient_differs=why if d in COMPLEX else "")
            for d in INVERTED
        )
        yield Case(op, (-triangle("double", (3, 3)),))
        # At a singular matrix, the gradient is an error in TensorFlow, too.
        for matrix in (
            [[1.0, 2.0], [2.0, 4.0]],
            [[0.0, 0.0], [0.0, 0.0]],
            [[1.0, np.nan], [2.0, 4.0]],
            [[1.0, np.inf], [2.0, 4.0]],
            [[0.0, 0.0], [np.nan, 0.0]],
            [[0.0, np.nan], [0.0, 0.0]],
        ):
            yield Case(op, (np.array(matrix),), smooth=False)
        infinite = np.array([[[0.0, 0.0], [np.inf, 0.0]], [[0.0, 0.0], [0.0, 1.0]]])
        differs = "TensorFlow's sign is 0." if op == "LogMatrixDeterminant" else ""
        yield Case(op, (infinite,), smooth=False, differs=differs)
        yield Case(op, (1e200 * np.eye(3),), smooth=False)
        yield from (Case(op, (np.ones(shape),), fails=True) for shape in ((2, 3), (2,)))


def least_squares() -> Iterator[Case]:
    """More equations than unknowns and fewer, with a regularizer and without, all types, and what is refused."""
    op, zero = "MatrixSolveLs", np.float64(0)
    for shape in ((4, 2), (2, 3), (2, 3, 2), (2, 2), (0, 2), (2, 0)):
        inputs = of_full_rank(shape), sample("double", (*shape[:-1], 2), seed=1)
        for weight in (0.0, 0.5):
            yield Case(op, (*inputs, np.float64(weight)), smooth=weight > 0, rtol=1e-11)
        yield Case(op, (*inputs, np.float64(0.5)), {"fast": False}, rtol=1e-11)
    for dtype in INVERTED:
        inputs = sample(dtype, (3, 2), seed=2), sample(dtype, (3, 1), seed=1)
        why = "TensorFlow transposes where it should take adjoints" if dtype in COMPLEX else ""
        rtol = 5e-2 if dtype == "half" else LOOSE.get(dtype, 1e-11)
        yield Case(op, (*inputs, zero), smooth=False, rtol=rtol, gradient_differs=why)
    for shape in ((3, 2), (2, 3)):
        inputs = sample("complex128", shape, seed=2), sample("complex128", (shape[0], 1), seed=1)
        yield Case(op, (*inputs, np.float64(0.5)), rtol=1e-11, gradient_differs="TensorFlow transposes")
    yield Case(op, (np.ones((3, 2)), np.ones((3, 1)), zero), {"fast": False}, smooth=False)
    yield Case(op, (np.full((3, 2), np.nan), np.ones((3, 1)), zero), smooth=False)
    for a, b in (((3, 2), (3, 1)), ((3, 2), (2, 1)), ((1, 2, 2), (3, 2, 1)), ((2,), (2, 1)), ((2, 2), (2,))):
        yield Case(op, (np.ones(a), np.ones(b), zero), fails=True)
    for wrong in (np.float64(-1), np.float64(np.nan), np.zeros(1)):
        yield Case(op, (np.eye(2), np.ones((2, 1)), wrong), fails=True)


def of_full_rank(shape: tuple[int, ...]) -> Array:
    """Matrices of full rank."""
    return np.asarray(sample("double", shape, -1, 1) + 3 * np.eye(shape[-2], shape[-1]))


CASES: list[Case] = [
    *systems(),
    *square_systems(),
    *inverses(),
    *determinants(),
    *least_squares(),
]
