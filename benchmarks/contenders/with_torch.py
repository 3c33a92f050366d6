"""PyTorch, which runs each operation immediately, without a graph."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Final

import numpy as np
import torch

from contenders.tasks import RATE, RUN, SIZES, TRAIN, Contenders, batch, weights

__all__ = ["CONTENDERS"]


def run() -> Callable[[], object]:
    value = np.ones(4, np.float32)

    def work() -> object:
        x, y = torch.from_numpy(value), torch.from_numpy(value)
        return torch.tanh(x * y + x).numpy()

    return work


def train() -> Callable[[], object]:
    images, classes = batch()
    linear = [torch.nn.Linear(inputs, outputs) for inputs, outputs in pairwise(SIZES)]
    with torch.no_grad():
        for layer, (w, b) in zip(linear, weights(), strict=True):
            layer.weight.copy_(torch.from_numpy(w.T))
            layer.bias.copy_(torch.from_numpy(b))
    first, second, third = linear
    network = torch.nn.Sequential(first, torch.nn.ReLU(), second, torch.nn.ReLU(), third)
    optimizer = torch.optim.SGD(network.parameters(), RATE)
    labels = torch.from_numpy(classes.astype(np.int64))

    def work() -> object:
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(network(torch.from_numpy(images)), labels)
        loss.backward()
        optimizer.step()
        return loss.item()

    return work


CONTENDERS: Final[Contenders] = {"PyTorch": {RUN: run, TRAIN: train}}
