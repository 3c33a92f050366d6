"""Cases of `ops/matrix_functions.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from support.case import Case
from support.recording import Array
from support.samples import COMPLEX, sample

LOOSE: Final = {"half": 2e-2, "float": 1e-4, "complex64": 1e-4}
UNCONJUGATED: Final = "TensorFlow does not conjugate the matrix in the gradient"
SHAPES: Final[tuple[tuple[int, ...], ...]] = ((3, 3), (2, 2, 2), (1, 1), (0, 0), (0, 2, 2))


def positive(dtype: str, shape: tuple[int, ...]) -> Array:
    """Matrices whose eigenvalues have positive real parts."""
    x = sample(dtype, shape, -1, 1)
    return np.asarray((x + 4 * np.eye(shape[-1], dtype=x.dtype)) / 4)


def functions() -> Iterator[Case]:
    """All types, empty ones, what is not finite, what has no result, and what is not square."""
    for op, types in (
        ("MatrixExponential", ("half", "float", "double", *COMPLEX)),
        ("MatrixLogarithm", COMPLEX),
        ("MatrixSquareRoot", ("half", "float", "double", *COMPLEX)),
    ):
        for dtype, shape in (*((types[-1], shape) for shape in SHAPES), *((dtype, (2, 2)) for dtype in types)):
            why = UNCONJUGATED if dtype in COMPLEX else ""
            yield Case(op, (positive(dtype, shape),), rtol=LOOSE.get(dtype, 1e-11), gradient_differs=why)
        yield Case(op, (np.full((2, 2), np.nan, "complex128"),), smooth=False)
        yield from (Case(op, (np.ones(shape, "complex128"),), fails=True) for shape in ((2, 3), (2,)))
    yield Case("MatrixLogarithm", (np.zeros((2, 2), "complex128"),), smooth=False)
    yield Case("MatrixSquareRoot", (-np.eye(2),), smooth=False)
    for singular in (np.zeros((2, 2)), np.eye(2, k=1)):
        yield Case("MatrixSquareRoot", (singular,), smooth=False, differs="TensorFlow divides by 0.")
    yield Case("MatrixSquareRoot", (-np.eye(2, dtype="complex128"),), smooth=False, gradient_differs=UNCONJUGATED)


CASES: list[Case] = [
    *functions(),
]
