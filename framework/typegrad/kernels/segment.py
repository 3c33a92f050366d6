"""Kernels of `ops/segment.yaml`. NumPy's only: rows are combined in place."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.namespace import Array, DType, Namespace
from typegrad.kernels.precision import widened
from typegrad.kernels.updating import at_rows


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
    return (xp.iinfo if dtype.kind in "iu" else ml_dtypes.finfo)(dtype)


def _combined(
    xp: Namespace, combine: np.ufunc, empty: Any, data: Array, segment_ids: Array, num_segments: Array
) -> Array:
    """`empty`, combined with the rows that have the segment's id; rows with a negative id are dropped."""
    count, rank = int(num_segments), segment_ids.ndim
    ids = segment_ids.reshape(-1)
    rows = data.reshape(ids.size, *data.shape[rank:])
    if rows.size and ids.max() >= count:
        raise InvalidArgumentError(f"a segment id is {ids.max()}, but there are {count} segments")

    def function(wide: Array) -> Array:
        result = np.full((count, *wide.shape[1:]), empty, wide.dtype)
        kept = ids >= 0
        if wide.size and kept.all():
            at_rows(combine, result, ids, wide)
        elif wide.size:
            at_rows(combine, result, ids[kept], wide[kept])
        return result

    return widened(xp, function, rows)
