"""Kernels of `ops/reduction.yaml`. `max` and `min` run on NumPy only; see `extreme`."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import partial
from typing import Final

import numpy as np

from typegrad.kernels.checks import axes_of
from typegrad.kernels.complex import conjugated, over_real
from typegrad.kernels.namespace import Array, DType, Function, Namespace
from typegrad.kernels.precision import wide, widened

LANES: Final = 64
"""How many products are computed side by side at least: in a single one, each factor waits for the one before."""
VECTOR: Final = 16
"""How many numbers are added side by side at least."""
PART: Final = 1 << 10
"""How many numbers are added without regard to rounding: an error grows with their number."""
MANY: Final = 1 << 12
"""Fewer numbers are added sooner by a single call."""


def in_order(x: Array, axes: Iterable[int]) -> Array:
    """Floats whose order in memory is row by row as far as the result depends on it, to reduce these axes."""
    return x if x.dtype.kind in "biu" or x.flags.c_contiguous or _is_in_order(x, axes) else x.copy()


def _is_in_order(x: Array, axes: Iterable[int]) -> bool:
    """Whether NumPy reduces x, which may repeat its elements, as it would reduce a copy.

    Neighbouring axes that are reduced are one for NumPy. So they must be in memory: all of their elements are repeated,
    or none.
    """
    reduced, size = {axis % x.ndim for axis in axes}, x.itemsize
    inner, step = x.ndim, 0
    for axis in reversed(range(x.ndim)):
        length, stride = x.shape[axis], x.strides[axis]
        if length == 1:
            continue
        if stride not in (0, size) or (axis in reduced and inner in reduced and stride != step):
            return False
        size *= length if stride else 1
        inner, step = axis, stride * length
    return True


def accumulated(function: Function, x: Array, axes: tuple[int, ...], keep_dims: bool) -> Array:
    """A reduction that accumulates in x's own dtype, or in float32 if that is narrow."""
    y = wide(in_order(x, axes))
    return function(y, axis=axes, keepdims=keep_dims, dtype=y.dtype).astype(x.dtype, copy=False)


def _shortened(function: Function, shorter: Function, kinds: str, least: int, smallest: int = 0) -> Function:
    """A reduction. Of at least so many neighbours of these kinds of types, `shorter` makes fewer first.

    Not of arrays of less than `smallest` elements.
    """

    def reduction(x: Array, *, axis: tuple[int, ...], keepdims: bool, dtype: DType) -> Array:
        if x.size < smallest:
            return function(x, axis=axis, keepdims=keepdims, dtype=dtype)
        reduced, first = {each % x.ndim for each in axis}, x.ndim
        while first - 1 in reduced:
            first -= 1
        before, count = x.shape[:first], math.prod(x.shape[first:])
        if dtype.kind in kinds and count >= least and x.size:
            rows = shorter(x.reshape(*before, count))
            x = rows.reshape(*before, *[1] * (x.ndim - first - 1), rows.shape[-1])
        return function(x, axis=axis, keepdims=keepdims, dtype=dtype)

    return reduction


def summing(xp: Namespace, *, is_block: bool = False) -> Function:
    """The function that sums floats in order. With `is_block`, arrays of any size are summed as large arrays are."""
    return _shortened(xp.sum, partial(_of_parts, xp, partial(_sums, xp)), "f", VECTOR, 0 if is_block else MANY)


