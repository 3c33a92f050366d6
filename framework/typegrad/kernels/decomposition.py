"""Kernels of `ops/decomposition.yaml`. What LAPACK refuses is an error of NumPy's only."""

from __future__ import annotations

import numpy as np

from typegrad.kernels.linear_systems import matrix_triangular_solve
from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import wide, widened


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
    def solved(x: Array) -> Array:
        return matrix_triangular_solve(xp, factor, x, lower=True, adjoint=True)

    x = np.tril(xp.matmul(xp.swapaxes(np.tril(factor), -1, -2), grad))
    x = x - np.tril(np.triu(x)) / 2
    y = solved(xp.swapaxes(solved(x), -1, -2))
    return (y + xp.swapaxes(y, -1, -2)) / 2


def qr(xp: Namespace, x: Array, *, full_matrices: bool) -> tuple[Array, Array]:
    """Orthonormal columns and an upper triangle for each matrix."""
    q, r = xp.linalg.qr(wide(x), mode="complete" if full_matrices else "reduced")
    return q.astype(x.dtype, copy=False), r.astype(x.dtype, copy=False)
