"""Kernels of `ops/gather_and_scatter.yaml`. All but `gather_v2` write into arrays, and run on NumPy only."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import TypeAlias

import numpy as np

from typegrad.kernels.checks import axis_of, check_indices, ints, outside
from typegrad.kernels.namespace import Array, Function, Namespace
from typegrad.kernels.updating import at_rows, blank

Write: TypeAlias = Callable[[Array, Array, Array], None]
"""Writes updates into the rows of a table: its parameters are the table, the rows and the updates."""


def gather_v2(xp: Namespace, params: Array, indices: Array, axis: Array, *, batch_dims: int) -> Array:
    """The slices of params at the indices, along one axis, for each of the batch dimensions by itself."""
    dim = axis_of(axis, params.ndim)
    batch = batch_dims + indices.ndim if batch_dims < 0 else batch_dims
    shape = (*params.shape[:dim], *indices.shape[batch:], *params.shape[dim + 1 :])
    if 0 in shape:  # nothing is looked up, so no index is out of range
        return xp.zeros(shape, params.dtype)
    check_indices("indices", indices, params.shape[dim], f"the size of axis {dim} of `params`")
    if batch == 0:
        return xp.asarray(xp.take(params, indices, axis=dim), dtype=params.dtype)
    count, blocks = math.prod(params.shape[:batch]), math.prod(params.shape[batch:dim])
    table = params.reshape(count, blocks, params.shape[dim], -1)
    chosen = indices.reshape(count, 1, math.prod(indices.shape[batch:]))
    rows, columns = xp.arange(count)[:, None, None], xp.arange(blocks)[None, :, None]
    return table[rows, columns, chosen].reshape(shape)


def gather_nd(xp: Namespace, params: Array, indices: Array, *, bad_indices_policy: str) -> Array:
    """The element or slice at each point."""
    depth = indices.shape[-1]
    is_good = _good(xp, indices, params.shape, bad_indices_policy)
    if is_good.all():
        if not depth:
            return _repeated(xp, params, indices)
        if params.flags.c_contiguous:
            table = params.reshape(math.prod(params.shape[:depth]), *params.shape[depth:])
            result = xp.take(table, _places(indices, params.shape), axis=0)
        else:
            result = params[tuple(indices[..., axis] for axis in range(depth))]
        return xp.asarray(result, dtype=params.dtype)  # a single string comes as bytes
    result = blank(xp, (*indices.shape[:-1], *params.shape[depth:]), params.dtype)
    good = indices[is_good]
    result[is_good] = params[tuple(good[:, axis] for axis in range(depth))]
    return result


def _repeated(xp: Namespace, params: Array, indices: Array) -> Array:
    """All of `params` for each point, because a point without coordinates is everywhere."""
    return xp.broadcast_to(params, (*indices.shape[:-1], *params.shape))


def _good(xp: Namespace, indices: Array, sizes: tuple[int, ...], policy: str) -> Array:
    """Which points are within the sizes; an error if one is not, unless the policy ignores it."""
    is_good = xp.full(indices.shape[:-1], True)
    for axis in range(indices.shape[-1]):  # one after the other: inner loops over coordinates would be short
        is_good = is_good & (indices[..., axis] >= 0) & (indices[..., axis] < sizes[axis])
    if policy != "IGNORE" and not is_good.all():
        raise outside("indices", indices, ~is_good, sizes)
    return is_good


def scatter_nd(xp: Namespace, indices: Array, updates: Array, shape: Array, *, bad_indices_policy: str) -> Array:
    """Zeros, to which each update is added at its point."""
    zeros = blank(xp, ints(shape), updates.dtype)
    return _scattered(xp, partial(at_rows, np.add), zeros, indices, updates, bad_indices_policy)


def _scattering(write: Write) -> Function:
    """The kernel that writes updates into a copy of an array."""

    def kernel(xp: Namespace, array: Array, indices: Array, updates: Array, *, bad_indices_policy: str) -> Array:
        return _scattered(xp, write, array.copy(), indices, updates, bad_indices_policy)

    return kernel


def _scattered(xp: Namespace, write: Write, array: Array, indices: Array, updates: Array, policy: str) -> Array:
    """Write each update into a contiguous array at its point. A point without coordinates is the whole array."""
    write_at(write, array, *good_points(xp, indices, updates, array.shape, policy))
    return array


def good_points(
    xp: Namespace, indices: Array, updates: Array, sizes: tuple[int, ...], policy: str
) -> tuple[Array, Array]:
    """The points within the sizes, a row each, and their updates; an error for others, unless they are ignored."""
    is_good = _good(xp, indices, sizes, policy)
    return indices[is_good], updates[is_good]


def write_at(write: Write, array: Array, points: Array, updates: Array) -> None:
    """Write updates into a contiguous array at its points."""
    depth = points.shape[-1]
    sizes, row = array.shape[:depth], array.shape[depth:]
    write(array.reshape(math.prod(sizes), *row), _places(points, sizes), updates)


def _places(points: Array, sizes: tuple[int, ...]) -> Array:
    """The points as numbers of elements, counted row by row."""
    places = np.zeros(points.shape[:-1], np.int64)
    for axis in range(points.shape[-1]):
        places = places * sizes[axis] + points[..., axis]
    return np.asarray(places)


def replace(table: Array, rows: Array, updates: Array) -> None:
    """Replace rows."""
    table[rows] = updates  # of several updates of one row, NumPy keeps the last one


tensor_scatter_update = _scattering(replace)
tensor_scatter_add = scatter_nd_non_aliasing_add = _scattering(partial(at_rows, np.add))
tensor_scatter_sub = _scattering(partial(at_rows, np.subtract))
tensor_scatter_max = _scattering(partial(at_rows, np.maximum))
tensor_scatter_min = _scattering(partial(at_rows, np.minimum))
