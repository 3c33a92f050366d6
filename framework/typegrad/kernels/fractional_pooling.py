"""Kernels of `ops/fractional_pooling.yaml`. They reduce and write slices of arrays, so they run on NumPy only."""

from __future__ import annotations

import itertools

import numpy as np

from typegrad.base.brief import brief
from typegrad.base.errors import InvalidArgumentError
from typegrad.base.workers import for_each
from typegrad.kernels.checks import ints
from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.parts import parts
from typegrad.kernels.pooling import PART, at_least_lowest
from typegrad.shapes.fractional_pooling import pooled_size


def fractional_max_pool(
    xp: Namespace,
    x: Array,
    *,
    pooling_ratio: tuple[float, ...],
    pseudo_random: bool,
    overlapping: bool,
    deterministic: bool,
    seed: int,
    seed2: int,
    rng: np.random.Generator,
) -> tuple[Array, ...]:
    """The largest element of each window, ignoring nan. -inf counts as the lowest finite number."""
    rows, columns = _sequences(x, pooling_ratio, pseudo_random, _generator(deterministic, seed, seed2, rng))
    return at_least_lowest(_reduced(np.fmax, x, rows, columns, overlapping)), rows, columns


def fractional_avg_pool(
    xp: Namespace,
    x: Array,
    *,
    pooling_ratio: tuple[float, ...],
    pseudo_random: bool,
    overlapping: bool,
    deterministic: bool,
    seed: int,
    seed2: int,
    rng: np.random.Generator,
) -> tuple[Array, ...]:
    """The mean of each window."""
    rows, columns = _sequences(x, pooling_ratio, pseudo_random, _generator(deterministic, seed, seed2, rng))
    dtype = np.float64 if x.dtype.kind == "i" else x.dtype
    sums = _reduced(np.add, x.astype(np.int64) if x.dtype.kind == "i" else x, rows, columns, overlapping)
    # Repeated for each channel, so that NumPy's inner loops are long.
    counts = np.repeat(_counts(rows, columns, overlapping).astype(dtype), x.shape[3], axis=2)
    means = np.divide(sums, counts, out=sums if sums.dtype == dtype else None)
    return means.astype(x.dtype, copy=False), rows, columns


def _generator(deterministic: bool, seed: int, seed2: int, rng: np.random.Generator) -> np.random.Generator:
    """The numbers of this run, or of every run."""
    return np.random.default_rng((seed % 2**64, seed2 % 2**64)) if deterministic else rng


def _sequences(
    x: Array, ratios: tuple[float, ...], pseudo_random: bool, rng: np.random.Generator
) -> tuple[Array, Array]:
    draw = _spread if pseudo_random else _shuffled
    rows, columns = (draw(x.shape[axis], pooled_size(x.shape[axis], ratios[axis]), rng) for axis in (1, 2))
    return rows, columns


