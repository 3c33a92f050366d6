"""The chain of k-MC², of which only the end is computed."""

from __future__ import annotations

import numpy as np
import pytest

import typegrad as tg
from typegrad.kernels import philox
from typegrad.kernels.philox import Philox
from typegrad.op import cluster


@pytest.mark.parametrize("special", [None, np.nan, np.inf, 0.0, -1.0])
@pytest.mark.parametrize("count", [1, 2, 300])
def test_the_chain_ends_where_its_steps_lead(count: int, special: float | None) -> None:
    for seed in range(20):
        distances = np.random.default_rng(seed).exponential(size=count).astype(np.float32)
        if special is not None:
            distances[seed % count] = special
        shape, dtype = (count - 1,), distances.dtype
        draws = philox.fill(Philox(seed, 0), shape, dtype, lambda words: philox.uniform(words, np.dtype(np.float32)))
        expected = 0
        for candidate in range(1, count):
            if distances[candidate] > draws[candidate - 1] * distances[expected]:
                expected = candidate
        scope = tg.Scope(tg.Graph())
        index = cluster.KMC2ChainInitialization.create(scope, distances, seed)
        with tg.Session(scope.graph) as session:
            assert session.run(index) == expected
