"""The example of speech: words that were not trained on are recognized, and edit distances count the mistakes."""

from __future__ import annotations

import ctc_speech
import numpy as np


def test_words_are_recognized() -> None:
    result = ctc_speech.train()
    assert result.losses[-1] < result.losses[0] / 20
    for heard, edits in zip(result.heard, result.edits, strict=True):
        assert np.mean(edits) < 0.4
        assert [word == truth for word, truth in zip(heard, result.words, strict=True)] == (edits == 0).tolist()


def test_letters_are_a_sparse_matrix() -> None:
    speech = ctc_speech.speak(np.random.default_rng(0))
    places, classes = speech.letters
    assert ctc_speech.spelled(places, classes.astype(np.int64)) == speech.words
