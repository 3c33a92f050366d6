"""Kernels of `ops/matrix_functions.yaml`. They are SciPy's, so they run on NumPy only."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from threading import Lock
from typing import Any, Final

import numpy as np
from scipy import linalg

from typegrad.kernels.matmul import adjoint
from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import widened

NEAR: Final = 0.2
"""Matrices so near to the identity have a logarithm of few terms."""
LAST: Final = 15
"""The power of its last term; the next one is below the precision of float64."""
_FILTERS: Final = Lock()
"""All threads share the filters of warnings: who changes them has them alone."""


def matrix_exponential(xp: Namespace, x: Array) -> Array:
    """The exponential of each matrix."""
    return widened(xp, lambda x: _of_finite(linalg.expm, x), x)


def matrix_logarithm(xp: Namespace, x: Array) -> Array:
    """The principal logarithm of each matrix; nan where it is singular. In complex128."""

    def function(x: Array) -> Array:
        triangles, vectors = _schur(x)
        triangles[(_diagonals(triangles) == 0).any(-1)] = np.nan
        return vectors @ _of_triangles(triangles) @ adjoint(xp, vectors)

    return _of_finite(function, x.astype(np.complex128)).astype(x.dtype)


def _schur(x: Array) -> tuple[Array, Array]:
    """Upper triangular and unitary matrices of Schur decompositions."""
    gees: Any = linalg.get_lapack_funcs("gees", (x,))
    *_, work, _ = gees(_unordered, x[0], lwork=-1)
    size = int(work[0].real)
    triangles, vectors = np.empty_like(x), np.empty_like(x)
    for index, matrix in enumerate(x):
        triangles[index], _, _, vectors[index], _, info = gees(_unordered, matrix, lwork=size)
        if info:
            triangles[index] = np.nan
    return triangles, vectors


def _unordered(_: complex) -> None:
    """No order of the eigenvalues of a Schur decomposition."""


def _of_triangles(x: Array) -> Array:
    """Logarithms of upper triangular matrices, by inverse scaling and squaring.

    Higham, Functions of Matrices, 2008, chapter 11. Square roots are taken until a matrix is near to the identity. With
    Z = (A - I) / (A + I), the logarithm of A is then 2 (Z + Z³/3 + Z⁵/5 + ...).
    """
    identity = np.eye(x.shape[-1])
    roots, doublings = x, np.ones((len(x), 1, 1))
    while (is_far := _is_far(roots - identity)).any():
        roots = roots.copy()
        roots[is_far] = _complex_roots(roots[is_far])
        doublings[is_far] += 1
    z = np.linalg.solve(roots + identity, roots - identity)
    square, terms = z @ z, identity / LAST
    for power in range(LAST - 2, 0, -2):
        terms = square @ terms + identity / power
    result: Array = z @ terms * 2.0**doublings
    places = np.arange(x.shape[-1])
    result[:, places, places] = np.log(_diagonals(x))
    return result


def _is_far(x: Array) -> Array:
    """Whether the eigenvalues of finite triangular matrices, or the norms of powers, are above `NEAR`."""
    is_far = np.asarray(~(np.abs(_diagonals(x)) <= NEAR).all(-1))
    rest = x[~is_far]
    square = rest @ rest
    size = np.maximum(_norm(square @ rest) ** (1 / 3), _norm(square @ square) ** (1 / 4))
    is_far[~is_far] = ~(size <= NEAR)
    return is_far & np.isfinite(x).all((-2, -1))


def _diagonals(x: Array) -> Array:
    return np.diagonal(x, axis1=-2, axis2=-1)


def _norm(x: Array) -> Array:
    """The largest sum of a column's absolute values."""
    return np.asarray(np.abs(x).sum(-2).max(-1))


def matrix_square_root(xp: Namespace, x: Array) -> Array:
    """The principal square root of each matrix; nan where a real matrix has none."""
    return widened(xp, lambda x: _of_finite(_roots, x), x)


def _roots(x: Array) -> Array:
    roots = _complex_roots(x)
    if roots.dtype == x.dtype:
        return roots
    return np.where((np.imag(roots) != 0).any((-2, -1), keepdims=True), np.nan, np.real(roots))


def _complex_roots(x: Array) -> Array:
    """The roots, complex where they must be.

    SciPy replaces small divisors, with a warning: such matrices are computed again, by the divisors that they have.
    """
    with _FILTERS, warnings.catch_warnings(record=True) as issued:
        warnings.simplefilter("always", linalg.LinAlgWarning)
        roots: Array = linalg.sqrtm(x)
    if not issued:
        return roots
    wide = x.astype(np.complex128)
    if np.tril(wide, -1).any():
        triangles, vectors = _schur(wide)
        again = vectors @ _roots_of_triangles(triangles) @ vectors.conj().swapaxes(-1, -2)
    else:
        again = _roots_of_triangles(wide)
    return (again if roots.dtype.kind == "c" else np.real(again)).astype(roots.dtype)


def _roots_of_triangles(x: Array) -> Array:
    """Roots of upper triangular matrices, an element of all of them after the other (Björck and Hammarling, 1983)."""
    roots = np.zeros_like(x)
    size = x.shape[-1]
    for column in range(size):
        roots[:, column, column] = np.sqrt(x[:, column, column])
        for row in reversed(range(column)):
            between = slice(row + 1, column)
            known = np.vecdot(roots[:, row, between].conj(), roots[:, between, column])
            rest, divisor = x[:, row, column] - known, roots[:, row, row] + roots[:, column, column]
            roots[:, row, column] = np.divide(rest, divisor, out=np.zeros_like(rest), where=rest != 0)
    return roots


def _of_finite(function: Callable[[Array], Array], x: Array) -> Array:
    """A function of a stack of matrices; nan where an element is not finite."""
    result = np.full_like(x, np.nan)
    is_finite = np.isfinite(x).all((-2, -1))
    if x.size and is_finite.any():
        result[is_finite] = function(x[is_finite])
    return result
