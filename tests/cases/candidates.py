"""Cases of `ops/candidates.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from support.case import Case

WEIGHTS = [float(weight) for weight in range(1, 11)]


def unigrams() -> Iterator[Case]:
    """Reserved classes, shards, and weights that are not weights."""
    op = "FixedUnigramCandidateSampler"
    yield from samplers(op, unigrams=WEIGHTS)
    yield sampler(op, unigrams=WEIGHTS, distortion=0.75)
    yield sampler(op, unigrams=WEIGHTS[2:], num_reserved_ids=2, unique=True)
    yield sampler(op, unigrams=WEIGHTS * 2, num_shards=2, shard=1)
    yield sampler(op, unigrams=WEIGHTS * 3, num_shards=3, num_reserved_ids=2, range_max=11)
    for wrong in ([], WEIGHTS[1:], [*WEIGHTS, 1.0]):
        yield sampler(op, unigrams=wrong, fails=True)
    yield sampler(op, unigrams=WEIGHTS, num_reserved_ids=1, fails=True)
    yield sampler(op, unigrams=WEIGHTS, num_shards=2, fails=True)
    for shards, shard in ((1, 1), (2, 2)):
        yield sampler(op, unigrams=WEIGHTS, num_shards=shards, shard=shard, fails=True)
    yield sampler(op, vocab_file="no/such/file", fails=True)


def hits(true_classes: Any, sampled: Any, num_true: int = 2, *, fails: bool = False) -> Case:
    """True classes among sampled ones."""
    inputs = np.asarray(true_classes, np.int64), np.asarray(sampled, np.int64)
    return Case("ComputeAccidentalHits", inputs, {"num_true": num_true}, fails=fails)


TRUE = np.array([[0, 3], [9, 1]])


def sampler(op: str, true_classes: Any = TRUE, *, fails: bool = False, **attrs: Any) -> Case:
    """One use of a sampler of ten classes."""
    options = {"num_true": 2, "num_sampled": 4, "unique": False, "range_max": 10, **attrs}
    return Case(op, (np.asarray(true_classes, np.int64),), options, fails=fails)


def samplers(op: str, **attrs: Any) -> Iterator[Case]:
    """With and without repetitions, as many as there are, no rows, and classes that do not fit."""
    for unique in (False, True):
        yield from (sampler(op, num_sampled=count, unique=unique, **attrs) for count in (1, 5, 10))
        yield sampler(op, np.zeros((0, 2)), unique=unique, **attrs)
    yield sampler(op, num_sampled=15, **attrs)
    yield sampler(op, num_sampled=11, unique=True, fails=True, **attrs)
    yield sampler(op, [0, 3], fails=True, **attrs)
    yield sampler(op, num_true=1, fails=True, **attrs)
    yield from (sampler(op, [[0, wrong]], fails=True, **attrs) for wrong in (10, -1))


def everything(true_classes: Any, count: int, *, fails: bool = False, **attrs: Any) -> Case:
    """All classes."""
    options = {"num_true": 2, "num_sampled": count, "unique": True, **attrs}
    return Case("AllCandidateSampler", (np.asarray(true_classes, np.int64),), options, fails=fails)


CASES: list[Case] = [
    *samplers("UniformCandidateSampler"),
    *samplers("LogUniformCandidateSampler"),
    *unigrams(),
    everything([[0, 3], [4, 1]], 5),
    everything([[0, 3], [4, 1]], 5, unique=False),
    everything(np.zeros((0, 2)), 3),
    everything([[0, 5]], 5, fails=True),
    everything([0, 4], 5, fails=True),
    everything([[0], [4]], 5, fails=True),
    hits([[1, 2], [3, 1]], [1, 5, 3]),
    hits([[1, 1], [3, 1]], [3, 1, 3]),
    hits([[1, 2], [3, 4]], [5, 6, 0]),
    hits([[9, -1], [0, 4]], [4, 4, 4, 0]),
    hits([[7], [8]], [8], 1),
    hits(np.zeros((0, 2)), [1]),
    hits([[7]], [], 1),
    hits([[1, 2]], [[1]], fails=True),
    hits([1, 2], [1], fails=True),
    hits([[1, 2]], [1], 1, fails=True),
]
