"""The training data of all contenders."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import cycle
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np

from contenders.tasks import Array

sys.path.append(str(Path(__file__).parents[2] / "docs" / "examples"))
import word2vec

__all__ = ["Contenders", "Model", "batches", "embedding"]

Model = word2vec.Model
Contenders: TypeAlias = Mapping[str, Callable[[int], Callable[[], float]]]
"""For each name, a function that builds a model with this many words and returns a step function, which returns the
loss.
"""

LENGTH: Final = 1_000_000
BATCHES: Final = 500


def batches(vocabulary: int) -> Iterator[tuple[Array, Array]]:
    """Contexts and the words in their middle, from a text whose k-th word is about as likely as 1 / k; without end."""
    powers = np.random.default_rng(0).random(LENGTH) * np.log(vocabulary)
    words = np.exp(powers).astype(np.int64) - 1
    return cycle(list(word2vec.Text([], words).batches(BATCHES)))


def embedding(vocabulary: int) -> Array:
    """Initial vectors."""
    uniform = np.random.default_rng(1).random((vocabulary, word2vec.SIZE), np.float32)
    return (uniform - 0.5) / word2vec.SIZE
