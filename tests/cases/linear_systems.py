"""Cases of `ops/linear_systems.yaml`."""

from __future__ import annotations

from collections.abc import Iterator

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


CASES: list[Case] = [
    *systems(),
]
