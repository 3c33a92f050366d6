"""PyTorch with sparse gradients.

PyTorch has no sampler of its own: noise words are drawn with replacement, which takes less time.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import torch
from word2vec import BATCH, LEARNING_RATE, NOISE, SIZE

from contenders.word2vec_tasks import Contenders, batches, embedding

__all__ = ["CONTENDERS"]

torch.set_num_threads(1)


def train(vocabulary: int) -> Callable[[], float]:
    vectors = torch.nn.Embedding(vocabulary, SIZE, sparse=True, _weight=torch.from_numpy(embedding(vocabulary)))
    output = torch.nn.Embedding(vocabulary, SIZE, sparse=True, _weight=torch.zeros(vocabulary, SIZE))
    bias = torch.nn.Embedding(vocabulary, 1, sparse=True, _weight=torch.zeros(vocabulary, 1))
    parameters = [vectors.weight, output.weight, bias.weight]
    optimizer = torch.optim.SGD(parameters, LEARNING_RATE)
    total = math.log1p(vocabulary)
    first = torch.zeros(BATCH, dtype=torch.int64)

    def log_count(words: Any) -> Any:
        """The logarithm of how often a word is expected among the noise words."""
        return torch.log(NOISE * torch.log((words + 2.0) / (words + 1.0)) / total)

    def work() -> float:
        context, center = map(torch.from_numpy, next(data))
        noise = (torch.exp(torch.rand(NOISE) * total).long() - 1).clamp_(0, vocabulary - 1)
        words = torch.cat([center, noise])
        rows, biases = output(words), bias(words)[:, 0] - log_count(words)
        hidden = vectors(context).mean(1)
        right = (hidden * rows[:BATCH]).sum(1) + biases[:BATCH]
        others = hidden @ rows[BATCH:].T + biases[BATCH:]
        loss = torch.nn.functional.cross_entropy(torch.cat([right[:, None], others], 1), first)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return float(loss.detach())

    data = batches(vocabulary)
    return work


CONTENDERS: Final[Contenders] = {"PyTorch": train}
