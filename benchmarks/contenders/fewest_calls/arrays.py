"""Reductions, and operations that move elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import numpy as np
from scipy import sparse

from contenders.inputs import Array

__all__ = ["FUNCTIONS"]

Work = Callable[[], Array]


def _sum_of_segments(data: Array, ids: Array, count: int) -> Work:
    """A product with a sparse matrix of ones."""
    size = len(data)
    ones = sparse.csc_array((np.ones(size, data.dtype), ids, np.arange(size + 1, dtype=ids.dtype)), shape=(count, size))

    def work() -> Array:
        result: Array = ones @ data
        return result

    return work


def _mean_of_segments(data: Array, ids: Array) -> Work:
    counts = np.bincount(ids)[:, None].astype(data.dtype)
    sums = _sum_of_segments(data, ids, len(counts))

    def work() -> Array:
        result: Array = sums()
        result /= counts
        return result

    return work


def _extreme_of_segments(combine: np.ufunc, data: Array, ids: Array, count: int) -> Work:
    """All segments have as many rows, and take one more at a time."""
    length = len(data) // count
    result, starts = np.empty((count, data.shape[1]), data.dtype), np.arange(0, len(data), length)
    places, rows = [starts + step for step in range(length)], np.empty_like(result)

    def work() -> Array:
        np.take(data, places[0], axis=0, out=result, mode="clip")
        for place in places[1:]:
            combine(result, np.take(data, place, axis=0, out=rows, mode="clip"), out=result)
        return result

    return work


def _norm(x: Array, axis: int) -> Work:
    return lambda: np.sqrt(np.vecdot(x, x) if axis else np.einsum("ij,ij->j", x, x))


def _prod(x: Array, axis: int) -> Work:
    """The columns of ten products of each row, then these, by rows."""
    parts = x.reshape(len(x), -1, 100)
    products, columns = np.empty((len(x), 100), x.dtype), np.empty((100, len(x)), x.dtype)

    def work() -> Array:
        np.copyto(columns, np.multiply.reduce(parts, axis=axis, out=products).T)
        result: Array = np.multiply.reduce(columns, axis=0)
        return result

    return work


def _all(x: Array, axis: int) -> Work:
    """The first of the least elements of each row."""
    starts, elements = np.arange(0, x.size, x.shape[1]), x.reshape(-1)
    return lambda: np.take(elements, np.argmin(x, axis=axis) + starts)


def _max(x: Array, axis: int) -> Work:
    """Rows as parts of all elements."""
    elements, starts = x.reshape(-1), np.arange(0, x.size, x.shape[1])
    return lambda: np.maximum.reduceat(elements, starts) if axis else np.maximum.reduce(x)


def _softmax(x: Array) -> Work:
    result, sums = np.empty_like(x), np.empty(len(x), x.dtype)
    elements, starts = x.reshape(-1), np.arange(0, x.size, x.shape[1])

    def work() -> Array:
        np.subtract(x, np.maximum.reduceat(elements, starts)[:, None], out=result)
        np.exp(result, out=result)
        np.reciprocal(np.einsum("ij->i", result, out=sums), out=sums)
        return np.multiply(result, sums[:, None], out=result)

    return work


def _one_hot(indices: Array, depth: int, on: Any, off: Any) -> Work:
    result = np.empty((indices.size, depth), on.dtype)
    starts, elements = np.arange(0, result.size, depth), result.reshape(-1)

    def work() -> Array:
        result.fill(off)
        elements[indices + starts] = on
        return result

    return work


def _concat(parts: Sequence[Array], axis: int) -> Work:
    """A row of a part is one element of so many bytes."""
    widths = [part.shape[axis] for part in parts]
    result = np.empty((len(parts[0]), sum(widths)), parts[0].dtype)
    ends = np.cumsum(widths).tolist()
    pairs = [
        (result[:, end - width : end].view(f"V{4 * width}"), part.view(f"V{4 * width}"))
        for part, width, end in zip(parts, widths, ends, strict=True)
    ]

    def work() -> Array:
        for target, source in pairs:
            np.copyto(target, source)
        return result

    return work


def _transpose(x: Array, order: tuple[int, ...]) -> Work:
    """A matrix by so many rows that what a column of them has read stays in the cache; smaller blocks take longer."""
    result = np.empty([x.shape[axis] for axis in order], x.dtype)
    source, step = x.transpose(order), 64 if x.ndim == 2 else x.shape[-1]
    blocks = [(result[:, i : i + step], source[:, i : i + step]) for i in range(0, source.shape[1], step)]

    def work() -> Array:
        for target, block in blocks:
            np.copyto(target, block)
        return result

    return work


def _reverse(x: Array, _: tuple[int]) -> Work:
    """All elements, of which the rows are then in the wrong order."""
    result = np.empty_like(x)
    source, target = x.reshape(-1)[::-1], result.reshape(-1)

    def work() -> Array:
        np.copyto(target, source)
        return result[::-1]

    return work


def _not_equal(x: Array, y: Array) -> Work:
    result = np.empty(x.shape, bool)
    return lambda: np.not_equal(x, y, out=result)


FUNCTIONS: Final[dict[str, Callable[..., Work]]] = {
    "SegmentSumV2": _sum_of_segments,
    "SegmentMean": _mean_of_segments,
    "SegmentMaxV2": partial(_extreme_of_segments, np.maximum),
    "SegmentProdV2": partial(_extreme_of_segments, np.multiply),
    "EuclideanNorm": _norm,
    "Prod": _prod,
    "All": _all,
    "Max": _max,
    "Softmax": _softmax,
    "OneHot": _one_hot,
    "ConcatV2": _concat,
    "Transpose": _transpose,
    "ReverseV2": _reverse,
    "NotEqual": _not_equal,
}
"""For each operation, a function of its inputs and attributes that returns what computes the result."""
