"""Kernels of `ops/morphology.yaml`. They write into arrays, so they run on NumPy only."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, TypeAlias

import numpy as np

from typegrad.base.bfloat16 import finfo
from typegrad.base.shape import Shape
from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.parts import parts
from typegrad.kernels.precision import wide
from typegrad.kernels.windows import Sweep, sweeps_of
from typegrad.shapes.morphology import dilation_windows
from typegrad.shapes.view import OpView

_Element: TypeAlias = tuple[int, int, tuple[slice, ...], tuple[slice, ...]]
"""An element of the filter by row and column, the positions where it is inside the images, and what it sees there."""

PART: Final = 2**15
"""How many elements are read and written at once: they fit into a cache."""


@lru_cache(maxsize=1024)
def _swept(
    strides: tuple[int, ...], rates: tuple[int, ...], padding: str, shape: tuple[int, ...], kernel: tuple[int, ...]
) -> tuple[Sweep, Sweep]:
    """The sweeps of a filter over rows and columns."""
    attrs = {"strides": strides, "rates": rates, "padding": padding}
    _, rows, columns, _ = sweeps_of(dilation_windows(OpView({}, {}, attrs), Shape(kernel)), shape)
    return rows, columns


def dilation2d(
    xp: Namespace, x: Array, filters: Array, *, strides: tuple[int, ...], rates: tuple[int, ...], padding: str
) -> Array:
    """The largest sum at each position, ignoring nan. -inf counts as the lowest finite number."""
    rows, columns = _swept(strides, rates, padding, x.shape, filters.shape)
    result = np.full((len(x), rows.positions, columns.positions, x.shape[3]), _lowest(x), x.dtype)
    for images in parts(x.shape, PART):
        for i, j, positions, elements in _elements(rows, columns):
            part = result[images][positions]
            np.fmax(part, x[images][elements] + filters[i, j], out=part)
    return result


def _lowest(x: Array) -> Any:
    return (np.iinfo if x.dtype.kind in "iu" else finfo)(x.dtype).min


def _elements(rows: Sweep, columns: Sweep) -> Iterator[_Element]:
    for i, j in itertools.product(range(rows.size), range(columns.size)):
        (to_rows, seen_rows), (to_columns, seen_columns) = rows.inside(i), columns.inside(j)
        yield i, j, (slice(None), to_rows, to_columns), (slice(None), seen_rows, seen_columns)


def dilation2d_backprop_input(
    xp: Namespace,
    x: Array,
    filters: Array,
    grad: Array,
    *,
    strides: tuple[int, ...],
    rates: tuple[int, ...],
    padding: str,
) -> Array:
    """The gradient at each position accumulates at the element of the first of the largest sums."""
    rows, columns = _swept(strides, rates, padding, x.shape, filters.shape)
    result = np.zeros(x.shape, wide(grad).dtype)
    for images in parts(x.shape, PART):
        chosen, is_lost = _chosen(x[images], filters, rows, columns)
        chosen[is_lost] = -1
        for i, j, positions, elements in _elements(rows, columns):
            is_chosen = chosen[positions] == i * columns.size + j
            result[images][elements] += _kept(grad[images][positions], is_chosen)
        image, row, column, channel = np.nonzero(is_lost)
        places = (image, _starts(rows)[row], _starts(columns)[column], channel)
        np.add.at(result[images], places, grad[images][is_lost].astype(result.dtype))
    return result.astype(x.dtype)


def _starts(sweep: Sweep) -> Array:
    """The element of the image nearest to the first element of the window, at each position."""
    return np.maximum(np.arange(sweep.positions) * sweep.stride - sweep.edges[0], 0)


def dilation2d_backprop_filter(
    xp: Namespace,
    x: Array,
    filters: Array,
    grad: Array,
    *,
    strides: tuple[int, ...],
    rates: tuple[int, ...],
    padding: str,
) -> Array:
    """The gradient at each position accumulates at the element of the filter in the first of the largest sums."""
    rows, columns = _swept(strides, rates, padding, x.shape, filters.shape)
    result = np.zeros(filters.shape, wide(grad).dtype)
    for images in parts(x.shape, PART):
        chosen, _ = _chosen(x[images], filters, rows, columns)
        for i, j in itertools.product(range(rows.size), range(columns.size)):
            kept = _kept(grad[images], chosen == i * columns.size + j)
            result[i, j] += np.sum(kept, axis=(0, 1, 2), dtype=result.dtype)
    return result.astype(x.dtype)


def _chosen(x: Array, filters: Array, rows: Sweep, columns: Sweep) -> tuple[Array, Array]:
    """The number of the first of the largest sums at each position, and where no sum is above the lowest number."""
    shape = (len(x), rows.positions, columns.positions, x.shape[3])
    largest, chosen = np.full(shape, _lowest(x), x.dtype), np.zeros(shape, np.int32)
    for i, j, positions, elements in _elements(rows, columns):
        sums, best, numbers = x[elements] + filters[i, j], largest[positions], chosen[positions]
        # Numbers ascend: a later element that is better has the larger one.
        np.maximum(numbers, (sums > best) * np.int32(i * columns.size + j), out=numbers)
        np.fmax(best, sums, out=best)
    return chosen, largest == _lowest(x)


def _kept(x: Array, is_kept: Array) -> Array:
    """`x` where it is kept, and 0 elsewhere: of an integer, -1 keeps all bits, and 0 none. Faster than `where`."""
    return (x.view(f"i{x.itemsize}") & -is_kept.view(np.int8)).view(x.dtype)
