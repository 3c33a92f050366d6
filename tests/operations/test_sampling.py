"""Samplers draw from the distributions they name, and expect what TensorFlow expects.

Seeds are fixed: what passes once always passes.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any, Final

import numpy as np
import pytest
from scipy import stats

import typegrad as tg
from support.recording import Array
from typegrad.op import core, nn, random

COUNT: Final = 20_000
LEVEL: Final = 1e-3
"""The probability below which a sample does not pass for one of its distribution."""
CLASSES: Final = 10
SEEDS: Final = (1, 2, 3)
WEIGHTS: Final = tuple(float(weight) for weight in range(1, CLASSES + 1))
TRUE: Final = np.array([[0, 3], [9, 1]])

ZIPF: Final = np.log((np.arange(CLASSES) + 2) / (np.arange(CLASSES) + 1)) / np.log(CLASSES + 1)
POWERS: Final = np.array(WEIGHTS) ** 0.75
PROBABILITIES: Final = {
    "uniform": np.full(CLASSES, 1 / CLASSES),
    "log-uniform": ZIPF,
    "fixed": POWERS / POWERS.sum(),
}


def sampled(
    kind: str, count: int, seed: int, *, unique: bool, true_classes: Array = TRUE
) -> tuple[Array, Array, Array]:
    """One draw: the classes, and the expected counts of the true and of the sampled ones."""
    scope = tg.Scope(tg.Graph(seed=seed))
    classes = core.Constant.create(scope, true_classes.astype(np.int64), tg.TInt64)
    options: dict[str, Any] = {"num_true": 2, "num_sampled": count, "unique": unique, "range_max": CLASSES}
    sampler: Any = {
        "uniform": random.UniformCandidateSampler,
        "log-uniform": random.LogUniformCandidateSampler,
        "fixed": nn.FixedUnigramCandidateSampler,
    }[kind]
    if kind == "fixed":
        options |= {"unigrams": WEIGHTS, "distortion": 0.75}
    op = sampler.create(scope, classes, **options)
    with tg.Session(scope.graph) as session:
        a, b, c = session.run([op.sampled_candidates, op.true_expected_count, op.sampled_expected_count])
        return np.asarray(a), np.asarray(b), np.asarray(c)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", PROBABILITIES)
def test_classes_have_their_probabilities(kind: str, seed: int) -> None:
    classes, _, _ = sampled(kind, COUNT, seed, unique=False)
    counts = np.bincount(classes, minlength=CLASSES)
    assert stats.chisquare(counts, PROBABILITIES[kind] * COUNT).pvalue > LEVEL


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("uniform", [[0.5, 0.5], [0.5, 0.5]]),
        ("log-uniform", [[1.445324182510376, 0.4652904272079468], [0.19873715937137604, 0.8454604148864746]]),
        ("fixed", [[0.14348438382148743, 0.4058351516723633], [0.8068720102310181, 0.24131102859973907]]),
    ],
)
def test_expected_counts_are_tensorflows(kind: str, expected: list[list[float]]) -> None:
    classes, of_true, of_sampled = sampled(kind, 5, 1, unique=False)
    np.testing.assert_allclose(of_true, expected, rtol=2e-6)
    np.testing.assert_allclose(of_sampled, 5 * PROBABILITIES[kind][classes], rtol=2e-6)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("count", [5, CLASSES])
@pytest.mark.parametrize("kind", PROBABILITIES)
def test_unique_classes_differ_and_their_counts_follow_from_the_tries(kind: str, count: int, seed: int) -> None:
    classes, of_true, of_sampled = sampled(kind, count, seed, unique=True)
    assert len(set(classes.tolist())) == count
    p = PROBABILITIES[kind]
    rare, least = p[TRUE].min(), of_true.min()
    if np.isclose(least, count * rare):
        expected = count * p
    else:
        tries = round(float(np.log1p(-least) / np.log1p(-rare)))
        expected = 1 - (1 - p) ** tries
        assert tries > count
    np.testing.assert_allclose(of_true, expected[TRUE], rtol=1e-5)
    np.testing.assert_allclose(of_sampled, expected[classes], rtol=1e-5)


def test_first_of_unique_classes_has_the_distribution() -> None:
    scope = tg.Scope(tg.Graph(seed=1))
    classes = core.Constant.create(scope, np.zeros((1, 1), np.int64), tg.TInt64)
    op = random.LogUniformCandidateSampler.create(
        scope, classes, num_true=1, num_sampled=3, unique=True, range_max=CLASSES
    )
    with tg.Session(scope.graph) as session:
        firsts = [int(session.run(op.sampled_candidates)[0]) for _ in range(2000)]
    assert stats.chisquare(np.bincount(firsts, minlength=CLASSES), ZIPF * 2000).pvalue > LEVEL


def test_a_class_without_weight_is_never_drawn() -> None:
    scope = tg.Scope(tg.Graph(seed=1))
    classes = core.Constant.create(scope, np.zeros((1, 1), np.int64), tg.TInt64)
    op = nn.FixedUnigramCandidateSampler.create(
        scope, classes, num_true=1, num_sampled=COUNT, unique=False, range_max=5, num_reserved_ids=2, unigrams=(1, 0, 3)
    )
    with tg.Session(scope.graph) as session:
        counts = np.bincount(session.run(op.sampled_candidates), minlength=5)
    assert counts[[0, 1, 3]].tolist() == [0, 0, 0]
    assert stats.chisquare(counts[[2, 4]], np.array([0.25, 0.75]) * COUNT).pvalue > LEVEL


def test_a_class_that_is_not_there_is_refused() -> None:
    with pytest.raises(tg.InvalidArgumentError) as raised:
        sampled("uniform", 2, 1, unique=False, true_classes=np.array([[1, CLASSES]]))
    assert f"`true_classes[0, 1]` is {CLASSES}, but must be in [0, {CLASSES}), the number of classes" in str(
        raised.value
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_multinomial_classes_have_the_probabilities_of_each_row(seed: int) -> None:
    scope = tg.Scope(tg.Graph(seed=seed))
    logits = np.array([[0.0, 1.0, 2.0, -np.inf], [700.0, 700.0, 701.0, 699.0], [0.0, 0.0, 0.0, 0.0]])
    drawn = random.Multinomial.create(scope, core.Constant.create(scope, logits), COUNT)
    with tg.Session(scope.graph) as session:
        rows = session.run(drawn)
    for row, numbers in zip(logits, rows, strict=True):
        p = np.exp(row - row.max()) / np.exp(row - row.max()).sum()
        counts = np.bincount(numbers, minlength=4)
        assert not counts[p == 0].any()
        assert stats.chisquare(counts[p > 0], (p * COUNT)[p > 0]).pvalue > LEVEL
    assert abs(np.corrcoef(rows[1], rows[2])[0, 1]) < 5 / np.sqrt(COUNT)


def test_every_order_is_equally_likely() -> None:
    scope = tg.Scope(tg.Graph(seed=1))
    shuffled = random.RandomShuffle.create(scope, core.Constant.create(scope, [[0, 0], [1, 1], [2, 2]]))
    orders = list(permutations(range(3)))
    with tg.Session(scope.graph) as session:
        counts = [orders.index(tuple(session.run(shuffled)[:, 1].tolist())) for _ in range(3000)]
    assert stats.chisquare(np.bincount(counts, minlength=6)).pvalue > LEVEL


def test_many_rows_are_shuffled() -> None:
    count = 1 << 14
    scope = tg.Scope(tg.Graph(seed=1))
    shuffled = random.RandomShuffle.create(scope, core.Constant.create(scope, np.arange(count)))
    with tg.Session(scope.graph) as session, tg.Session(scope.graph) as other:
        orders = [session.run(shuffled) for _ in range(2)]
        np.testing.assert_array_equal(orders[0], other.run(shuffled))
    for order in orders:
        np.testing.assert_array_equal(np.sort(order), np.arange(count))
    for x, y in ((orders[0], orders[1]), (orders[0], np.arange(count)), (orders[0][1:], orders[0][:-1])):
        assert abs(np.corrcoef(x, y)[0, 1]) < 5 / np.sqrt(count)


def test_strings_can_be_shuffled() -> None:
    scope = tg.Scope(tg.Graph(seed=1))
    words = random.RandomShuffle.create(scope, core.Constant.create(scope, ["a", "b", "c"]))
    with tg.Session(scope.graph) as session:
        assert sorted(session.run(words).tolist()) == [b"a", b"b", b"c"]


def test_samples_never_change() -> None:
    """A change here changes what every program with a seed computes."""
    assert [sampled(kind, 6, 1, unique=True)[0].tolist() for kind in PROBABILITIES] == [
        [2, 1, 6, 4, 3, 7],
        [1, 0, 3, 5, 6, 2],
        [2, 9, 5, 7, 8, 3],
    ]
