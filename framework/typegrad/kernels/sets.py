"""Kernels of `ops/sets.yaml`. NumPy's only: `jax.numpy` has no `unique` of unknown size.

Bfloat16 is compared as float32: NumPy sorts it wrongly beside nan.
"""

from __future__ import annotations

import numpy as np

from typegrad.kernels.namespace import Array, DType, Namespace
from typegrad.kernels.precision import wide


def unique_v2(xp: Namespace, x: Array, axis: Array, *, out_idx: DType) -> tuple[Array, Array]:
    """The distinct elements, or slices along an axis, in the order of their first occurrence."""
    dim = int(axis[0]) % x.ndim if axis.size else 0
    if x.ndim == 1:
        _, firsts, inverse = np.unique(wide(x), return_index=True, return_inverse=True, equal_nan=False)
    else:
        axis_of_rows: int | None = 0
        codes = np.unique(wide(x).reshape(-1), return_inverse=True, equal_nan=False)[1].reshape(x.shape)
        rows = np.moveaxis(codes, dim, 0).reshape(x.shape[dim], x.size // max(x.shape[dim], 1))
        count, width = int(codes.max(initial=0)) + 1, rows.shape[1]
        if count**width <= np.iinfo(np.int64).max:  # each row as a number
            rows, axis_of_rows = rows @ count ** np.arange(width), None
        _, firsts, inverse = np.unique(rows, axis=axis_of_rows, return_index=True, return_inverse=True)
    order = np.argsort(firsts)
    position = np.empty(len(order), out_idx)
    position[order] = np.arange(len(order))
    return xp.take(x, firsts[order], axis=dim), position[inverse.reshape(-1)]


def unique_with_counts_v2(xp: Namespace, x: Array, axis: Array, *, out_idx: DType) -> tuple[Array, Array, Array]:
    """The same, and how often each occurs."""
    y, idx = unique_v2(xp, x, axis, out_idx=out_idx)
    along = int(axis[0]) % x.ndim if axis.size else 0
    return y, idx, np.bincount(idx, minlength=y.shape[along]).astype(out_idx)


def list_diff(xp: Namespace, x: Array, y: Array, *, out_idx: DType) -> tuple[Array, Array]:
    """The elements of x that are not in y, and where they are."""
    idx = np.flatnonzero(~np.isin(wide(x), wide(y)))
    return x[idx], idx.astype(out_idx)
