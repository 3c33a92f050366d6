"""The word2vec example: reading the gradient changes nothing, frozen parts stay, and a step touches few rows."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import word2vec

WORDS, STEPS = 800, 30


@cache
def text() -> word2vec.Text:
    return word2vec.read_text(vocabulary=WORDS, files=40)


def test_reading_the_gradient_at_every_step_changes_nothing() -> None:
    plain = word2vec.Model(WORDS).train(text(), STEPS)
    assert plain == word2vec.Model(WORDS, read_gradient=True).train(text(), STEPS)
    assert np.mean(plain[-5:]) < plain[0]


@pytest.mark.parametrize("frozen", ["by var_list", "by StopGradient"])
def test_a_frozen_embedding_stays_as_it_is(frozen: word2vec.Frozen) -> None:
    model = word2vec.Model(WORDS, frozen=frozen)
    before = [model.session.value(variable) for variable in (model.embedding, model.output)]
    model.train(text(), STEPS)
    after = [model.session.value(variable) for variable in (model.embedding, model.output)]
    assert before[0].tobytes() == after[0].tobytes() and (before[1] != after[1]).any()


def test_both_ways_to_freeze_train_the_rest_alike() -> None:
    methods: list[word2vec.Frozen] = ["by var_list", "by StopGradient"]
    losses = [word2vec.Model(WORDS, frozen=frozen).train(text(), STEPS) for frozen in methods]
    assert losses[0] == losses[1]


def test_only_the_words_of_a_batch_move() -> None:
    model = word2vec.Model(WORDS)
    before = model.session.value(model.embedding)
    model.train(text(), 2)  # the first step moves the output alone, which starts at zero
    moved = np.flatnonzero((model.session.value(model.embedding) != before).any(axis=1))
    seen = np.unique([context for context, _ in text().batches(2)])
    assert 0 < len(moved) < WORDS and set(moved) <= set(seen)


def test_full_softmax_learns_too() -> None:
    losses = word2vec.Model(WORDS, sampled=False).train(text(), STEPS)
    np.testing.assert_allclose(losses[0], np.log(WORDS), rtol=1e-4)
    assert np.mean(losses[-5:]) < losses[0] - 0.1
