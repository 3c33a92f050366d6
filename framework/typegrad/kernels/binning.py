"""Kernels of `ops/binning.yaml`. They search and add in place, so they run on NumPy only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal

import numpy as np

from typegrad.base.errors import InvalidArgumentError
from typegrad.base.workers import for_each
from typegrad.kernels.checks import check_not_negative, is_integral
from typegrad.kernels.namespace import Array, DType, Namespace
from typegrad.kernels.parts import parts
from typegrad.kernels.precision import wide

AT_ONCE: Final = 1 << 16
"""How many numbers are sorted into bins at once, in the processor's cache."""
_BYTE: Final = 1 << 8
"""The number of different bytes."""


def lower_bound(xp: Namespace, sorted_inputs: Array, values: Array, *, out_type: DType) -> Array:
    """How many elements of the sorted row are less than each value."""
    return _positions(sorted_inputs, values, out_type, "left")


def upper_bound(xp: Namespace, sorted_inputs: Array, values: Array, *, out_type: DType) -> Array:
    """How many elements of the sorted row are less than or equal to each value."""
    return _positions(sorted_inputs, values, out_type, "right")


def _positions(rows: Array, values: Array, out_type: DType, side: Literal["left", "right"]) -> Array:
    result = np.empty(values.shape, out_type)
    ordered, asked = wide(rows), wide(values)

    def work(part: slice) -> None:
        for row, each, places in zip(ordered[part], asked[part], result[part], strict=True):
            places[:] = np.searchsorted(row, each, side)

    for_each(parts(values.shape, AT_ONCE), work)
    return result


def bucketize(xp: Namespace, x: Array, *, boundaries: Sequence[float]) -> Array:
    """How many boundaries are at most each element."""
    limits = np.asarray(boundaries, np.float32)
    return np.asarray(np.searchsorted(limits, x.astype(np.float32) if is_integral(x) else x, "right"), np.int32)


def histogram_fixed_width(xp: Namespace, values: Array, value_range: Array, nbins: Array, *, dtype: DType) -> Array:
    """The number of elements in each bin; those outside the range are in the first and the last one."""
    (low, high), count = value_range, int(nbins)
    if not low < high:
        raise InvalidArgumentError(f"`value_range` is [{low}, {high}], but the first must be less than the second")
    if count == 1:
        return np.full(1, values.size, dtype)
    if values.size and np.isnan(values.max()):
        raise InvalidArgumentError("`values` must not be nan, which is in no bin")
    blocks = _places(values.reshape(-1), low, high, count)
    if count >= _BYTE or values.size < _BYTE**2:
        counts = np.zeros(count + 1, np.int64)
        for places in blocks:
            counts += np.bincount(places.astype(np.int32), minlength=count + 1)
    else:
        numbers = np.empty(values.size, np.uint8)
        for first, places in zip(range(0, values.size, AT_ONCE), blocks, strict=True):
            numbers[first : first + AT_ONCE] = places
        counts = _counts_of_bytes(numbers)
    counts[count - 1] += counts[count]
    return counts[:count].astype(dtype)


def _places(numbers: Array, low: Array, high: Array, count: int) -> Iterator[Array]:
    """The bins of a vector, as floats, of so many numbers at once; what is not below `high` may be in the next bin.

    The width is rounded as TensorFlow's is.
    """
    width = float(high) / count - float(low) / count
    for first in range(0, numbers.size, AT_ONCE):
        places = numbers[first : first + AT_ONCE].clip(low, high).astype(np.float64)
        places -= float(low)
        places /= width
        yield places


def _counts_of_bytes(numbers: Array) -> Array:
    """How often each byte occurs; two of them are counted at once, as a number of 16 bits."""
    in_pairs, rest = np.split(numbers, [numbers.size // 2 * 2])
    pairs = np.bincount(in_pairs.view(np.uint16), minlength=_BYTE**2).reshape(_BYTE, _BYTE)
    counts: Array = pairs.sum(axis=0) + pairs.sum(axis=1) + np.bincount(rest, minlength=_BYTE)
    return counts


def bincount(xp: Namespace, arr: Array, size: Array, weights: Array) -> Array:
    """The sum of the weights of each integer."""
    check_not_negative("arr", arr)
    return _counts(arr.reshape(1, -1), int(size), weights, is_binary=False).reshape(-1)


def dense_bincount(xp: Namespace, x: Array, size: Array, weights: Array, *, binary_output: bool) -> Array:
    """The sum of the weights of each integer in each row."""
    check_not_negative("input", x)
    counts = _counts(x if x.ndim == 2 else x.reshape(1, -1), int(size), weights, is_binary=binary_output)
    return counts if x.ndim == 2 else counts.reshape(-1)


def _counts(rows: Array, size: int, weights: Array, *, is_binary: bool) -> Array:
    """The sums for each row of a matrix."""
    if not size:
        return np.zeros((len(rows), 0), weights.dtype)
    places = rows + np.arange(len(rows))[:, None] * size if len(rows) > 1 else rows
    is_counted: Any = ... if not rows.size or rows.max() < size else rows < size
    places = places[is_counted].reshape(-1)
    if is_binary or not weights.size:
        counts = np.bincount(places, minlength=len(rows) * size)
        result = (np.minimum(counts, 1) if is_binary else counts).astype(weights.dtype)
    else:
        result = np.zeros(len(rows) * size, weights.dtype)
        np.add.at(result, places, weights.reshape(rows.shape)[is_counted].reshape(-1))
    return result.reshape(len(rows), size)
