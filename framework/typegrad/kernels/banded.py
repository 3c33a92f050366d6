"""Kernels of `ops/banded.yaml`. They assign to rows, and SciPy calls LAPACK, so they run on NumPy only."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.checks import first
from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import widened


def banded_triangular_solve(xp: Namespace, matrix: Array, rhs: Array, *, lower: bool, adjoint: bool) -> Array:
    """X of A X = B for each pair of matrices."""
    main = 0 if lower else matrix.shape[-2] - 1
    if not xp.all(matrix[..., main, :]):
        raise _singular(matrix, main)

    def function(matrix: Array, rhs: Array) -> Array:
        shape = (*xp.broadcast_shapes(matrix.shape[:-2], rhs.shape[:-2]), *rhs.shape[-2:])
        result = np.zeros(shape, rhs.dtype)
        left, right = (np.broadcast_to(x, (*shape[:-2], *x.shape[-2:])) for x in (_by_column(matrix, lower), rhs))
        solve: Any = linalg.get_lapack_funcs("tbtrs", (matrix, rhs))
        uplo, trans = "L" if lower else "U", "C" if adjoint else "N"
        for index in np.ndindex(shape[:-2]) if result.size else ():
            result[index], _ = solve(left[index], right[index], uplo=uplo, trans=trans)
        return result

    return widened(xp, function, matrix, rhs)


def _singular(matrix: Array, main: int) -> InvalidArgumentError:
    """The error that says where the main diagonal has a zero."""
    is_zero = np.zeros(matrix.shape, bool)
    is_zero[..., main, :] = matrix[..., main, :] == 0
    return InvalidArgumentError(
        f"{first('matrix', matrix, is_zero)}, but row {main} is the main diagonal, which must have no zeros"
    )


def _by_column(matrix: Array, lower: bool) -> Array:
    """The bands with the elements of a column below each other, as LAPACK wants them, not the elements of a row."""
    last = matrix.shape[-2] - 1
    shifts = [-k if lower else last - k for k in range(last + 1)]
    return np.stack([np.roll(matrix[..., k, :], shift, -1) for k, shift in enumerate(shifts)], -2)


def tridiagonal_solve(xp: Namespace, diagonals: Array, rhs: Array, *, perturb_singular: bool) -> Array:
    """X of A X = B; nan where A is singular, unless it may be changed."""
    result = np.full_like(rhs, np.nan)
    for index in np.ndindex(rhs.shape[:-2]) if rhs.size else ():
        result[index] = (_solve_perturbed if perturb_singular else _solve)(diagonals[index], rhs[index])
    return result


def _solve(diagonals: Array, rhs: Array) -> Any:
    above, main, below = diagonals
    if len(rhs) == 1:  # for LAPACK, a matrix has diagonals beside the main one
        return np.where(main[0] == 0, np.nan, rhs / main)
    solve: Any = linalg.get_lapack_funcs("gtsv", (diagonals, rhs))
    *_, x, info = solve(below[1:], main, above[:-1], rhs)
    return np.nan if info else x


def _solve_perturbed(diagonals: Array, rhs: Array) -> Array:
    """X of U X = Y, where pivots by which X would overflow are changed, as in LAPACK's `lagts`."""
    count, info = len(rhs), np.finfo(diagonals.dtype)
    rows = _eliminated(diagonals, rhs)
    upper, x = rows[:, :3], rows[:, 3:]
    # TensorFlow's largest element leaves out the last row of U but one, and includes the first row of A.
    elements = np.concatenate([upper[: max(count - 2, 0)].ravel(), upper[-1, :1], diagonals[1::-1, 0][:count]])
    smallest = max(abs(elements).max() * info.eps, info.tiny)
    for k in reversed(range(count)):
        known = x[k + 1 : k + 3]
        x[k] -= upper[k, 1 : 1 + len(known)] @ known
        pivot, change = upper[k, 0], np.copysign(smallest, upper[k, 0].real)
        while pivot == 0 or abs(pivot) < min(abs(x[k]).max() * info.tiny, 1):
            pivot, change = pivot + change, 2 * change
        x[k] /= pivot
    return x


def _eliminated(diagonals: Array, rhs: Array) -> Array:
    """The rows of U, from its diagonal on, and of Y: U X = Y is A X = B. Pivots are chosen as in LAPACK's `lagtf`.

    Of two rows, the one whose first element is larger, compared with the whole row, is subtracted.
    """
    above, main, below = diagonals.copy()
    below[0] = above[-1] = 0
    bands = np.stack([below, main, above], -1)
    sums = np.abs(bands).sum(-1)
    rows = np.concatenate([bands, rhs], -1)
    rows[0, :3] = main[0], above[0], -0.0
    for k in range(1, len(rows)):
        share, other = (abs(rows[i, 0]) / sums[i] if rows[i, 0] else 0 for i in (k - 1, k))
        if other > share:
            rows[[k - 1, k]], sums[k] = rows[[k, k - 1]], sums[k - 1]
        if below[k]:
            rows[k, 1:] -= rows[k, 0] / rows[k - 1, 0] * rows[k - 1, 1:]
        rows[k, :3] = *rows[k, 1:3], -0.0
    return rows


def tridiagonal_mat_mul(xp: Namespace, superdiag: Array, maindiag: Array, subdiag: Array, rhs: Array) -> Array:
    """The products of tridiagonal matrices and matrices."""
    above, main, below = (xp.swapaxes(x, -1, -2) for x in (superdiag, maindiag, subdiag))
    result = main * rhs
    result[..., :-1, :] += above[..., :-1, :] * rhs[..., 1:, :]
    result[..., 1:, :] += below[..., 1:, :] * rhs[..., :-1, :]
    return result
