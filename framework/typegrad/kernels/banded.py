"""Kernels of `ops/banded.yaml`. They assign to rows, and SciPy calls LAPACK: NumPy's only."""

from __future__ import annotations

import numpy as np
from scipy import linalg

from typegrad.kernels.linear_systems import singular
from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import widened


def banded_triangular_solve(xp: Namespace, matrix: Array, rhs: Array, *, lower: bool, adjoint: bool) -> Array:
    """X of A X = B, row by row."""
    zeros = np.argwhere(xp.any(matrix[..., 0 if lower else -1, :] == 0, axis=-1))
    if len(zeros):
        raise singular(zeros[0], name="matrix")

    def function(matrix: Array, rhs: Array) -> Array:
        bands = matrix if lower else xp.flip(matrix, axis=-2)  # the main diagonal first
        if adjoint:
            sign = -1 if lower else 1
            bands = xp.conj(xp.stack([np.roll(bands[..., k, :], sign * k, -1) for k in range(bands.shape[-2])], -2))
        rows = range(rhs.shape[-2])
        result = np.zeros((*xp.broadcast_shapes(matrix.shape[:-2], rhs.shape[:-2]), *rhs.shape[-2:]), rhs.dtype)
        forward = lower != adjoint
        for row in rows if forward else reversed(rows):
            count = min(bands.shape[-2] - 1, row if forward else len(rows) - 1 - row)
            known = (
                xp.flip(result[..., row - count : row, :], -2) if forward else result[..., row + 1 : row + 1 + count, :]
            )
            rest = rhs[..., row, :] - xp.sum(bands[..., 1 : count + 1, row, None] * known, axis=-2)
            result[..., row, :] = rest / bands[..., 0, row, None]
        return result

    return widened(xp, function, matrix, rhs)


def tridiagonal_solve(xp: Namespace, diagonals: Array, rhs: Array) -> Array:
    """X of A X = B; nan where A is singular."""
    above, main, below = xp.moveaxis(diagonals, -2, 0)
    bands = xp.stack([np.roll(above, 1, -1), main, np.roll(below, -1, -1)], -2)
    result = np.full_like(rhs, np.nan)
    for index in np.ndindex(rhs.shape[:-2]) if rhs.size else ():
        try:
            result[index] = linalg.solve_banded((1, 1), bands[index], rhs[index], check_finite=False)
        except np.linalg.LinAlgError:
            continue
    return result


def tridiagonal_mat_mul(xp: Namespace, superdiag: Array, maindiag: Array, subdiag: Array, rhs: Array) -> Array:
    """The products of tridiagonal matrices and matrices."""
    above, main, below = (xp.swapaxes(x, -1, -2) for x in (superdiag, maindiag, subdiag))
    result = main * rhs
    result[..., :-1, :] += above[..., :-1, :] * rhs[..., 1:, :]
    result[..., 1:, :] += below[..., 1:, :] * rhs[..., :-1, :]
    return result
