"""Kernels of `ops/candidates.yaml`.

A sampler draws classes with known probabilities, and gives the expected count of each class. The kernels are NumPy's
only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

import numpy as np

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.checks import check_indices
from typegrad.kernels.namespace import Array, Namespace
from typegrad.shapes.candidates import shard_of

Draw: TypeAlias = Callable[[int], Array]
"""Draws so many classes, independently."""
Probability: TypeAlias = Callable[[Array], Array]
"""The float32 probability of each of some classes."""
HIT: Final = np.finfo(np.float32).min


def uniform_candidate_sampler(
    xp: Namespace,
    true_classes: Array,
    *,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    rng: np.random.Generator,
) -> tuple[Array, ...]:
    """Every class is equally likely."""

    def draw(count: int) -> Array:
        return rng.integers(0, range_max, count)

    def probability(classes: Array) -> Array:
        return np.full(classes.shape, 1 / range_max, np.float32)

    check_indices("true_classes", true_classes, range_max, "the number of classes")
    return _sampled(true_classes, num_sampled, draw, probability, unique=unique)


def _sampled(
    true_classes: Array, num_sampled: int, draw: Draw, probability: Probability, *, unique: bool
) -> tuple[Array, ...]:
    sampled, tries = _distinct(draw, num_sampled) if unique else (draw(num_sampled), num_sampled)

    def expected(classes: Array) -> Array:
        p = probability(classes)
        if tries == num_sampled:
            return p * np.float32(num_sampled)
        return -np.expm1(np.float32(tries) * np.log1p(-p))

    return sampled, expected(true_classes), expected(sampled)


def _distinct(draw: Draw, count: int) -> tuple[Array, int]:
    """Draw until there are `count` distinct classes: these, in order, and the number of draws."""
    drawn = draw(count)
    while True:
        firsts = np.sort(np.unique(drawn, return_index=True)[1])
        if len(firsts) >= count:
            return drawn[firsts[:count]], int(firsts[count - 1]) + 1
        drawn = np.concatenate([drawn, draw(len(drawn))])


def log_uniform_candidate_sampler(
    xp: Namespace,
    true_classes: Array,
    *,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    rng: np.random.Generator,
) -> tuple[Array, ...]:
    """Class k is as likely as a number in [log(k + 1), log(k + 2)) is, among those up to log(range_max + 1)."""
    total = np.log1p(range_max)

    def draw(count: int) -> Array:
        # Rounding may reach the upper end, which belongs to no class.
        whole: Array = np.exp(rng.random(count) * total).astype(np.int64)
        return whole.clip(1, range_max) - np.int64(1)

    def probability(classes: Array) -> Array:
        ratios: Array = (classes + 2.0) / (classes + 1.0)
        return np.divide(np.log(ratios), total).astype(np.float32)

    check_indices("true_classes", true_classes, range_max, "the number of classes")
    return _sampled(true_classes, num_sampled, draw, probability, unique=unique)


def fixed_unigram_candidate_sampler(
    xp: Namespace,
    true_classes: Array,
    *,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    vocab_file: str,
    distortion: float,
    num_reserved_ids: int,
    num_shards: int,
    shard: int,
    unigrams: tuple[float, ...],
    rng: np.random.Generator,
) -> tuple[Array, ...]:
    """The weight of each class, raised to a power, is proportional to its probability."""
    weights = _weights(unigrams, distortion, num_reserved_ids, num_shards, shard)
    ends = np.cumsum(weights)
    if not (weights >= 0).all() or not 0 < ends[-1] < np.inf:
        raise InvalidArgumentError(
            "the weights of the classes must be finite and not negative, and one must be positive"
        )

    def draw(count: int) -> Array:
        drawn: Array = np.searchsorted(ends, rng.random(count) * ends[-1], side="right")
        return drawn.astype(np.int64)

    def probability(classes: Array) -> Array:
        chosen: Array = np.divide(weights, ends[-1])[classes]
        return chosen.astype(np.float32)

    check_indices("true_classes", true_classes, range_max, "the number of classes")
    classes = np.count_nonzero(weights)
    if unique and num_sampled > classes:
        raise InvalidArgumentError(
            f"`num_sampled` is {num_sampled}, but the number of classes that can be drawn is {classes}"
        )
    return _sampled(true_classes, num_sampled, draw, probability, unique=unique)


def _weights(unigrams: tuple[float, ...], distortion: float, reserved: int, num_shards: int, shard: int) -> Array:
    """The weights of one shard's classes, every `num_shards`-th; the reserved ones are first and never drawn."""
    reserved, own = shard_of(unigrams, reserved, num_shards, shard)
    drawn = np.power(np.asarray(own, np.float32), np.float32(distortion)).astype(np.float64)
    return np.concatenate([np.zeros(reserved), drawn])


def all_candidate_sampler(
    xp: Namespace, true_classes: Array, *, num_true: int, num_sampled: int, rng: np.random.Generator
) -> tuple[Array, ...]:
    """Every class, once."""
    check_indices("true_classes", true_classes, num_sampled, "the number of classes")
    return np.arange(num_sampled), np.ones(true_classes.shape, np.float32), np.ones(num_sampled, np.float32)


def compute_accidental_hits(
    xp: Namespace, true_classes: Array, sampled_candidates: Array, *, num_true: int
) -> tuple[Array, ...]:
    """Where a sampled class is a true one; for a class sampled twice, the last position."""
    order = np.argsort(sampled_candidates, kind="stable")
    ordered = sampled_candidates[order]
    position = np.searchsorted(ordered, true_classes, side="right") - 1
    is_hit = (
        (position >= 0) & (np.take(ordered, position, mode="clip") == true_classes) if order.size else position >= 0
    )
    rows, _ = np.nonzero(is_hit)
    return rows.astype(np.int32), order[position[is_hit]].astype(np.int64), np.full(rows.shape, HIT, np.float32)
