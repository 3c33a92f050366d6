"""Convolutions in which each channel is a group, as in a depthwise convolution.

Matrix products for each group would be slow; the products with each element of the filters are accumulated instead.
They run on NumPy only: views of arrays are taken.
"""

from __future__ import annotations

import itertools
import math
from typing import Final

import numpy as np
from numpy.lib.stride_tricks import as_strided

from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.windows import Sweep, padded

__all__ = ["convolved_by_channel", "correlated_by_channel", "spread_by_channel"]

PART: Final = 2**15
"""The number of elements that a loop reads and writes repeatedly: they fit into a cache."""


def convolved_by_channel(xp: Namespace, x: Array, filters: Array, sweeps: list[Sweep]) -> Array:
    """Convolve each channel with its own filters: sum the products with each element of the filters."""
    rows, columns = sweeps
    height, width, _, count = filters.shape
    if any(rows.edges + columns.edges) and not np.isfinite(filters).all():
        return _by_element(xp, x, filters, sweeps)
    seen = _seen(xp, x, count, sweeps)
    # Repeated for each position in a row, so that NumPy's inner loops go over whole rows.
    factors = xp.reshape(xp.repeat(filters, columns.positions, axis=2), (height, width, seen.shape[4]))
    result = np.einsum("brijc,ijc->brc", seen, factors)
    return xp.reshape(result, (len(x), rows.positions, columns.positions, count))


def _by_element(xp: Namespace, x: Array, filters: Array, sweeps: list[Sweep]) -> Array:
    """The same without a product of the padding and an infinite element, which would be nan."""
    rows, columns = sweeps
    height, width, _, count = filters.shape
    x = xp.repeat(x, count // x.shape[3], axis=3)
    result = xp.zeros((len(x), rows.positions, columns.positions, count), x.dtype)
    for row, column in itertools.product(range(height), range(width)):
        (to_rows, seen_rows), (to_columns, seen_columns) = rows.inside(row), columns.inside(column)
        result[:, to_rows, to_columns] += x[:, seen_rows, seen_columns] * filters[row, column, 0]
    return result


def _seen(xp: Namespace, x: Array, count: int, sweeps: list[Sweep]) -> Array:
    """What each element of the filters sees, [batch, rows, filter rows, filter columns, columns and filters]."""
    rows, columns = sweeps
    x = _for_each_filter(xp, x, count, sweeps)
    if columns.stride == 1:
        x = np.ascontiguousarray(x)
        column = x.strides[2] * columns.dilation
    else:
        # Copied, so that NumPy's inner loops go over whole rows.
        x = np.ascontiguousarray(np.stack([x[:, :, columns.seen_by(each)] for each in range(columns.size)], axis=2))
        column = x.strides[2]
    batch, row, channel = x.strides[0], x.strides[1], x.itemsize
    return as_strided(
        x,
        (len(x), rows.positions, rows.size, columns.size, columns.positions * count),
        (batch, row * rows.stride, row * rows.dilation, column, channel),
    )


def _for_each_filter(xp: Namespace, x: Array, count: int, sweeps: list[Sweep]) -> Array:
    """`x` with its padding, and each channel repeated for each of its filters."""
    rows, columns = sweeps
    x = xp.repeat(x, count // x.shape[3], axis=3) if count != x.shape[3] else x
    return padded(x, ((0, 0), rows.edges, columns.edges, (0, 0)))


def correlated_by_channel(xp: Namespace, x: Array, shape: tuple[int, ...], grad: Array, sweeps: list[Sweep]) -> Array:
    """Sum the products of the gradient with what each element of the filters sees, in each channel."""
    height, width, _, count = shape
    seen = _seen(xp, x, count, sweeps)
    factors = xp.reshape(grad, (*seen.shape[:2], seen.shape[4]))
    result = np.empty((height, width, 1, count), grad.dtype)
    for row, column in itertools.product(range(height), range(width)):
        # One after the other is faster: the sums stay in a cache.
        sums = np.einsum("brc,brc->c", seen[:, :, row, column], factors)
        result[row, column, 0] = xp.sum(xp.reshape(sums, (sweeps[1].positions, count)), axis=0)
    return result


def spread_by_channel(xp: Namespace, filters: Array, grad: Array, sweeps: list[Sweep], sizes: tuple[int, ...]) -> Array:
    """Add the products of the gradient with each element of the filters to what it sees, in each channel."""
    rows, columns = sweeps
    height, width, _, count = filters.shape
    turned = [_turned(sweep) for sweep in sweeps]
    # What is outside of the gradient is 0, and 0 times infinity is nan.
    if (
        rows.stride == columns.stride == 1
        and min(*turned[0].edges, *turned[1].edges) >= 0
        and np.isfinite(filters).all()
    ):
        return _summed(xp, convolved_by_channel(xp, grad, filters[::-1, ::-1], turned), sizes)
    result = xp.zeros((*sizes[:3], count), grad.dtype)
    factors = xp.repeat(filters, columns.positions, axis=2)
    for chosen in _images(grad):
        images, part = result[chosen], grad[chosen]
        product = np.empty(part.shape, part.dtype)
        for row, column in itertools.product(range(height), range(width)):
            (from_rows, to_rows), (from_columns, to_columns) = rows.inside(row), columns.inside(column)
            xp.multiply(part, factors[row, column], out=product)
            images[:, to_rows, to_columns] += product[:, from_rows, from_columns]
    return _summed(xp, result, sizes)


def _images(x: Array) -> list[slice]:
    """Some images at a time, which fit into a cache."""
    step = max(1, PART // max(1, math.prod(x.shape[1:])))
    return [slice(first, first + step) for first in range(0, len(x) if x.size else 0, step)]


def _turned(sweep: Sweep) -> Sweep:
    """The sweep over the gradient that computes the one of the input, of filters turned around, if the stride is 1."""
    before, after = (sweep.span - 1 - edge for edge in sweep.edges)
    return sweep._replace(length=sweep.positions, positions=sweep.length, edges=(before, after))


def _summed(xp: Namespace, x: Array, sizes: tuple[int, ...]) -> Array:
    """The sums over the filters of each channel."""
    filters = x.shape[3] // sizes[3]
    return xp.sum(xp.reshape(x, (*sizes, filters)), axis=4, dtype=x.dtype) if filters != 1 else x
