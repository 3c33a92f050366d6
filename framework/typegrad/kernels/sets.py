"""Kernels of `ops/sets.yaml`. They run on NumPy only: `jax.numpy` has no `unique` of unknown size.

Bfloat16 is compared as float32: NumPy sorts it wrongly beside nan.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from typegrad.kernels.namespace import Array, DType, Namespace
from typegrad.kernels.precision import wide

DENSE: Final = 4
"""Integers in a range of so many times their number are looked up in a table instead of sorted."""


def unique_v2(xp: Namespace, x: Array, axis: Array, *, out_idx: DType) -> tuple[Array, Array]:
    """The distinct elements, or slices along an axis, in the order of their first occurrence."""
    dim = int(axis[0]) % x.ndim if axis.size else 0
    firsts, codes = _codes(wide(x) if x.ndim == 1 else _rows(wide(x), dim))
    return xp.take(x, firsts, axis=dim), codes.astype(out_idx)


def _rows(x: Array, dim: int) -> Array:
    """A number for each slice along a dimension; equal ones have the same."""
    _, codes = _codes(x.reshape(-1))
    rows = np.moveaxis(codes.reshape(x.shape), dim, 0).reshape(x.shape[dim], x.size // max(x.shape[dim], 1))
    count, width = int(codes.max(initial=0)) + 1, rows.shape[1]
    if count**width <= np.iinfo(np.int64).max:
        return np.asarray(rows @ count ** np.arange(width))
    return np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1)


def _codes(x: Array) -> tuple[Array, Array]:
    """Where distinct elements occur first, in this order, and for each element which of them it is equal to."""
    places, equals = np.arange(len(x)), _equals(x)
    is_first = equals == places
    return places[is_first], (np.cumsum(is_first) - 1)[equals]


def _equals(x: Array) -> Array:
    """The position of the first element that is equal to each; nan is equal to none."""
    places = np.arange(len(x))
    if x.dtype == object:
        known: dict[bytes, int] = {}
        return np.array(
            [known.setdefault(*each) for each in zip(x.tolist(), places.tolist(), strict=True)], places.dtype
        )
    if x.dtype.kind in "iu" and x.size and int(x.max()) - int(x.min()) < DENSE * x.size:
        keys = (x - x.min()).astype(np.intp) if x.dtype.itemsize == 8 else x.astype(np.intp) - int(x.min())
        table = np.empty(int(keys.max()) + 1, places.dtype)
        table[keys[::-1]] = places[::-1]  # of equal elements, the last assignment remains
        return table[keys]
    _, firsts, inverse = np.unique(x, return_index=True, return_inverse=True, equal_nan=False)
    return firsts[inverse]


def unique_with_counts_v2(xp: Namespace, x: Array, axis: Array, *, out_idx: DType) -> tuple[Array, Array, Array]:
    """The same, and how often each occurs."""
    y, idx = unique_v2(xp, x, axis, out_idx=out_idx)
    along = int(axis[0]) % x.ndim if axis.size else 0
    return y, idx, np.bincount(idx, minlength=y.shape[along]).astype(out_idx)


def list_diff(xp: Namespace, x: Array, y: Array, *, out_idx: DType) -> tuple[Array, Array]:
    """The elements of x that are not in y, and where they are."""
    idx = np.flatnonzero(~np.isin(wide(x), wide(y)))
    return x[idx], idx.astype(out_idx)
