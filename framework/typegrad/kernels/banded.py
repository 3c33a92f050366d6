"""Kernels of `ops/banded.yaml`. They assign to rows, and SciPy calls LAPACK: NumPy's only."""

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


def tridiagonal_solve(xp: Namespace, diagonals: Array, rhs: Array) -> Array:
    """X of A X = B; nan where A is singular."""
    if rhs.shape[-2] == 1:  # for LAPACK, a matrix has diagonals beside the main one
        main = diagonals[..., 1, :, None]
        return xp.where(main == 0, np.nan, rhs / main).astype(rhs.dtype)
    solve: Any = linalg.get_lapack_funcs("gtsv", (diagonals, rhs))
    result = np.full_like(rhs, np.nan)
    for index in np.ndindex(rhs.shape[:-2]) if rhs.size else ():
        above, main, below = diagonals[index]
        *_, x, info = solve(below[1:], main, above[:-1], rhs[index])
        if not info:
            result[index] = x
    return result


def tridiagonal_mat_mul(xp: Namespace, superdiag: Array, maindiag: Array, subdiag: Array, rhs: Array) -> Array:
    """The products of tridiagonal matrices and matrices."""
    above, main, below = (xp.swapaxes(x, -1, -2) for x in (superdiag, maindiag, subdiag))
    result = main * rhs
    result[..., :-1, :] += above[..., :-1, :] * rhs[..., 1:, :]
    result[..., 1:, :] += below[..., 1:, :] * rhs[..., :-1, :]
    return result
