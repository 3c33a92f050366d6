"""Kernels of `ops/decomposition.yaml`. SciPy calls LAPACK, whose refusals are errors, so they run on NumPy only."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from scipy import linalg

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.linear_systems import are_many_and_small, matrix_triangular_solve, which_matrix
from typegrad.kernels.namespace import Array, DType, Namespace
from typegrad.kernels.precision import wide, widened

BLOCK: Final = 64
"""The gradient of so many rows of a factor is computed at once."""
_COLUMNS: Final = 32
"""How many columns of a matrix are eliminated one by one, before a product does the rest."""


def cholesky(xp: Namespace, x: Array) -> Array:
    """The lower triangular factor of each matrix; nan if it has none."""
    return widened(xp, lambda x: _cholesky(xp, x), x)


def _cholesky(xp: Namespace, x: Array) -> Array:
    try:
        return xp.linalg.cholesky(x)
    except np.linalg.LinAlgError:
        if x.ndim > 2:
            return xp.stack([_cholesky(xp, each) for each in x])
        return np.tril(xp.full_like(x, xp.nan))


def cholesky_grad(xp: Namespace, factor: Array, grad: Array) -> Array:
    """The gradient of `cholesky`, from its result."""
    return widened(xp, lambda factor, grad: _cholesky_grad(xp, factor, grad), factor, grad)


def _cholesky_grad(xp: Namespace, factor: Array, grad: Array) -> Array:
    if not are_many_and_small(factor.shape):
        result = np.zeros_like(factor)
        for index in np.ndindex(factor.shape[:-2]) if factor.size else ():
            result[index] = _grad_by_halves(factor[index], grad[index])
        return result

    def solved(x: Array) -> Array:
        return matrix_triangular_solve(xp, factor, x, lower=True, adjoint=True)

    x = np.tril(xp.matmul(xp.swapaxes(np.tril(factor), -1, -2), grad))
    x = x - np.tril(np.triu(x)) / 2
    y = solved(xp.swapaxes(solved(x), -1, -2))
    return (y + xp.swapaxes(y, -1, -2)) / 2


def _grad_by_halves(factor: Array, grad: Array) -> Array:
    """The same for one matrix: L^-T S L^-1 / 2, where S is symmetric and has the lower triangle of L^T times `grad`.

    The result is written by halves of the rows and columns: most of the work is then in products of matrices.
    """
    functions: Any = linalg.get_blas_funcs(("trmm", "trsm"), (factor, grad))
    multiply, solve = functions
    result = np.empty_like(factor)

    def divided(x: Array, by: Array) -> Array:
        """`x` times the inverse of a lower triangle."""
        return np.asarray(solve(1, by.T, x, side=1, trans_a=1))

    def fill(result: Array, factor: Array, lower: Array) -> None:
        if len(factor) <= BLOCK:
            half = np.tril(lower)
            half.reshape(-1)[:: len(half) + 1] /= 2
            half = divided(divided(half.T, factor).T, factor)
            np.add(half, half.T, out=result)
            return
        first, last = slice(len(factor) // 2), slice(len(factor) // 2, None)
        below, corner = factor[last, first], factor[last, last]
        fill(result[last, last], corner, lower[last, last])
        known = result[last, last] @ below
        rest = divided(lower[last, first].T, corner).T - known
        result[last, first] = divided(rest, factor[first, first])
        result[first, last] = result[last, first].T
        known = below.T @ (rest + known / 2)
        fill(result[first, first], factor[first, first], lower[first, first] - known - known.T)

    fill(result, factor, np.asarray(multiply(0.5, factor.T, np.tril(grad))))
    return result


def qr(xp: Namespace, x: Array, *, full_matrices: bool) -> tuple[Array, Array]:
    """Orthonormal columns and an upper triangle for each matrix."""
    q, r = xp.linalg.qr(wide(x), mode="complete" if full_matrices else "reduced")
    return q.astype(x.dtype, copy=False), r.astype(x.dtype, copy=False)


def lu(xp: Namespace, x: Array, *, output_idx_type: DType) -> tuple[Array, Array]:
    """Both factors of each matrix in one, and the rows that its rows come from."""
    y = wide(x)
    factor: Any = _by_columns if y.dtype.kind == "c" else linalg.get_lapack_funcs("getrf", (y,))
    factors, order = xp.empty(y.shape, y.dtype), xp.empty(y.shape[:-1], output_idx_type)
    for index in np.ndindex(y.shape[:-2]) if y.size else ():
        factors[index], exchanges, _ = factor(y[index])
        order[index] = _order(exchanges.tolist())
    singular = np.argwhere(xp.any(xp.diagonal(factors, 0, -2, -1) == 0, axis=-1))
    if len(singular):
        raise InvalidArgumentError(f"{which_matrix(singular[0], 'input')} is not invertible, so that it has no factors")
    return factors.astype(x.dtype, copy=False), order


def _by_columns(x: Array) -> tuple[Array, Array, int]:
    """What LAPACK's function gives, with pivots of the largest absolute value, as in TensorFlow.

    LAPACK compares complex numbers by the sums of their parts, and its factors are others. Some columns at a time are
    eliminated before the rest is.
    """
    y, exchanges, size = x.copy(), np.arange(len(x)), len(x)
    for start in range(0, size, _COLUMNS):
        stop = min(start + _COLUMNS, size)
        for k in range(start, stop):
            exchanges[k] += np.argmax(np.abs(y[k:, k]))
            y[[k, exchanges[k]]] = y[[exchanges[k], k]]
            y[k + 1 :, k] /= y[k, k]
            y[k + 1 :, k + 1 : stop] -= np.outer(y[k + 1 :, k], y[k, k + 1 : stop])
        if stop < size:
            left, above = y[start:stop, start:stop], y[start:stop, stop:]
            above[...] = linalg.solve_triangular(left, above, lower=True, unit_diagonal=True, check_finite=False)
            y[stop:, stop:] -= y[stop:, start:stop] @ above
    return y, exchanges, 0


def _order(exchanges: list[int]) -> list[int]:
    """The order of rows after exchanges of each row with another one."""
    order = list(range(len(exchanges)))
    for i, j in enumerate(exchanges):
        order[i], order[j] = order[j], order[i]
    return order
