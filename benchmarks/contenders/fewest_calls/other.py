"""Other operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from contenders.inputs import Array

__all__ = ["FUNCTIONS"]

Work = Callable[[], Array]

_AT_ONCE: Final = 1 << 15


def _histogram(x: Array, limits: Array, count: int, **_: object) -> Work:
    low, high = (float(limit) for limit in limits)
    lowest, last = np.full(_AT_ONCE, limits[0]), np.full(_AT_ONCE, count - 1.0)
    part, places, bytes_ = np.empty(_AT_ONCE, x.dtype), np.empty(_AT_ONCE), np.zeros(x.size + x.size % 2, np.uint8)

    def work() -> Array:
        for first in range(0, x.size, _AT_ONCE):
            numbers = x[first : first + _AT_ONCE]
            size = numbers.size
            places[:size] = np.maximum(numbers, lowest[:size], out=part[:size])
            np.subtract(places, low, out=places)
            np.divide(places, high / count - low / count, out=places)
            np.minimum(places, last, out=places)
            bytes_[first : first + size] = places[:size]
        pairs = np.bincount(bytes_.view(np.uint16), minlength=1 << 16).reshape(1 << 8, 1 << 8)
        counts: Array = pairs.sum(0) + pairs.sum(1)
        counts[0] -= x.size % 2
        return counts[:count].astype(np.int32)

    return work


def _in_top(predictions: Array, targets: Array, k: int) -> Work:
    """A few classes decide most rows."""
    count, classes = predictions.shape
    parts = [(0, 32), (32, 256), (256, classes)]

    def work() -> Array:
        result = np.zeros(count, bool)
        rows = np.arange(count)
        chosen = predictions[rows, targets][:, None]
        higher = np.zeros(count, np.int32)
        for first, last in parts:
            part = predictions[rows, first:last] if first else predictions[:, :last]
            higher += (part > chosen).view(np.int8).sum(1, np.int32)
            is_open = higher < k
            rows, chosen, higher = rows[is_open], chosen[is_open], higher[is_open]
        result[rows] = np.isfinite(predictions[rows]).all(1)
        return result

    return work


def _shuffled(x: Array) -> Work:
    rng, result = np.random.Generator(np.random.SFC64(1)), np.empty_like(x)
    return lambda: np.take(x, rng.permutation(len(x)), axis=0, out=result, mode="clip")


FUNCTIONS: Final[dict[str, Callable[..., Work]]] = {
    "HistogramFixedWidth": _histogram,
    "InTopKV2": _in_top,
    "RandomShuffle": _shuffled,
}
"""For each operation, a function of its inputs and attributes that returns what computes the result."""
