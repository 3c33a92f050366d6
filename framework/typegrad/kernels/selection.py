"""Kernels of `ops/selection.yaml`."""

from __future__ import annotations

from typing import Any

import numpy as np

from typegrad.base.errors import InvalidArgumentError


def gather_nd(xp: Any, params: Any, indices: Any, *, bad_indices_policy: str) -> Any:
    """The element or slice at each point."""
    if not params.ndim or not indices.ndim or indices.shape[-1] > params.ndim:
        raise InvalidArgumentError(
            f"`indices` must have one column per dimension to index, at most the rank of `params`, which must not be a scalar: "
            f"their shapes are {list(indices.shape)} and {list(params.shape)}"
        )
    depth = indices.shape[-1]
    is_good = _good(indices, params.shape, bad_indices_policy)
    if is_good.all():
        return params[tuple(indices[..., axis] for axis in range(depth))] if depth else _repeated(xp, params, indices)
    found = np.zeros((*indices.shape[:-1], *params.shape[depth:]), params.dtype)
    good = indices[is_good]
    found[is_good] = params[tuple(good[:, axis] for axis in range(depth))]
    return found


def _repeated(xp: Any, params: Any, indices: Any) -> Any:
    """All of `params` for each point, because a point without coordinates is everywhere."""
    return xp.broadcast_to(params, (*indices.shape[:-1], *params.shape))


def scatter_nd(xp: Any, indices: Any, updates: Any, shape: Any, *, bad_indices_policy: str) -> Any:
    """Zeros, to which each update is added at its point."""
    if shape.ndim != 1 or (shape.size and shape.min() < 0):
        raise InvalidArgumentError(f"`shape` must be a vector of sizes, but is {shape.tolist()}")
    sizes = tuple(int(size) for size in shape)
    if not indices.ndim or indices.shape[-1] > len(sizes):
        raise InvalidArgumentError(
            f"`indices` must have rank 1 or more, and at most a column for each dimension of the result, "
            f"but has shape {list(indices.shape)}, the result {list(sizes)}"
        )
    depth = indices.shape[-1]
    if updates.shape != (*indices.shape[:-1], *sizes[depth:]):
        raise InvalidArgumentError(
            f"`updates` has shape {list(updates.shape)}, but with indices of shape {list(indices.shape)} into shape "
            f"{list(sizes)} it must be {[*indices.shape[:-1], *sizes[depth:]]}"
        )
    is_good = _good(indices, sizes, bad_indices_policy)
    points, values = indices[is_good], updates[is_good]
    if not depth:
        return xp.sum(values, axis=0, dtype=values.dtype)
    result = np.full(sizes, b"", object) if updates.dtype == object else np.zeros(sizes, updates.dtype)
    np.add.at(result, tuple(points[:, axis] for axis in range(depth)), values)
    return result


def _good(indices: Any, sizes: tuple[int, ...], policy: str) -> Any:
    """Which points are within the sizes; an error if one is not, unless the policy ignores it."""
    if policy not in ("", "DEFAULT", "ERROR", "IGNORE"):
        raise InvalidArgumentError(f"`bad_indices_policy` is {policy!r}, but must be 'DEFAULT', 'ERROR' or 'IGNORE'")
    limits = np.asarray(sizes[: indices.shape[-1]], np.int64)
    is_good = np.all((indices >= 0) & (indices < limits), axis=-1)
    if policy != "IGNORE" and not is_good.all():
        wrong = indices[~is_good][0].tolist()
        raise InvalidArgumentError(f"an index is {wrong}, which is not within shape {list(sizes)}")
    return is_good


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


def clip_by_value(xp: Any, t: Any, clip_value_min: Any, clip_value_max: Any) -> Any:
    """The values, none above the maximum, then none below the minimum; a bound that is nan is none."""
    for name, bound in (("clip_value_min", clip_value_min), ("clip_value_max", clip_value_max)):
        if bound.ndim and bound.shape != t.shape:
            raise InvalidArgumentError(
                f"`{name}` must be a scalar or have the shape of `t`, {list(t.shape)}, but has shape {list(bound.shape)}"
            )
    below = xp.where(t > clip_value_max, clip_value_max, t)
    return xp.where(below < clip_value_min, clip_value_min, below)
