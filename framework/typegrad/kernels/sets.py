"""Kernels of `ops/sets.yaml`."""

from __future__ import annotations

from typing import Any

import numpy as np

from typegrad.base.errors import InvalidArgumentError


def unique_v2(xp: Any, x: Any, axis: Any, *, out_idx: Any) -> tuple[Any, Any]:
    """The different elements, or slices along an axis, in the order of their first occurrence."""
    dim = _unique_axis(x, axis)
    if x.ndim == 1:
        _, firsts, inverse = np.unique(x, return_index=True, return_inverse=True, equal_nan=False)
    else:
        codes = np.unique(x.reshape(-1), return_inverse=True, equal_nan=False)[1].reshape(x.shape)
        rows = np.moveaxis(codes, dim, 0).reshape(x.shape[dim], x.size // max(x.shape[dim], 1))
        _, firsts, inverse = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(firsts)
    place = np.empty(len(order), out_idx)
    place[order] = np.arange(len(order))
    return xp.take(x, firsts[order], axis=dim), place[inverse.reshape(-1)]


def _unique_axis(x: Any, axis: Any) -> int:
    if axis.ndim != 1 or axis.size > 1:
        raise InvalidArgumentError(f"`axis` must be a vector of one axis or none, but is {axis.tolist()}")
    if not axis.size and x.ndim != 1:
        raise InvalidArgumentError(f"without an axis, `x` must be a vector, but has shape {list(x.shape)}")
    found = int(axis[0]) if axis.size else 0
    if not -x.ndim <= found < x.ndim:
        raise InvalidArgumentError(f"`axis` is {found}, but `x` has shape {list(x.shape)}")
    return int(found % x.ndim)
