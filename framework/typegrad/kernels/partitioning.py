"""Kernels of `ops/partitioning.yaml`. They take and write parts of arrays, so they run on NumPy only."""

from __future__ import annotations

import numpy as np

from typegrad.kernels.checks import check_indices, check_not_negative
from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.updating import blank


def dynamic_partition(xp: Namespace, data: Array, partitions: Array, *, num_partitions: int) -> tuple[Array, ...]:
    """The slices of each partition."""
    check_indices("partitions", partitions, num_partitions, "the number of partitions")
    slices, numbers = data.reshape(partitions.size, *data.shape[partitions.ndim :]), partitions.reshape(-1)
    # `compress` finds the positions first, and is faster than an index of booleans.
    return tuple(np.compress(numbers == number, slices, axis=0) for number in range(num_partitions))


def dynamic_stitch(xp: Namespace, indices: tuple[Array, ...], data: tuple[Array, ...]) -> Array:
    """Slices at their positions; of several slices of one position, the last one counts."""
    for number, each in enumerate(indices):
        check_not_negative(f"indices[{number}]", each)
    count = max((int(each.max()) + 1 for each in indices if each.size), default=0)
    rest = data[0].shape[indices[0].ndim :]
    result = blank(xp, (count, *rest), data[0].dtype)
    for places, values in zip(indices, data, strict=True):
        result[places] = values
    return result
