"""Kernels of `ops/pooling.yaml`. A window may extend over any of the four dimensions.

Maxima and sums are taken along one dimension after the other; the position of a maximum needs all of them together.
The kernels write into arrays: they are NumPy's only.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import ml_dtypes

from typegrad.kernels.checks import ints
from typegrad.kernels.namespace import Array, DType, Namespace
from typegrad.kernels.precision import widened
from typegrad.kernels.windows import Sweep, swept
from typegrad.shapes.pooling import pooling_windows
from typegrad.shapes.view import OpView

_Slices: TypeAlias = tuple[slice, ...]


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
def _swept(pool: Pool, lengths: tuple[int, ...]) -> list[Sweep]:
    """The swept of the window over dimensions of these sizes."""
    return swept(pooling_windows(OpView({}, {}, pool._asdict())), lengths)


def max_pool_v2(xp: Namespace, x: Array, ksize: Array, strides: Array, *, padding: str, data_format: str) -> Array:
    """The largest element at each position, ignoring nan. -inf counts as the lowest finite number."""
    pool = _pool(ksize, strides, padding, data_format)
    lowest = (xp.iinfo if x.dtype.kind in "iu" else ml_dtypes.finfo)(x.dtype).min
    x = xp.fmax(x, lowest)
    for axis, sweep in _moving(_swept(pool, x.shape)):
        largest = xp.full(_resized(x.shape, axis, sweep.positions), lowest, x.dtype)
        for positions, elements in _along(axis, sweep):
            largest[positions] = xp.fmax(largest[positions], x[elements])
        x = largest
    return x


def max_pool_grad_v2(
    xp: Namespace, x: Array, y: Array, grad: Array, ksize: Array, strides: Array, *, padding: str, data_format: str
) -> Array:
    """The gradient at each position accumulates at the first of the largest elements there."""
    sweeps = _swept(_pool(ksize, strides, padding, data_format), x.shape)
    chosen = _first_largest(xp, x, sweeps)

    def function(grad: Array) -> Array:
        result = xp.zeros(x.shape, grad.dtype)
        for number, positions, elements in _together(sweeps):
            result[elements] += xp.where(chosen[positions] == number, grad[positions], 0)
        return result

    return widened(xp, function, grad)


def _first_largest(xp: Namespace, x: Array, sweeps: list[Sweep]) -> Array:
    """The number of the first of the largest elements at each position.

    A nan is smaller than all others, unless it comes first.
    """
    largest = xp.zeros([sweep.positions for sweep in sweeps], x.dtype)
    chosen = xp.full(largest.shape, -1, xp.int32)
    for number, positions, elements in _together(sweeps):
        is_better = (chosen[positions] < 0) | (largest[positions] < x[elements])
        largest[positions] = xp.where(is_better, x[elements], largest[positions])
        chosen[positions] = xp.where(is_better, number, chosen[positions])
    return chosen


def max_pool_grad_grad_v2(
    xp: Namespace, x: Array, y: Array, grad: Array, ksize: Array, strides: Array, *, padding: str, data_format: str
) -> Array:
    """The element of `grad` at the first element equal to the maximum; 0 where none is."""
    sweeps = _swept(_pool(ksize, strides, padding, data_format), x.shape)
    result = xp.zeros(y.shape, grad.dtype)
    for _, positions, elements in reversed(list(_together(sweeps))):
        result[positions] = xp.where(x[elements] == y[positions], grad[elements], result[positions])
    return result


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
    sweeps = _swept(Pool(ksize, strides, padding, data_format), x.shape)

    def function(x: Array) -> Array:
        for axis, sweep in _moving(sweeps):
            total = xp.zeros(_resized(x.shape, axis, sweep.positions), x.dtype)
            for positions, elements in _along(axis, sweep):
                total[positions] += x[elements]
            x = total
        return x / _counts(xp, sweeps, x.dtype)

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
    sweeps = _swept(Pool(ksize, strides, padding, data_format), ints(orig_input_shape))

    def function(grad: Array) -> Array:
        grad = grad / _counts(xp, sweeps, grad.dtype)
        for axis, sweep in _moving(sweeps):
            total = xp.zeros(_resized(grad.shape, axis, sweep.length), grad.dtype)
            for positions, elements in _along(axis, sweep):
                total[elements] += grad[positions]
            grad = total
        return grad

    return widened(xp, function, grad)


def _counts(xp: Namespace, sweeps: list[Sweep], dtype: DType) -> Array:
    """The number of elements inside the array at each position."""
    counts = xp.ones((1,) * len(sweeps), dtype)
    for axis, sweep in _moving(sweeps):
        along = xp.zeros(_resized(counts.shape, axis, sweep.positions), dtype)
        for positions, _ in _along(axis, sweep):
            along[positions] += 1
        counts = counts * along
    return counts


def _resized(shape: tuple[int, ...], axis: int, length: int) -> tuple[int, ...]:
    return (*shape[:axis], length, *shape[axis + 1 :])


def _moving(sweeps: list[Sweep]) -> Iterator[tuple[int, Sweep]]:
    """The dimensions along which the window is larger than one element, or moves by more than one."""
    return ((axis, sweep) for axis, sweep in enumerate(sweeps) if (sweep.size, sweep.stride) != (1, 1))


def _along(axis: int, sweep: Sweep) -> Iterator[tuple[_Slices, _Slices]]:
    """For each element of the window along a dimension, the positions at which it is inside, and its indices there."""
    before = (slice(None),) * axis
    for element in range(sweep.size):
        positions, elements = sweep.inside(element)
        yield (*before, positions), (*before, elements)


def _together(sweeps: list[Sweep]) -> Iterator[tuple[int, _Slices, _Slices]]:
    """The same for each element of the window, with its number."""
    for number, element in enumerate(itertools.product(*(range(sweep.size) for sweep in sweeps))):
        positions, elements = zip(
            *(sweep.inside(index) for sweep, index in zip(sweeps, element, strict=True)), strict=True
        )
        yield number, positions, elements
