"""Kernels of `ops/clustering.yaml`: what they draw is a function of a seed. They run on NumPy only."""

from __future__ import annotations

import numpy as np

from typegrad.kernels import philox
from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.philox import Philox


def kmc2_chain_initialization(xp: Namespace, distances: Array, seed: Array) -> Array:
    """Where the chain ends; each candidate after the first one takes a number in [0, 1)."""
    source = Philox(int(seed), 0)
    draws = philox.fill(
        source, (len(distances) - 1,), distances.dtype, lambda words: philox.uniform(words, distances.dtype)
    )
    # The chain moves from any candidate to one to which it would from the farthest one: what is before does not matter.
    certain = np.flatnonzero(distances[1:] > draws * distances.max())
    selected = int(certain[-1]) + 1 if len(certain) else 0
    for candidate in range(selected + 1, len(distances)):
        if distances[candidate] > draws[candidate - 1] * distances[selected]:
            selected = candidate
    return xp.asarray(np.int64(selected))