def _of_parts(xp: Namespace, sums: Function, rows: Array) -> Array:
    """What `sums` makes of the parts of each row."""
    rest = rows.shape[-1] % PART
    whole, results = rows.shape[-1] - rest, []
    if whole:
        results.append(sums(rows[..., :whole].reshape(*rows.shape[:-1], whole // PART, PART)))
    if rest:
        results.append(sums(rows[..., None, whole:]))
    return results[0] if len(results) == 1 else xp.concatenate(results, axis=-1)


def _sums(xp: Namespace, x: Array) -> Array:
    """The sums along the last axis by `einsum`, which adds several numbers at once; of repeated rows, one sum each."""
    if x.flags.c_contiguous:
        return xp.einsum("...i->...", x)
    distinct = x[tuple(slice(None if stride else 1) for stride in x.strides[:-1])]
    *before, parts, length = distinct.shape
    rows = distinct.reshape(math.prod(before), parts, length)
    sums = xp.einsum("ijk->ij", rows if rows.strides[-1] else rows.copy())
    return xp.broadcast_to(sums.reshape(*before, parts), x.shape[:-1])


def sums_of_rows(xp: Namespace, x: Array, *, is_block: bool = False) -> Array:
    """The sums along the last axis, which stays with size 1."""
    return summing(xp, is_block=is_block)(in_order(x, [-1]), axis=(-1,), keepdims=True, dtype=x.dtype)


def sum(xp: Namespace, x: Array, axes: Array, *, keep_dims: bool) -> Array:
    """The sum; 0 of nothing. Integers wrap."""
    return _summed(xp, x, axes_of(axes), keep_dims)


def _summed(xp: Namespace, x: Array, axes: tuple[int, ...], keep_dims: bool) -> Array:
    """Sums begin with 0, so that no sum of zeros is -0, but a single element is what it is."""
    result = accumulated(summing(xp), x, axes, keep_dims)
    return x.reshape(result.shape) if result.size == x.size else result


def mean(xp: Namespace, x: Array, axes: Array, *, keep_dims: bool) -> Array:
    """The sum over the count; integers are summed in 64 bits and truncated towards zero."""
    reduced = axes_of(axes)
    count = math.prod(x.shape[axis] for axis in reduced)
    if count == 0 and x.dtype.kind in "iuc":
        return accumulated(xp.sum, x, reduced, keep_dims)
    if x.dtype.kind in "iu":
        total = xp.sum(x, axis=reduced, keepdims=keep_dims, dtype=xp.uint64 if x.dtype.kind == "u" else xp.int64)
        return xp.floor_divide(total - xp.fmod(total, count), count).astype(x.dtype)
    return widened(xp, lambda x: over_real(xp, _summed(xp, x, reduced, keep_dims), count), x)


def euclidean_norm(xp: Namespace, x: Array, axes: Array, *, keep_dims: bool) -> Array:
    """The root of the sum of squares; of integers, truncated."""
    reduced = axes_of(axes)
    if x.dtype.kind == "f" and {axis % x.ndim for axis in reduced} == {*range(len(reduced))} != {*range(x.ndim)}:
        shape = x.shape[len(reduced) :]
        columns = wide(x).reshape(-1 if x.size else 0, math.prod(shape))
        sums = xp.einsum("ij,ij->j", columns, columns)  # without an array of squares
        return xp.sqrt(sums.reshape((1,) * (len(reduced) if keep_dims else 0) + shape)).astype(x.dtype)
    squares = _squares(xp, wide(x), reduced)
    return xp.sqrt(accumulated(summing(xp), squares, reduced, keep_dims)).astype(x.dtype)


def _squares(xp: Namespace, x: Array, axes: Iterable[int]) -> Array:
    """The squares; along a long last axis that is summed, the sums of parts of them."""
    if x.ndim - 1 not in {axis % x.ndim for axis in axes} or x.dtype.kind != "f" or not x.size or x.shape[-1] < LANES:
        return x * conjugated(xp, x)
    rows = x if x.flags.c_contiguous else x.copy()
    return _of_parts(xp, lambda parts: xp.vecdot(parts, parts), rows)


def prod(xp: Namespace, x: Array, axes: Array, *, keep_dims: bool) -> Array:
    """The product; 1 of nothing. Integers wrap."""
    return accumulated(_shortened(xp.prod, partial(_in_lanes, xp), "fc", 2 * LANES), x, axes_of(axes), keep_dims)


def _in_lanes(xp: Namespace, rows: Array) -> Array:
    """The product of each lane, and the numbers that no lane has."""
    count = rows.shape[-1]
    lanes = LANES if count < LANES**2 else math.isqrt(count)
    whole = count // lanes * lanes
    parts = xp.prod(rows[..., :whole].reshape(*rows.shape[:-1], whole // lanes, lanes), axis=-2)
    return xp.concatenate((parts, rows[..., whole:]), axis=-1)


def max(xp: Namespace, x: Array, axes: Array, *, keep_dims: bool) -> Array:
    """The largest element, nan if there is one; the lowest value of the dtype for nothing."""
    lowest = xp.iinfo(x.dtype).min if x.dtype.kind in "iu" else -xp.inf
    return extreme(np.maximum, lowest, x, axes_of(axes), keep_dims=keep_dims)


def min(xp: Namespace, x: Array, axes: Array, *, keep_dims: bool) -> Array:
    """The smallest element, nan if there is one; the highest value of the dtype for nothing."""
    highest = xp.iinfo(x.dtype).max if x.dtype.kind in "iu" else xp.inf
    return extreme(np.minimum, highest, x, axes_of(axes), keep_dims=keep_dims)


def extreme(
    ufunc: np.ufunc, empty: float, x: Array, axes: tuple[int, ...], *, keep_dims: bool, is_block: bool = False
) -> Array:
    """A reduction by a ufunc, `empty` of nothing. Of the last axes of many elements, `reduceat` takes half the time.

    A block, however small, is reduced as a large array: which of several nans results depends on it.
    """
    kept, least = x.ndim - len(axes), 1 if is_block else MANY
    if x.size < least or not x.flags.c_contiguous or {axis % x.ndim for axis in axes} != {*range(kept, x.ndim)}:
        result: Array = ufunc.reduce(x, axis=axes, keepdims=keep_dims, initial=empty)
        return result
    shape = x.shape[:kept]
    starts = np.arange(0, x.size, x.size // math.prod(shape))
    return ufunc.reduceat(x.reshape(-1), starts).reshape(shape + (1,) * (len(axes) if keep_dims else 0))


def all(xp: Namespace, x: Array, axes: Array, *, keep_dims: bool) -> Array:
    """Whether every element is true."""
    return _decided(xp, xp.all, xp.argmin, x, axes_of(axes), keep_dims)


def any(xp: Namespace, x: Array, axes: Array, *, keep_dims: bool) -> Array:
    """Whether an element is true."""
    return _decided(xp, xp.any, xp.argmax, x, axes_of(axes), keep_dims)


def _decided(
    xp: Namespace, function: Function, position: Function, x: Array, axes: tuple[int, ...], keep_dims: bool
) -> Array:
    """`function` of truth values. NumPy finds the element of a row that decides faster than it combines the row."""
    if not x.size or [axis % x.ndim for axis in axes] != [x.ndim - 1]:
        return function(x, axis=axes, keepdims=keep_dims)
    result = xp.take_along_axis(x, xp.expand_dims(position(x, axis=-1), -1), axis=-1)
    return result if keep_dims else xp.squeeze(result, axis=-1)


def arg_max(xp: Namespace, x: Array, dimension: Array, *, output_type: DType) -> Array:
    """The position of the largest element, the first if there are several."""
    return _position(xp, xp.argmax, -xp.inf, x, dimension, output_type)


def _position(xp: Namespace, function: Function, worst: float, x: Array, dimension: Array, output_type: DType) -> Array:
    if x.dtype.kind not in "biu":
        x = wide(x)
        if (is_nan := xp.isnan(x)).any():
            x = xp.where(is_nan, x.dtype.type(worst), x)
    return function(x, axis=int(dimension)).astype(output_type)


def arg_min(xp: Namespace, x: Array, dimension: Array, *, output_type: DType) -> Array:
    """The position of the smallest element, the first if there are several."""
    return _position(xp, xp.argmin, xp.inf, x, dimension, output_type)
