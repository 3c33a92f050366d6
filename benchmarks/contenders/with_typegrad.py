"""typegrad."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

import typegrad as tg
from contenders.tasks import BUILD, CHAIN, DIFFERENTIATE, NODES, RATE, RUN, SIZES, TRAIN, Contenders, batch, weights
from typegrad.op import core, math, nn
from typegrad.training.optimizers import GradientDescent

__all__ = ["CONTENDERS"]


def build() -> Callable[[], object]:
    def work() -> object:
        scope = tg.Scope(tg.Graph())
        x: tg.Operand[tg.TFloat32] = core.Placeholder.create(scope, tg.TFloat32, shape=(4,))
        for _ in range(NODES // 2):
            x = x * x + x
        return scope.graph

    return work


def run() -> Callable[[], object]:
    scope = tg.Scope(tg.Graph())
    x, y = (core.Placeholder.create(scope, tg.TFloat32, shape=(4,)) for _ in range(2))
    result = math.Tanh.create(scope, x * y + x)
    session = tg.Session(scope.graph)
    value = np.ones(4, np.float32)
    return lambda: session.run(result, {x: value, y: value})


def train() -> Callable[[], object]:
    graph = tg.Graph()
    scope = tg.Scope(graph)
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(None, SIZES[0]))
    labels = core.Placeholder.create(scope, tg.TInt32, shape=(None,))
    logits: tg.Operand[tg.TFloat32] = x
    for number, (weight, bias) in enumerate(weights()):
        hidden = nn.Relu.create(scope, logits) if number else logits
        w, b = tg.Variable.create(scope, weight), tg.Variable.create(scope, bias)
        logits = nn.BiasAdd.create(scope, hidden @ w, b)
    entropy = nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, logits, labels)
    loss = math.Mean.create(scope, entropy.loss)
    step = GradientDescent(graph, RATE).minimize(loss)
    session = tg.Session(graph)
    images, classes = batch()
    return lambda: session.run([loss, step], {x: images, labels: classes})


def differentiate() -> Callable[[], object]:
    def work() -> object:
        scope = tg.Scope(tg.Graph())
        start = core.Placeholder.create(scope, tg.TFloat32, shape=(4,))
        x: tg.Operand[tg.TFloat32] = start
        for _ in range(CHAIN):
            x = math.Tanh.create(scope, x)
        return tg.grad(scope, x, start)

    return work


CONTENDERS: Final[Contenders] = {
    "typegrad": {BUILD: build, RUN: run, TRAIN: train, DIFFERENTIATE: differentiate},
}
