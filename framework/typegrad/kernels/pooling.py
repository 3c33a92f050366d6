"""Kernels of `ops/pooling.yaml`. A window may extend over any of the four dimensions.

Maxima and sums are taken along one dimension after the other; which element is the maximum is found over all of them together.
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
from typegrad.kernels.windows import Pass, passes
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
def _passes(pool: Pool, lengths: tuple[int, ...]) -> list[Pass]:
    """The passes of the window over dimensions of these sizes."""
    return passes(pooling_windows(OpView({}, {}, pool._asdict())), lengths)


def max_pool_v2(xp: Namespace, x: Array, ksize: Array, strides: Array, *, padding: str, data_format: str) -> Array:
    """The largest element in each place, nan aside. Nothing is below the lowest finite number, not even -inf."""
    pool = _pool(ksize, strides, padding, data_format)
    lowest = (xp.iinfo if x.dtype.kind in "iu" else ml_dtypes.finfo)(x.dtype).min
    x = xp.fmax(x, lowest)
    for axis, way in _moving(_passes(pool, x.shape)):
        largest = xp.full(_resized(x.shape, axis, way.places), lowest, x.dtype)
        for places, elements in _along(axis, way):
            largest[places] = xp.fmax(largest[places], x[elements])
        x = largest
    return x


def max_pool_grad_v2(
    xp: Namespace, x: Array, y: Array, grad: Array, ksize: Array, strides: Array, *, padding: str, data_format: str
) -> Array:
    """The gradient of each place, given to the first of the largest elements there."""
    ways = _passes(_pool(ksize, strides, padding, data_format), x.shape)
    chosen = _first_largest(xp, x, ways)

    def function(grad: Array) -> Array:
        result = xp.zeros(x.shape, grad.dtype)
        for number, places, elements in _together(ways):
            result[elements] += xp.where(chosen[places] == number, grad[places], 0)
        return result

    return widened(xp, function, grad)


def _first_largest(xp: Namespace, x: Array, ways: list[Pass]) -> Array:
    """For each place the number of the first of its largest elements. A nan counts as smaller, except in front of all others."""
    largest = xp.zeros([way.places for way in ways], x.dtype)
    chosen = xp.full(largest.shape, -1, xp.int32)
    for number, places, elements in _together(ways):
        is_better = (chosen[places] < 0) | (largest[places] < x[elements])
        largest[places] = xp.where(is_better, x[elements], largest[places])
        chosen[places] = xp.where(is_better, number, chosen[places])
    return chosen


def max_pool_grad_grad_v2(
    xp: Namespace, x: Array, y: Array, grad: Array, ksize: Array, strides: Array, *, padding: str, data_format: str
) -> Array:
    """What `grad` has where the first element equal to the maximum is; 0 where none is."""
    ways = _passes(_pool(ksize, strides, padding, data_format), x.shape)
    result = xp.zeros(y.shape, grad.dtype)
    for _, places, elements in reversed(list(_together(ways))):
        result[places] = xp.where(x[elements] == y[places], grad[elements], result[places])
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
    """The mean over what is inside the array, in each place."""
    ways = _passes(Pool(ksize, strides, padding, data_format), x.shape)

    def function(x: Array) -> Array:
        for axis, way in _moving(ways):
            total = xp.zeros(_resized(x.shape, axis, way.places), x.dtype)
            for places, elements in _along(axis, way):
                total[places] += x[elements]
            x = total
        return x / _counts(xp, ways, x.dtype)

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
    """The gradient of each place, divided among the elements there."""
    ways = _passes(Pool(ksize, strides, padding, data_format), ints(orig_input_shape))

    def function(grad: Array) -> Array:
        grad = grad / _counts(xp, ways, grad.dtype)
        for axis, way in _moving(ways):
            total = xp.zeros(_resized(grad.shape, axis, way.length), grad.dtype)
            for places, elements in _along(axis, way):
                total[elements] += grad[places]
            grad = total
        return grad

    return widened(xp, function, grad)


def _counts(xp: Namespace, ways: list[Pass], dtype: DType) -> Array:
    """How many elements are inside the array in each place."""
    counts = xp.ones((1,) * len(ways), dtype)
    for axis, way in _moving(ways):
        along = xp.zeros(_resized(counts.shape, axis, way.places), dtype)
        for places, _ in _along(axis, way):
            along[places] += 1
        counts = counts * along
    return counts


def _resized(shape: tuple[int, ...], axis: int, length: int) -> tuple[int, ...]:
    return (*shape[:axis], length, *shape[axis + 1 :])


def _moving(ways: list[Pass]) -> Iterator[tuple[int, Pass]]:
    """The dimensions along which the window does not just stand on every element, one by one."""
    return ((axis, way) for axis, way in enumerate(ways) if (way.size, way.stride) != (1, 1))


def _along(axis: int, way: Pass) -> Iterator[tuple[_Slices, _Slices]]:
    """For each element of the window along one dimension, the places where it is inside, and the elements that it is there."""
    before = (slice(None),) * axis
    for element in range(way.size):
        places, elements = way.inside(element)
        yield (*before, places), (*before, elements)


def _together(ways: list[Pass]) -> Iterator[tuple[int, _Slices, _Slices]]:
    """The same for each element of the window, with its number."""
    for number, element in enumerate(itertools.product(*(range(way.size) for way in ways))):
        places, elements = zip(*(way.inside(index) for way, index in zip(ways, element, strict=True)), strict=True)
        yield number, places, elements
