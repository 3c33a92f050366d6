"""Kernels of `ops/linear_systems.yaml`. SciPy calls BLAS and LAPACK, whose refusals are errors: on NumPy only."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from scipy import linalg

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.matmul import adjoint as adjoint_of
from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import wide, widened

FEW_ROWS: Final = 16
"""Up to this many rows, stacks of matrices are solved row by row."""


def matrix_triangular_solve(xp: Namespace, matrix: Array, rhs: Array, *, lower: bool, adjoint: bool) -> Array:
    """X of A X = B for each pair of matrices."""
    shape = (*np.broadcast_shapes(matrix.shape[:-2], rhs.shape[:-2]), *rhs.shape[-2:])

    def function(matrix: Array, rhs: Array) -> Array:
        left, right = (np.broadcast_to(x, (*shape[:-2], *x.shape[-2:])) for x in (matrix, rhs))
        if are_many_and_small(shape):
            return _by_rows(adjoint_of(xp, left) if adjoint else left, right, lower != adjoint)
        result = np.zeros(shape, rhs.dtype)
        for index in np.ndindex(shape[:-2]) if result.size else ():
            result[index] = _by_lapack(left[index], right[index], lower, adjoint)
        return result

    return widened(xp, function, matrix, rhs)


def are_many_and_small(shape: tuple[int, ...]) -> bool:
    """Whether a step of all matrices at once takes less time than a call for each of them."""
    return shape[-2] <= FEW_ROWS and 2 * shape[-2] <= math.prod(shape[:-2])


def _by_rows(matrix: Array, rhs: Array, lower: bool) -> Array:
    """X of A X = B, a row of all X after the other."""
    result = np.empty(rhs.shape, rhs.dtype)
    rows = range(rhs.shape[-2])
    for row in rows if lower else reversed(rows):
        known = slice(row) if lower else slice(row + 1, None)
        products = np.matmul(matrix[..., row, None, known], result[..., known, :])
        np.divide(rhs[..., row, :] - products[..., 0, :], matrix[..., row, row, None], out=result[..., row, :])
    return result


def _by_lapack(matrix: Array, rhs: Array, lower: bool, adjoint: bool) -> Array:
    """X of A X = B for two matrices; the columns of the transposed of A are its rows, which are not copied."""
    solve: Any = linalg.get_lapack_funcs("trtrs", (matrix, rhs))
    if adjoint:
        x, info = solve(matrix.T.conj(), rhs, lower=not lower)
    else:
        x, info = solve(matrix.T, rhs, lower=not lower, trans=1)
    if info:  # a zero on the diagonal, which BLAS divides by
        x = linalg.get_blas_funcs("trsm", (matrix, rhs))(1, matrix, rhs, lower=lower, trans_a=2 if adjoint else 0)
    return np.asarray(x)


def matrix_solve(xp: Namespace, matrix: Array, rhs: Array, *, adjoint: bool) -> Array:
    """X of A X = B for each pair of matrices."""

    def function(matrix: Array, rhs: Array) -> Array:
        factored = adjoint_of(xp, matrix) if adjoint else matrix
        try:
            return xp.linalg.solve(factored, rhs)
        except np.linalg.LinAlgError:
            raise _singular(xp, factored, name="matrix") from None

    return widened(xp, function, matrix, rhs) if rhs.size else rhs


def _singular(xp: Namespace, x: Array, name: str) -> InvalidArgumentError:
    """The error that says which of the factored matrices is singular; rounding may spare its adjoint."""
    sign, _ = xp.linalg.slogdet(x)
    which = which_matrix(np.argwhere(sign == 0)[0], name)
    return InvalidArgumentError(
        f"{which} is not invertible; add a multiple of the identity, or see linalg.MatrixSolveLs for least squares"
    )


def which_matrix(index: Array, name: str) -> str:
    """The matrix at this place of a stack, for an error."""
    return f"matrix {index.tolist()} of `{name}`" if index.size else f"`{name}`"


def matrix_inverse(xp: Namespace, x: Array, *, adjoint: bool) -> Array:
    """The inverse of each matrix."""

    def function(x: Array) -> Array:
        factored = adjoint_of(xp, x) if adjoint else x
        try:
            return xp.linalg.inv(factored)
        except np.linalg.LinAlgError:
            raise _singular(xp, factored, name="input") from None

    return widened(xp, function, x)


def matrix_determinant(xp: Namespace, x: Array) -> Array:
    """The determinant of each matrix."""
    result = xp.linalg.det(wide(x))
    if xp.count_nonzero(result) < result.size:
        result = xp.where((result == 0) & _is_undefined(xp, x), xp.nan, result)
    return xp.asarray(result, x.dtype)


def _is_undefined(xp: Namespace, x: Array) -> Array:
    """Which matrices have no determinant if LAPACK finds them singular, since an element is infinite or nan."""
    return xp.asarray(~xp.isfinite(x).all((-2, -1)))


def log_matrix_determinant(xp: Namespace, x: Array) -> tuple[Array, Array]:
    """The sign of each determinant, and the logarithm of its absolute value."""
    sign, log = xp.linalg.slogdet(wide(x))
    if xp.count_nonzero(xp.isfinite(log)) < log.size:
        is_undefined = xp.isnan(log) | ((sign == 0) & _is_undefined(xp, x))
        sign, log = (xp.where(is_undefined, xp.nan, each) for each in (sign, log))
    return xp.asarray(sign, x.dtype), xp.asarray(log, x.dtype)


def matrix_solve_ls(xp: Namespace, matrix: Array, rhs: Array, l2_regularizer: Array, *, fast: bool) -> Array:
    """The X that is nearest to a solution of A X = B."""
    weight = float(l2_regularizer)
    if not weight >= 0:
        raise InvalidArgumentError(f"`l2_regularizer` is {weight:g}, but must be 0 or more")

    def function(matrix: Array, rhs: Array) -> Array:
        if not fast:
            return _least_squares(matrix, rhs)
        turned = adjoint_of(xp, matrix)
        if matrix.shape[-2] >= matrix.shape[-1]:
            return _normal(xp, xp.matmul(turned, matrix), weight, xp.matmul(turned, rhs))
        return xp.matmul(turned, _normal(xp, xp.matmul(matrix, turned), weight, rhs))

    return widened(xp, function, matrix, rhs)


def _normal(xp: Namespace, gram: Array, weight: float, rhs: Array) -> Array:
    """Solve the normal equations by a Cholesky factor."""
    try:
        factor = xp.linalg.cholesky(gram + weight * np.eye(gram.shape[-1], dtype=gram.dtype))
    except np.linalg.LinAlgError:
        if not xp.all(xp.isfinite(gram)):
            return xp.full_like(rhs, xp.nan)
        raise InvalidArgumentError(
            "`matrix` does not have full rank, or nearly so; use fast=False, or an `l2_regularizer` above 0"
        ) from None
    half = matrix_triangular_solve(xp, factor, rhs, lower=True, adjoint=False)
    return matrix_triangular_solve(xp, factor, half, lower=True, adjoint=True)


def _least_squares(matrix: Array, rhs: Array) -> Array:
    """The smallest of the nearest solutions, by orthogonal factors; nan where numbers are not finite."""
    rows, columns = matrix.shape[-2:]
    result = np.zeros((*rhs.shape[:-2], columns, rhs.shape[-1]), rhs.dtype)
    if not result.size or not rows:
        return result
    are_finite = np.isfinite(matrix).all((-2, -1), keepdims=True)
    is_finite: Array = np.logical_and(np.isfinite(rhs).all(-2, keepdims=True), are_finite)
    right = np.zeros((*rhs.shape[:-2], max(rows, columns), rhs.shape[-1]), rhs.dtype)
    right[..., :rows, :] = np.where(is_finite, rhs, 0)
    functions: Any = linalg.get_lapack_funcs(("gelsy", "gelsy_lwork"), (matrix, rhs))
    gelsy, work = functions
    tolerance = max(rows, columns) * np.finfo(rhs.dtype).eps
    size = int(work(rows, columns, rhs.shape[-1], tolerance)[0].real)
    free = np.zeros(columns, np.int32)
    for index in map(tuple, np.argwhere(is_finite.any((-2, -1))).tolist()):
        result[index] = gelsy(matrix[index], right[index], free, tolerance, size)[1][:columns]
    np.copyto(result, np.nan, where=~is_finite)
    return result
