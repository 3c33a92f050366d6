"""Kernels of `ops/isotonic.yaml`. SciPy's algorithm works on a row of numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import numpy as np
from scipy import optimize

from typegrad.kernels.namespace import Array, DType, Namespace

AT_ONCE: Final = 1 << 14
"""How many numbers are divided into segments at once, in the processor's cache."""
SMALLEST: Final = np.finfo(np.float64).smallest_subnormal
"""No number but 0 is less. It divides differences that are 0."""


def isotonic_regression(xp: Namespace, x: Array, *, output_dtype: DType) -> tuple[Array, Array]:
    """The means of the segments of each row, and the numbers of the segments."""
    rows = xp.reshape(x.astype(np.float64), (math.prod(x.shape[:-1]), x.shape[-1] if x.ndim else 1))
    means, is_start = rows.copy(), np.ones(rows.shape, bool)
    for part in _parts(rows):
        _fit(rows[part], means[part], is_start[part])
    segments = np.cumsum(is_start, axis=1, dtype=np.int32) - np.int32(1)
    return xp.reshape(means, x.shape).astype(output_dtype), xp.reshape(segments, x.shape)


def _parts(rows: Array) -> Iterator[tuple[slice, slice]]:
    """Many rows at once; parts of single rows if there is a nan, which divides a row."""
    if not np.isnan(rows).any():
        step = max(1, AT_ONCE // max(1, rows.shape[1]))
        for start in range(0, len(rows), step):
            yield slice(start, start + step), slice(None)
        return
    for number, row in enumerate(rows):
        edges = np.concatenate([[-1], np.flatnonzero(np.isnan(row)), [len(row)]])
        for first, last in zip(edges[:-1] + 1, edges[1:], strict=True):
            yield slice(number, number + 1), slice(first, last)


def _fit(rows: Array, means: Array, is_start: Array) -> None:
    """Write the means of the segments, and where each segment starts."""
    if not rows.size:
        return
    for row, mean, is_block in zip(rows, means, is_start, strict=True):
        fit = optimize.isotonic_regression(row, increasing=False)
        mean[:] = fit.x
        is_block[1:] = False
        is_block[fit.blocks[:-1]] = True
    if _may_divide(rows, means, is_start):
        is_start |= _divides(rows, means, np.flatnonzero(is_start))


def _may_divide(rows: Array, means: Array, is_start: Array) -> bool:
    """Whether the sums of what is left of the means come near 0 elsewhere than where a block starts.

    This takes less time than to look block by block, and as a rule they do not. What is near 0 for the largest element
    of all is so for the one of a block; sums of as many numbers differ by no more than this from rounding.
    """
    sums = np.cumsum(rows - means)
    near = 8 * rows.size * rows.shape[1] * np.finfo(rows.dtype).eps * np.abs(rows).max()
    return not np.array_equal(np.abs(sums, out=sums)[:-1] <= near, is_start.reshape(-1)[1:])


def _divides(rows: Array, means: Array, blocks: Array) -> Array:
    """Where SciPy's blocks are divided: where the elements before have the mean of all of the block.

    Of a block's elements, relative to the largest one, a mean differs if it does by more than rounding.
    """
    lengths = np.diff(np.append(blocks, rows.size))
    largest = np.maximum.reduceat(np.abs(rows).reshape(-1), blocks)
    changes, before = rows - means, np.zeros(rows.shape)
    changes /= np.repeat(np.maximum(largest, SMALLEST), lengths).reshape(rows.shape)
    np.cumsum(changes[:, :-1], axis=1, out=before[:, 1:])
    before -= np.repeat(before.reshape(-1)[blocks], lengths).reshape(rows.shape)
    result: Array = np.abs(before, out=before) <= rows.shape[1] * np.finfo(rows.dtype).eps
    return result
