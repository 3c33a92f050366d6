"""NumPy alone: the cost of the kernels without a graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from contenders.tasks import RATE, RUN, TRAIN, Array, Contenders, batch, weights

__all__ = ["CONTENDERS"]


def run() -> Callable[[], object]:
    value = np.ones(4, np.float32)
    return lambda: np.tanh(value * value + value)


def train() -> Callable[[], object]:
    layers = weights()
    images, classes = batch()
    rows = np.arange(len(classes))

    def work() -> object:
        inputs: list[Array] = []
        x: Array = images
        for number, (w, b) in enumerate(layers):
            inputs.append(np.maximum(x, 0) if number else x)
            x = inputs[-1] @ w + b
        x = x - x.max(axis=1, keepdims=True)
        powers = np.exp(x)
        probabilities = powers / powers.sum(axis=1, keepdims=True)
        loss = -np.log(probabilities[rows, classes]).mean()
        probabilities[rows, classes] -= 1
        grad: Array = probabilities / len(classes)
        for number in reversed(range(len(layers))):
            w, b = layers[number]
            updated = w - RATE * (inputs[number].T @ grad), b - RATE * grad.sum(axis=0)
            if number:
                grad = (grad @ w.T) * (inputs[number] > 0)
            layers[number] = updated
        return loss

    return work


CONTENDERS: Final[Contenders] = {"NumPy, by hand": {RUN: run, TRAIN: train}}
