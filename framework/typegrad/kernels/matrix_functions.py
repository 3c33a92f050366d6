"""Kernels of `ops/matrix_functions.yaml`. They are SciPy's: NumPy's only."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import linalg

from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import widened


def matrix_exponential(xp: Namespace, x: Array) -> Array:
    """The exponential of each matrix."""
    return widened(xp, lambda x: _of_finite(linalg.expm, x), x)


def matrix_logarithm(xp: Namespace, x: Array) -> Array:
    """The principal logarithm of each matrix."""
    return widened(xp, lambda x: _of_finite(_of_each(_logarithm), x), x)


def _logarithm(x: Array) -> Array:
    triangle, vectors = linalg.schur(x)
    if not np.all(np.diagonal(triangle)):
        return np.full_like(x, np.nan)
    result: Array = vectors @ linalg.logm(triangle) @ vectors.conj().T
    return result


def matrix_square_root(xp: Namespace, x: Array) -> Array:
    """The principal square root of each matrix; nan where a real matrix has none."""
    return widened(xp, lambda x: _of_finite(_of_each(_root), x), x)


def _root(x: Array) -> Array:
    result: Array = np.asarray(linalg.sqrtm(x))
    return np.full_like(x, np.nan) if result.dtype.kind == "c" != x.dtype.kind else result


def _of_finite(function: Callable[[Array], Array], x: Array) -> Array:
    """A function of a stack of matrices; nan where an element is not finite."""
    result = np.full_like(x, np.nan)
    is_finite = np.isfinite(x).all((-2, -1))
    if x.size and is_finite.any():
        result[is_finite] = function(x[is_finite])
    return result


def _of_each(function: Callable[[Array], Array]) -> Callable[[Array], Array]:
    """The function of each matrix of a stack."""
    return lambda x: np.stack([function(each) for each in x])
