"""Cases of `ops/spectra.yaml`: the outputs are compared up to signs, phases and order (`support.invariants`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from support.case import Case
from support.recording import Array
from support.samples import COMPLEX, sample

LOOSE: Final = {"half": 2e-2, "float": 1e-4, "complex64": 1e-4}
OTHER_SIGNS: Final = "the gradient of vectors depends on their signs and phases"
NO_VECTORS: Final = "TensorFlow's vectors that were not asked for have another shape"
SQUARES: Final[tuple[tuple[int, ...], ...]] = ((3, 3), (2, 2, 2), (1, 1), (0, 0), (0, 2, 2))
SHAPES: Final[tuple[tuple[int, ...], ...]] = ((3, 3), (4, 2), (2, 3), (2, 3, 2), (1, 1), (0, 2), (2, 0), (0, 3, 2))


def spread(dtype: str, shape: tuple[int, ...]) -> Array:
    """Matrices whose eigenvalues, and singular values, are far from each other and from 0."""
    x = sample(dtype, shape, -0.5, 0.5)
    rows, columns = shape[-2:]
    base = np.eye(rows, columns, dtype=x.dtype) * np.arange(2, 2 + 3 * columns, 3).astype(x.dtype)
    return np.asarray(x + base, x.dtype)


def eigenvalues() -> Iterator[Case]:
    """All types, with vectors and without, empty ones, what is not finite, and what is not square."""
    for op, types in (("SelfAdjointEigV2", ("half", "float", *COMPLEX)), ("Eig", ("float", *COMPLEX))):
        for flag in (True, False):
            why = OTHER_SIGNS if flag else NO_VECTORS
            attrs = {"compute_v": flag}
            for dtype, shape in (*(("double", shape) for shape in SQUARES), *((dtype, (3, 3)) for dtype in types)):
                out = {"Tout": "complex64" if dtype in ("float", "complex64") else "complex128"} if op == "Eig" else {}
                # Phases of complex vectors may turn by any angle from one input to the next.
                yield Case(
                    op,
                    (spread(dtype, shape),),
                    {**attrs, **out},
                    rtol=LOOSE.get(dtype, 1e-11),
                    smooth=not (flag and dtype in COMPLEX),
                    gradient_differs=why,
                )
        out = {"Tout": "complex128"} if op == "Eig" else {}
        yield Case(op, (np.array([[1.0, 2.0], [-2.0, 1.0]]),), out, smooth=False, gradient_differs=OTHER_SIGNS)
        for x in (
            np.array([[1.0, 0.0], [np.nan, 1.0]]),
            np.array([[1.0, 0.0], [np.inf, 1.0]]),
            np.ones((2, 3)),
            np.ones(2),
        ):
            yield Case(op, (x,), out, fails=True)
    yield Case("SelfAdjointEigV2", (np.array([[1.0, np.nan], [0.5, 2.0]]),), smooth=False, gradient_differs=OTHER_SIGNS)
    yield Case("Eig", (np.eye(2),), {"Tout": "complex64"}, fails=True)


def singular_values() -> Iterator[Case]:
    """All types and shapes, with and without vectors, full and reduced, and what is not finite."""
    op = "Svd"
    for full in (False, True):
        for shape in SHAPES:
            # Where the last columns are any rotation of each other, differences between them mean nothing.
            smooth = not full or shape[-2] == shape[-1]
            yield Case(
                op,
                (spread("double", shape),),
                {"full_matrices": full},
                rtol=1e-11,
                smooth=smooth,
                gradient_differs=OTHER_SIGNS,
            )
    for dtype in ("half", "float", *COMPLEX):
        x, rtol = spread(dtype, (3, 2)), LOOSE.get(dtype, 1e-11)
        yield Case(op, (x,), rtol=rtol, smooth=dtype not in COMPLEX, gradient_differs=OTHER_SIGNS)
        yield Case(op, (x,), {"compute_uv": False}, rtol=rtol, gradient_differs=NO_VECTORS)
    yield Case(op, (spread("double", (2, 2, 3)),), {"compute_uv": False}, gradient_differs=NO_VECTORS)
    yield Case(
        op,
        (np.array([[[1.0, np.nan], [2.0, 4.0]], [[np.inf, 0.0], [0.0, 1.0]]]),),
        smooth=False,
        gradient_differs=OTHER_SIGNS,
    )
    yield Case(op, (np.ones(2),), fails=True)


CASES: list[Case] = [
    *eigenvalues(),
    *singular_values(),
]
