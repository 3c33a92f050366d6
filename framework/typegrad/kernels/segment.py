"""Kernels of `ops/segment.yaml`. They run on NumPy only: rows are combined in place."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from scipy import sparse

from typegrad.base.bfloat16 import finfo
from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.checks import check_not_negative, first, is_integral
from typegrad.kernels.complex import over_real
from typegrad.kernels.namespace import Array, DType, Namespace
from typegrad.kernels.precision import widened
from typegrad.kernels.scratch import scratch
from typegrad.kernels.updating import at_rows

ROUND: Final = 1 << 13
"""From this many elements on, calls that take one more row for each segment, or make a sparse matrix, are worth it."""


def unsorted_segment_sum(xp: Namespace, data: Array, segment_ids: Array, num_segments: Array) -> Array:
    """The rows of each segment, added."""
    return _combined(xp, np.add, 0, data, segment_ids, num_segments)


def unsorted_segment_prod(xp: Namespace, data: Array, segment_ids: Array, num_segments: Array) -> Array:
    """The rows of each segment, multiplied."""
    return _combined(xp, np.multiply, 1, data, segment_ids, num_segments)


def unsorted_segment_max(xp: Namespace, data: Array, segment_ids: Array, num_segments: Array) -> Array:
    """The largest elements of each segment."""
    return _combined(xp, np.maximum, _limits(xp, data.dtype).min, data, segment_ids, num_segments)


def unsorted_segment_min(xp: Namespace, data: Array, segment_ids: Array, num_segments: Array) -> Array:
    """The smallest elements of each segment."""
    return _combined(xp, np.minimum, _limits(xp, data.dtype).max, data, segment_ids, num_segments)


def _limits(xp: Namespace, dtype: DType) -> Any:
    return (xp.iinfo if dtype.kind in "iu" else finfo)(dtype)


def _combined(
    xp: Namespace,
    combine: np.ufunc,
    empty: Any,
    data: Array,
    segment_ids: Array,
    num_segments: Array,
    *,
    is_sorted: bool = False,
) -> Array:
    """`empty`, combined with the rows that have the segment's id; rows with a negative id are dropped."""
    count, rank = int(num_segments), segment_ids.ndim
    ids = segment_ids.reshape(-1)
    rows = data.reshape(ids.size, *data.shape[rank:])
    if rows.size and ids.max() >= count:
        wrong = first("segment_ids", segment_ids, segment_ids >= count)
        raise InvalidArgumentError(f"{wrong}, but must be less than {count}, the number of segments")

    def function(wide: Array) -> Array:
        result = xp.empty((count, *wide.shape[1:]), wide.dtype)
        result.fill(empty)
        if is_sorted and wide.size:
            _combine_runs(combine, result, ids, wide)
            return result
        kept = ids >= 0
        if wide.size and kept.all():
            _combine_rows(combine, result, ids, wide)
        elif wide.size:
            _combine_rows(combine, result, ids[kept], wide[kept])
        return result

    return widened(xp, function, rows)


def _combine_runs(combine: np.ufunc, table: Array, ids: Array, rows: Array) -> None:
    """Combine each run of rows with the same id with the row of the table.

    `reduceat` is slow for short runs of long rows. Then all runs take one more row at a time, unless a few of them are
    much longer.
    """
    ends = np.flatnonzero(np.concatenate(([True], ids[1:] != ids[:-1], [True])))
    starts, lengths = ends[:-1], ends[1:] - ends[:-1]
    if starts.size * rows[0].size <= 2 * len(rows):
        places = ids[starts]
        table[places] = combine(table[places], combine.reduceat(rows, starts, axis=0))
    elif _is_product(combine, rows) or lengths.max() * ROUND > rows.size:
        _combine_rows(combine, table, ids, rows)
    else:
        order = np.argsort(-lengths, kind="stable")
        starts, lengths = starts[order], lengths[order]
        places = ids[starts]
        is_whole = np.array_equal(places, np.arange(len(table)))
        combined = table if is_whole else table[places]
        taken = scratch("rows of segments", combined.shape, combined.dtype)
        for step, count in enumerate((len(lengths) - np.bincount(lengths).cumsum()[:-1]).tolist()):
            chosen = np.take(rows, starts[:count] + step, axis=0, out=taken[:count], mode="clip")
            combine(combined[:count], chosen, out=combined[:count])
        if not is_whole:
            table[places] = combined


def _combine_rows(combine: np.ufunc, table: Array, ids: Array, rows: Array) -> None:
    """Combine each row, one after the other, with the row of the table that has its id."""
    if not _is_product(combine, rows):
        at_rows(combine, table, ids, rows)
        return
    count = len(rows)
    is_in_segment = sparse.csc_array((np.ones(count, rows.dtype), ids, np.arange(count + 1)), (len(table), count))
    table += (is_in_segment @ rows.reshape(count, -1)).reshape(table.shape)


def _is_product(combine: np.ufunc, rows: Array) -> bool:
    """Whether rows are added by a product with a sparse matrix of ones: the same sums, sooner if there are many."""
    return combine is np.add and rows.dtype.kind == "f" and rows.size >= ROUND


def _check_sorted(ids: Array) -> None:
    """Refuse ids that are negative or not in order."""
    check_not_negative("segment_ids", ids[:1])
    is_less = ids[1:] < ids[:-1]
    if is_less.any():
        place = int(is_less.argmax())
        raise InvalidArgumentError(
            f"`segment_ids` must be in ascending order, but `segment_ids[{place + 1}]` is {ids[place + 1]}, after "
            f"{ids[place]}; operations such as math.UnsortedSegmentSum accept any order"
        )


def _sorted(
    xp: Namespace, combine: np.ufunc, empty: Any, data: Array, segment_ids: Array, num_segments: Array
) -> Array:
    """The same for ids that must be sorted."""
    _check_sorted(segment_ids)
    return _combined(xp, combine, empty, data, segment_ids, num_segments, is_sorted=True)


def segment_sum_v2(xp: Namespace, data: Array, segment_ids: Array, num_segments: Array) -> Array:
    """The rows of each segment, added."""
    return _sorted(xp, np.add, 0, data, segment_ids, num_segments)


def segment_prod_v2(xp: Namespace, data: Array, segment_ids: Array, num_segments: Array) -> Array:
    """The rows of each segment, multiplied."""
    return _sorted(xp, np.multiply, 1, data, segment_ids, num_segments)


def segment_max_v2(xp: Namespace, data: Array, segment_ids: Array, num_segments: Array) -> Array:
    """The largest elements of each segment."""
    return _sorted(xp, np.maximum, _limits(xp, data.dtype).min, data, segment_ids, num_segments)


def segment_min_v2(xp: Namespace, data: Array, segment_ids: Array, num_segments: Array) -> Array:
    """The smallest elements of each segment."""
    return _sorted(xp, np.minimum, _limits(xp, data.dtype).max, data, segment_ids, num_segments)


def segment_mean(xp: Namespace, data: Array, segment_ids: Array) -> Array:
    """The sums of sorted segments, divided by the numbers of their rows."""
    _check_sorted(segment_ids)
    count = np.bincount(segment_ids)
    rows = np.maximum(count, 1).reshape(-1, *[1] * (data.ndim - 1))

    def means(wide: Array) -> Array:
        sums = _combined(xp, np.add, 0, wide, segment_ids, np.asarray(len(count)), is_sorted=True)
        divisors = rows.astype(xp.real(wide).dtype)
        if is_integral(wide):
            return xp.asarray((sums - np.fmod(sums, divisors)) // divisors)
        return over_real(xp, sums, divisors)

    return widened(xp, means, data)
