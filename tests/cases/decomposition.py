"""Cases of `ops/decomposition.yaml`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from support.case import Case
from support.recording import Array
from support.samples import COMPLEX, numpy_type, sample

SHAPES: tuple[tuple[int, ...], ...] = ((3, 3), (4, 2), (2, 4), (2, 3, 2), (1, 1), (0, 2), (2, 0), (0, 3, 2), (2, 2, 3))
ROUNDING = 1e-4
"""For single precision, in which two computations of a factor agree only so far."""


def definite(dtype: str, shape: tuple[int, ...], seed: int = 0) -> Array:
    """Hermitian matrices whose eigenvalues are at least 1."""
    x = sample("complex128" if dtype in COMPLEX else "double", shape, -1, 1, seed=seed)
    product = np.asarray(x @ x.conj().swapaxes(-1, -2) + np.eye(shape[-1]))
    # Last digits, and signs of zeros, differ between processors, while a recorded case has the same inputs everywhere.
    return (np.round(product, 6) + 0.0 if dtype in COMPLEX else product).astype(numpy_type(dtype))


def cholesky() -> Iterator[Case]:
    """Every type, empty ones, matrices with other elements above the diagonal, and those that have no factor.

    Differences from both triangles would not be seen; one element alone does not tell them apart.
    """
    op = "Cholesky"
    for shape in ((3, 3), (2, 2, 2), (2, 1, 1), (0, 0), (0, 2, 2)):
        yield Case(op, (definite("double", shape),), smooth=shape[-1] < 2)
    for dtype, rtol in (("half", 2e-2), ("float", ROUNDING), ("complex64", ROUNDING), ("complex128", None)):
        yield Case(op, (definite(dtype, (3, 3)),), rtol=rtol, smooth=False)
    yield Case(op, (np.array([[4.0, 9.0], [2.0, 5.0]]),), smooth=False)
    yield Case(op, (np.array([[4 + 1j, 9], [2j, 5]]),), smooth=False)
    infinite = np.array([[np.inf, 0.0], [0.0, 1.0]])
    yield Case(op, (infinite,), smooth=False, gradient_differs="other elements are nan")
    for matrix in (np.zeros((2, 2)), np.array([np.eye(2), -np.eye(2)]), np.array([[1.0, 0.0], [np.nan, 1.0]])):
        yield Case(op, (matrix,), smooth=False, differs="above the diagonal TensorFlow's is not initialized")
    yield Case(op, (np.array([[-1 + 1j]]),), smooth=False, differs="TensorFlow gives 0 for complex matrices.")
    yield from (Case(op, (np.ones(shape),), fails=True) for shape in ((2, 3), (2,)))
    for shape in ((3, 3), (2, 2, 2), (0, 0)):
        yield Case("CholeskyGrad", (_factor("double", shape), sample("double", shape, seed=1)))
    for dtype in ("half", "float"):
        yield Case(
            "CholeskyGrad", (_factor(dtype, (2, 2)), sample(dtype, (2, 2))), rtol=2e-2 if dtype == "half" else ROUNDING
        )
    for a, b in (((2, 2), (3, 3)), ((2, 3), (2, 3)), ((1, 2, 2), (2, 2))):
        yield Case("CholeskyGrad", (np.ones(a), np.ones(b)), fails=True)


def triangles() -> Iterator[Case]:
    """Every type, empty ones, exchanges of rows, what is not finite, and singular matrices."""
    for shape in ((3, 3), (2, 2, 2), (1, 1), (0, 0), (0, 2, 2)):
        yield Case("Lu", (sample("double", shape),), {"output_idx_type": "int64"})
    for dtype, rtol in (("half", 2e-2), ("float", ROUNDING), ("complex64", ROUNDING), ("complex128", None)):
        yield Case("Lu", (sample(dtype, (3, 3)),), rtol=rtol)
    yield Case("Lu", (np.array([[0.5 + 0.5j, 1], [0.9, 1j]]),))  # LAPACK's pivot would be the other one
    yield Case("Lu", (np.array([[1.0, np.nan], [2.0, 4.0]]),), smooth=False)
    for x in (np.zeros((2, 2), np.complex64), np.ones((2, 2)), np.zeros((1, 2, 2)), np.ones((2, 3)), np.ones(2)):
        yield Case("Lu", (x,), fails=True)


def _factor(dtype: str, shape: tuple[int, ...]) -> Array:
    """Matrices whose lower triangles are far from singular."""
    x = sample(dtype, shape, -1, 1)
    return np.asarray(x + 3 * np.eye(shape[-1], dtype=x.dtype))


def factors() -> Iterator[Case]:
    """Tall, square, wide and empty matrices, alone and in stacks; all types."""
    for full in (False, True):
        # Where the last columns of q are not determined, there is no gradient to compare with finite differences.
        yield from (
            Case(
                "Qr",
                (sample("double", shape),),
                {"full_matrices": full},
                rtol=1e-12,
                smooth=not full or shape[-2] <= shape[-1],
            )
            for shape in SHAPES
        )
    yield from (
        Case("Qr", (sample(dtype, (3, 2)),), rtol=1e-2 if dtype == "half" else ROUNDING) for dtype in ("half", "float")
    )
    yield from (
        Case("Qr", (sample(dtype, shape),), rtol=ROUNDING) for dtype in COMPLEX for shape in ((3, 2), (3, 3), (2, 3))
    )
    yield Case("Qr", (sample("double", (3,)),), fails=True)


CASES: list[Case] = [
    *cholesky(),
    *triangles(),
    *factors(),
]
