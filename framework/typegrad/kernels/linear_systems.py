"""Kernels of `ops/linear_systems.yaml`. SciPy calls BLAS: NumPy's only."""

from __future__ import annotations

import numpy as np
from scipy import linalg

from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import widened


def matrix_triangular_solve(xp: Namespace, matrix: Array, rhs: Array, *, lower: bool, adjoint: bool) -> Array:
    """X of A X = B for each pair of matrices."""
    shape = (*np.broadcast_shapes(matrix.shape[:-2], rhs.shape[:-2]), *rhs.shape[-2:])

    def function(matrix: Array, rhs: Array) -> Array:
        result = np.zeros(shape, rhs.dtype)
        left, right = (np.broadcast_to(x, (*shape[:-2], *x.shape[-2:])) for x in (matrix, rhs))
        solve = linalg.get_blas_funcs("trsm", (matrix, rhs))
        for index in np.ndindex(shape[:-2]) if result.size else ():
            result[index] = solve(1, left[index], right[index], lower=lower, trans_a=2 if adjoint else 0)
        return result

    return widened(xp, function, matrix, rhs)
