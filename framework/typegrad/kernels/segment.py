"""Kernels of `ops/segment.yaml`. NumPy's only: rows are added in place."""

from __future__ import annotations

import numpy as np

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import widened
from typegrad.kernels.updating import at_rows


def unsorted_segment_sum(xp: Namespace, data: Array, segment_ids: Array, num_segments: Array) -> Array:
    """Each row of data added to the segment that its id names; rows with a negative id are dropped."""
    count, rank = int(num_segments), segment_ids.ndim
    ids = segment_ids.reshape(-1)
    rows = data.reshape(ids.size, *data.shape[rank:])
    if rows.size and ids.max() >= count:
        raise InvalidArgumentError(f"a segment id is {ids.max()}, but there are {count} segments")
    return widened(xp, lambda wide: _segment_sum(wide, ids, count), rows)


def _segment_sum(rows: Array, ids: Array, count: int) -> Array:
    result = np.zeros((count, *rows.shape[1:]), rows.dtype)
    if not rows.size:
        return result
    if ids.min() < 0:
        rows, ids = rows[ids >= 0], ids[ids >= 0]
    at_rows(np.add, result, ids, rows)
    return result