def _shuffled(length: int, count: int, rng: np.random.Generator) -> Array:
    """Windows of two sizes in a random order."""
    sizes = np.full(count, length // count)
    sizes[: length % count] += 1
    return np.concatenate([[0], np.cumsum(rng.permutation(sizes))]).astype(np.int64)


def _spread(length: int, count: int, rng: np.random.Generator) -> Array:
    """Windows that begin at multiples of the ratio, from a random start."""
    ratio = length / count
    size = int(ratio)
    start = rng.random() * min((size + 2) / ratio - 1, (length + 1 - size) / ratio - (count - 1))
    ends = np.ceil(ratio * (np.arange(1, count) + start)) - 1
    return np.concatenate([[0], ends, [length]]).astype(np.int64)


def _ends(sequence: Array, overlapping: bool) -> Array:
    """The ends of windows."""
    return np.asarray(np.minimum(sequence[1:] + int(overlapping), sequence[-1]))


def _counts(rows: Array, columns: Array, overlapping: bool) -> Array:
    """The number of elements of each window, [rows, columns, 1]."""
    heights, widths = (np.subtract(_ends(each, overlapping), each[:-1]) for each in (rows, columns))
    return np.asarray(heights[:, None, None] * widths[:, None])


def _reduced(ufunc: np.ufunc, x: Array, rows: Array, columns: Array, overlapping: bool) -> Array:
    """The reduction of each window, along one dimension after the other."""
    result = np.empty((len(x), len(rows) - 1, len(columns) - 1, x.shape[3]), x.dtype)

    def work(part: slice) -> None:
        result[part] = _along(ufunc, _along(ufunc, x[part], 1, rows, overlapping), 2, columns, overlapping)

    for_each(parts(x.shape, PART), work)
    return result


def _along(ufunc: np.ufunc, x: Array, axis: int, sequence: Array, overlapping: bool) -> Array:
    """The reduction along one dimension."""
    starts, ends = sequence[:-1], _ends(sequence, overlapping)
    sizes = ends - starts
    reduced = np.take(x, starts, axis=axis)
    for element in range(1, int(sizes.max(initial=0))):
        if ufunc is np.fmax:  # of a shorter window, the last element counts again, which changes no maximum
            ufunc(reduced, np.take(x, np.minimum(starts + element, ends - 1), axis=axis), out=reduced)
            continue
        chosen = np.flatnonzero(sizes > element)
        longer = np.take(reduced, chosen, axis=axis)  # faster than an index
        ufunc(longer, np.take(x, starts[chosen] + element, axis=axis), out=longer)
        reduced[(slice(None),) * axis + (chosen,)] = longer
    return reduced


def _check(sequence: Array, length: int, name: str) -> None:
    if sequence[0] != 0 or sequence[-1] != length or (np.diff(sequence) < 1).any():
        raise InvalidArgumentError(f"`{name}` must ascend from 0 to {length}, but is {brief(sequence.tolist())}")


def _check_both(rows: Array, columns: Array, shape: tuple[int, ...]) -> None:
    _check(rows, shape[1], "row_pooling_sequence")
    _check(columns, shape[2], "col_pooling_sequence")


def fractional_max_pool_grad(
    xp: Namespace, x: Array, y: Array, grad: Array, rows: Array, columns: Array, *, overlapping: bool
) -> Array:
    """The gradient of each window accumulates at the first of its largest elements; nan is below all others."""
    _check_both(rows, columns, x.shape)
    numbers = (np.where(np.isnan(x), -np.inf, x) if x.dtype.kind == "f" else x).reshape(-1)
    heights, widths = (_ends(each, overlapping) - each[:-1] for each in (rows, columns))
    firsts = np.arange(x.size).reshape(x.shape)[:, rows[:-1]][:, :, columns[:-1]]
    places, largest = firsts, numbers[firsts]
    for row, column in itertools.product(range(heights.max(initial=0)), range(widths.max(initial=0))):
        is_inside = (heights > row)[:, None, None] & (widths > column)[:, None]
        others = firsts + np.where(is_inside, (row * x.shape[2] + column) * x.shape[3], 0)
        values = numbers[others]
        is_larger = values > largest
        places, largest = np.where(is_larger, others, places), np.where(is_larger, values, largest)
    result = np.zeros(x.size, x.dtype)
    np.add.at(result, places.reshape(-1), grad.reshape(-1))
    return result.reshape(x.shape)


def fractional_avg_pool_grad(
    xp: Namespace, shape: Array, grad: Array, rows: Array, columns: Array, *, overlapping: bool
) -> Array:
    """The gradient of each window, divided evenly among its elements."""
    _check_both(rows, columns, ints(shape))
    dtype = np.float64 if grad.dtype.kind == "i" else grad.dtype
    shares: Array = grad / _counts(rows, columns, overlapping).astype(dtype) + 0  # a sum that begins with 0 is not -0
    for axis, sequence in ((1, rows), (2, columns)):
        spread = np.repeat(shares, np.diff(sequence), axis)
        if overlapping:  # the first row of each window is in the one before, too
            inner = sequence[1:-1]
            spread[(slice(None),) * axis + (inner,)] += np.take(shares, np.arange(len(inner)), axis)
        shares = spread
    return shares.astype(grad.dtype)
