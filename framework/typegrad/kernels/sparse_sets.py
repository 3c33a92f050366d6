"""Kernels of `ops/sparse_sets.yaml`. They run on NumPy only: values are sorted, and results written in place."""

from __future__ import annotations

import math

import numpy as np

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.checks import ints, outside
from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import wide


def set_size(
    xp: Namespace, set_indices: Array, set_values: Array, set_shape: Array, *, validate_indices: bool
) -> Array:
    """The number of distinct pairs of a set and a value."""
    sizes = ints(set_shape)
    _check(set_indices, sizes, "set")
    if validate_indices:
        _check_sorted(_rows(set_indices, sizes), set_indices)
    sets = _rows(set_indices, sizes[:-1])
    distinct, codes = np.unique(set_values, return_inverse=True)
    pairs = np.unique(sets * len(distinct) + codes)
    counts = np.bincount(pairs // max(len(distinct), 1), minlength=math.prod(sizes[:-1]))
    return counts.reshape(sizes[:-1]).astype(np.int32)


def _check(indices: Array, sizes: tuple[int, ...], name: str) -> None:
    is_bad = np.any((indices < 0) | (indices >= np.asarray(sizes)), axis=1)
    if is_bad.any():
        raise outside(f"{name}_indices", indices, is_bad, sizes)


def _check_sorted(places: Array, indices: Array) -> None:
    is_bad = places[1:] <= places[:-1]
    if is_bad.any():
        at = int(np.argmax(is_bad)) + 1
        raise InvalidArgumentError(
            f"`set_indices[{at}]` is {indices[at].tolist()}, after {indices[at - 1].tolist()}; the indices must be in "
            "ascending order, and each one once"
        )


def _rows(indices: Array, sizes: tuple[int, ...]) -> Array:
    """The numbers of the sets or sequences that indices belong to."""
    leading = tuple(indices[:, : len(sizes)].T)
    return np.asarray(np.ravel_multi_index(leading, sizes) if len(indices) else np.zeros(0, np.int64))


def edit_distance(
    xp: Namespace,
    hypothesis_indices: Array,
    hypothesis_values: Array,
    hypothesis_shape: Array,
    truth_indices: Array,
    truth_values: Array,
    truth_shape: Array,
    *,
    normalize: bool,
) -> Array:
    """The Levenshtein distances of all pairs of sequences that are not both empty."""
    _check(hypothesis_indices, ints(hypothesis_shape), "hypothesis")
    _check(truth_indices, ints(truth_shape), "truth")
    sizes = ints(np.maximum(hypothesis_shape, truth_shape)[:-1])
    ours, theirs = _rows(hypothesis_indices, sizes), _rows(truth_indices, sizes)
    present, rows = np.unique(np.concatenate((ours, theirs)), return_inverse=True)
    codes = _codes(np.concatenate((hypothesis_values, truth_values)))
    count = len(ours)
    hypotheses, _ = _sequences(codes[:count], rows[:count], len(present))
    truths, lengths = _sequences(codes[count:], rows[count:], len(present))
    distances = _levenshtein(hypotheses, truths, lengths).astype(np.float32)
    result = np.zeros(math.prod(sizes), np.float32)
    result[present] = distances / lengths.astype(np.float32) if normalize else distances
    return result.reshape(sizes)


def _codes(values: Array) -> Array:
    """Numbers from 0 up, equal where values are; nan equals nothing."""
    _, codes = np.unique(wide(values), return_inverse=True, equal_nan=False)
    return codes


def _sequences(codes: Array, rows: Array, count: int) -> tuple[Array, Array]:
    """The values of each row, in their order, followed by -1; and how many they are."""
    lengths = np.bincount(rows, minlength=count)
    order = np.argsort(rows, kind="stable")
    starts = np.cumsum(lengths) - lengths
    table = np.full((count, int(lengths.max(initial=0))), -1)
    table[rows[order], np.arange(len(rows)) - starts[rows[order]]] = codes[order]
    return table, lengths


def _levenshtein(hypotheses: Array, truths: Array, lengths: Array) -> Array:
    """The distances of rows, all at once: one row of each table of Wagner and Fischer (1974) after the other."""
    places = np.arange(truths.shape[1] + 1)
    distances = np.broadcast_to(places, (len(truths), len(places)))
    for column in hypotheses.T:
        kept = np.minimum(distances[:, 1:] + 1, distances[:, :-1] + (truths != column[:, None]))
        kept = np.concatenate((distances[:, :1] + 1, kept), axis=1)
        after = np.minimum.accumulate(kept - places, axis=1) + places  # with insertions
        distances = np.where(column[:, None] < 0, distances, after)
    return distances[np.arange(len(truths)), lengths]
