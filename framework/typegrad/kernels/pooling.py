"""Kernels of `ops/pooling.yaml`. A window may extend over any dimensions.

Maxima and sums are taken along one dimension after the other; the position of a maximum needs all of them together.
The kernels write into arrays: they are NumPy's only.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias

import ml_dtypes
import numpy as np

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.checks import ints
from typegrad.kernels.namespace import Array, DType, Namespace
from typegrad.kernels.precision import widened
from typegrad.kernels.windows import Sweep, padded, sweeps_of
from typegrad.shapes.pooling import pooling_windows
from typegrad.shapes.view import OpView

_Slices: TypeAlias = tuple[slice, ...]

PART: Final = 2**18
"""The number of elements that are pooled at once."""


class Pool(NamedTuple):
    """The attributes that say how the window slides."""

    ksize: tuple[int, ...]
    strides: tuple[int, ...]
    padding: str
    data_format: str


def _pool(ksize: Array, strides: Array, padding: str, data_format: str) -> Pool:
    """Max pooling, whose window and steps are inputs."""
    return Pool(ints(ksize), ints(strides), padding, data_format)


@lru_cache(maxsize=1024)
def swept(pool: Pool, lengths: tuple[int, ...]) -> tuple[Sweep, ...]:
    """The sweeps of the window over dimensions of these sizes."""
    return tuple(sweeps_of(pooling_windows(OpView({}, {}, pool._asdict())), lengths))


def max_pool_v2(xp: Namespace, x: Array, ksize: Array, strides: Array, *, padding: str, data_format: str) -> Array:
    """The largest element at each position, ignoring nan. -inf counts as the lowest finite number."""
    return maxima(xp, x, swept(_pool(ksize, strides, padding, data_format), x.shape))


def maxima(xp: Namespace, x: Array, sweeps: tuple[Sweep, ...]) -> Array:
    """The same for these sweeps."""
    result = xp.empty(tuple(sweep.positions for sweep in sweeps), x.dtype)
    for part in parts_of(sweeps):
        result[part] = at_least_lowest(_reduced(np.fmax, x[part], sweeps, _lowest(x.dtype)))
    return result


def _lowest(dtype: DType) -> Any:
    return (np.iinfo if dtype.kind in "iu" else ml_dtypes.finfo)(dtype).min


def at_least_lowest(x: Array) -> Array:
    """`x` with the lowest finite number for nan and -inf."""
    lowest = _lowest(x.dtype)
    # To look for them first is faster: `fmax` with one number for all takes three times as long.
    return x if x.min(initial=lowest) >= lowest else np.fmax(x, lowest)


def _reduced(ufunc: np.ufunc, x: Array, sweeps: tuple[Sweep, ...], outside: Any) -> Array:
    """The reduction of the elements at each position, with this number in the padding; `x` if the window is 1."""
    x = padded(x, [sweep.edges for sweep in sweeps], outside)
    for axis, sweep in _moving(sweeps):
        first, *others = ((slice(None),) * axis + (sweep.seen_by(element),) for element in range(sweep.size))
        reduced = ufunc(x[first], x[others.pop(0)]) if others else x[first].copy()
        for each in others:
            ufunc(reduced, x[each], out=reduced)
        x = reduced
    return x


def max_pool_grad_v2(
    xp: Namespace, x: Array, y: Array, grad: Array, ksize: Array, strides: Array, *, padding: str, data_format: str
) -> Array:
    """The gradient at each position accumulates at the first of the largest elements there.

    A nan is smaller than all others, unless it comes first.
    """
    sweeps = swept(_pool(ksize, strides, padding, data_format), x.shape)

    def function(grad: Array) -> Array:
        result = xp.zeros(x.shape, grad.dtype)
        for part in parts_of(sweeps):
            _spread(x[part], grad[part], sweeps, result[part])
        return result

    return widened(xp, function, grad)


def _spread(x: Array, grad: Array, sweeps: tuple[Sweep, ...], result: Array) -> None:
    """Add the gradient at each position to the first of the largest elements there."""
    largest = _reduced(np.maximum, x, sweeps, np.iinfo(x.dtype).min if x.dtype.kind in "iu" else -np.inf)
    if x.dtype.kind not in "iu" and np.isnan(largest).any():
        chosen = first_largest(x, sweeps, grad.shape)
        for number, (positions, elements) in enumerate(together(sweeps)):
            result[elements] += np.where(chosen[positions] == number, grad[positions], 0)
        return
    is_open = np.ones(grad.shape, bool)
    bits = grad.view(f"i{grad.itemsize}")
    for positions, elements in together(sweeps):
        is_first = x[elements] == largest[positions]
        is_first &= is_open[positions]
        is_open[positions] ^= is_first
        # Faster than `where`: of an integer, -1 keeps all bits, and 0 none.
        result[elements] += (bits[positions] & -is_first.view(np.int8)).view(grad.dtype)


def first_largest(x: Array, sweeps: tuple[Sweep, ...], shape: tuple[int, ...]) -> Array:
    """The number of the first of the largest elements at each position, for arrays with nan."""
    largest, chosen = np.zeros(shape, x.dtype), np.full(shape, -1, np.int32)
    for number, (positions, elements) in enumerate(together(sweeps)):
        is_better = (chosen[positions] < 0) | (largest[positions] < x[elements])
        largest[positions] = np.where(is_better, x[elements], largest[positions])
        chosen[positions] = np.where(is_better, number, chosen[positions])
    return chosen


def max_pool_grad_grad_v2(
    xp: Namespace, x: Array, y: Array, grad: Array, ksize: Array, strides: Array, *, padding: str, data_format: str
) -> Array:
    """The element of `grad` at the first element equal to the maximum; 0 where none is."""
    return first_equal(xp, x, y, grad, swept(_pool(ksize, strides, padding, data_format), x.shape))


def first_equal(xp: Namespace, x: Array, y: Array, grad: Array, sweeps: tuple[Sweep, ...]) -> Array:
    """The same for these sweeps."""
    result = xp.zeros(y.shape, grad.dtype)
    for positions, elements in reversed(together(sweeps)):
        result[positions] = xp.where(x[elements] == y[positions], grad[elements], result[positions])
    return result


def max_pool_with_argmax(
    xp: Namespace,
    x: Array,
    *,
    ksize: tuple[int, ...],
    strides: tuple[int, ...],
    padding: str,
    include_batch_in_index: bool,
    targmax: DType,
) -> tuple[Array, Array]:
    """The first of the largest elements at each position, and its index in the image or in the batch."""
    sweeps = swept(Pool(ksize, strides, padding, "NHWC"), x.shape)
    shape = tuple(sweep.positions for sweep in sweeps)
    if not x.size:
        return xp.zeros(shape, x.dtype), xp.zeros(shape, targmax)
    chosen = first_largest(x, sweeps, shape)
    indices = xp.zeros(shape, xp.int64)
    numbers = xp.reshape(xp.arange(x.size), x.shape)
    for number, (positions, elements) in enumerate(together(sweeps)):
        indices[positions] = xp.where(chosen[positions] == number, numbers[elements], indices[positions])
    argmax = indices if include_batch_in_index else indices % math.prod(x.shape[1:])
    return xp.take(xp.reshape(x, (-1,)), indices), argmax.astype(targmax)


def max_pool_grad_with_argmax(
    xp: Namespace, x: Array, grad: Array, argmax: Array, *, include_batch_in_index: bool
) -> Array:
    """The gradient at each position accumulates at its index."""
    indices = _in_batch(xp, x, argmax, include_batch_in_index)

    def function(grad: Array) -> Array:
        result = xp.zeros((x.size,), grad.dtype)
        np.add.at(result, indices.reshape(-1), grad.reshape(-1))  # fast in one dimension
        return xp.reshape(result, x.shape)

    return widened(xp, function, grad)


def max_pool_grad_grad_with_argmax(
    xp: Namespace, x: Array, grad: Array, argmax: Array, *, include_batch_in_index: bool
) -> Array:
    """The element of `grad` at each index."""
    indices = _in_batch(xp, x, argmax, include_batch_in_index)
    return xp.take(xp.reshape(grad, (-1,)), indices)


def _in_batch(xp: Namespace, x: Array, argmax: Array, is_in_batch: bool) -> Array:
    """Indices into all elements of `x`."""
    size = x.size if is_in_batch else math.prod(x.shape[1:])
    outside = (argmax < 0) | (argmax >= size)
    if outside.any():
        raise InvalidArgumentError(
            f"`argmax` has {argmax[outside][0]}, but must be in [0, {size}), the numbers of the elements of "
            f"{'`input`' if is_in_batch else 'an image'} {list(x.shape if is_in_batch else x.shape[1:])}"
        )
    return argmax if is_in_batch else xp.add(argmax, xp.reshape(xp.arange(len(x)), (-1, 1, 1, 1)) * size)


def avg_pool(
    xp: Namespace,
    x: Array,
    *,
    ksize: tuple[int, ...],
    strides: tuple[int, ...],
    padding: str,
    data_format: str,
) -> Array:
    """The mean over the elements inside the array, at each position."""
    sweeps = swept(Pool(ksize, strides, padding, data_format), x.shape)

    def function(x: Array) -> Array:
        counts = _counts(xp, sweeps, x.dtype)
        result = xp.empty(tuple(sweep.positions for sweep in sweeps), x.dtype)
        for part in parts_of(sweeps):
            sums = _reduced(np.add, x[part], sweeps, 0)
            if any(_moving(sweeps)):
                sums += 0  # a sum begins with 0: -0 alone gives 0
            np.divide(sums, counts, out=result[part])
        return result

    return widened(xp, function, x)


def avg_pool_grad(
    xp: Namespace,
    orig_input_shape: Array,
    grad: Array,
    *,
    ksize: tuple[int, ...],
    strides: tuple[int, ...],
    padding: str,
    data_format: str,
) -> Array:
    """The gradient at each position, divided equally among the elements there."""
    sweeps = swept(Pool(ksize, strides, padding, data_format), ints(orig_input_shape))

    def function(grad: Array) -> Array:
        counts = _counts(xp, sweeps, grad.dtype)
        result = xp.zeros([sweep.length for sweep in sweeps], grad.dtype)
        for part in parts_of(sweeps):
            _distribute(grad[part] / counts, sweeps, result[part])
        return result

    return widened(xp, function, grad)


def _distribute(grad: Array, sweeps: tuple[Sweep, ...], result: Array) -> None:
    """Add `grad`, which is overwritten, to each element at its position, where `result` is 0.

    The last dimension comes first: its loops are short.
    """
    moving = [*_moving(sweeps)]
    if not moving:
        result[...] = grad
        return
    grad += 0  # -0 becomes 0, whether it is added to 0 or copied
    for axis, sweep in reversed(moving):
        is_last = axis == moving[0][0]
        total = result if is_last else np.zeros(_resized(grad.shape, axis, sweep.length), grad.dtype)
        for positions, elements in _along(axis, sweep):
            if sweep.span <= sweep.stride:
                total[elements] = grad[positions]
            else:
                total[elements] += grad[positions]
        grad = total


def parts_of(sweeps: tuple[Sweep, ...]) -> list[slice]:
    """Some images at a time; all if the window moves over them."""
    if (sweeps[0].size, sweeps[0].stride) != (1, 1):
        return [slice(None)]
    return parts(tuple(sweep.length for sweep in sweeps))


def parts(shape: tuple[int, ...]) -> list[slice]:
    """Some images at a time, so that intermediate results stay in a cache."""
    step = max(1, PART // max(1, math.prod(shape[1:])))
    return [slice(first, first + step) for first in range(0, shape[0], step)]


def _counts(xp: Namespace, sweeps: tuple[Sweep, ...], dtype: DType) -> Array:
    """The number of elements inside the array at each position, or one number if it is the same at all."""
    counts = xp.ones((1,) * len(sweeps), dtype)
    for axis, sweep in _moving(sweeps):
        along = xp.zeros(_resized(counts.shape, axis, sweep.positions), dtype)
        for positions, _ in _along(axis, sweep):
            along[positions] += 1
        counts = counts * along
    first = counts[(slice(1),) * counts.ndim]
    if (counts == first).all():
        return first
    # Repeated for each channel, so that NumPy's inner loops are long.
    return np.repeat(counts, sweeps[-1].positions, axis=-1) if counts.shape[-1] == 1 else counts


def _resized(shape: tuple[int, ...], axis: int, length: int) -> tuple[int, ...]:
    return (*shape[:axis], length, *shape[axis + 1 :])


def _moving(sweeps: tuple[Sweep, ...]) -> Iterator[tuple[int, Sweep]]:
    """The dimensions along which the window is larger than one element, or moves by more than one."""
    return ((axis, sweep) for axis, sweep in enumerate(sweeps) if (sweep.size, sweep.stride) != (1, 1))


@lru_cache(maxsize=1024)
def _along(axis: int, sweep: Sweep) -> tuple[tuple[_Slices, _Slices], ...]:
    """For each element of the window along a dimension, the positions at which it is inside, and its indices there."""
    before = (slice(None),) * axis
    inside = map(sweep.inside, range(sweep.size))
    return tuple(((*before, positions), (*before, elements)) for positions, elements in inside)


@lru_cache(maxsize=1024)
def together(sweeps: tuple[Sweep, ...]) -> tuple[tuple[_Slices, _Slices], ...]:
    """The same for each element of the window, row by row."""
    inside = itertools.product(*([sweep.inside(element) for element in range(sweep.size)] for sweep in sweeps))
    return tuple(
        (tuple(positions), tuple(elements)) for positions, elements in (zip(*each, strict=True) for each in inside)
    )
