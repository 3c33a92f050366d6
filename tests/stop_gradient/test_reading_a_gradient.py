"""Computing a gradient only to read its value changes nothing: the training loss stays bit-identical.

The graph is the one of the well-known question, a CBOW word2vec model with sampled noise words, here in small.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, linalg, math, nn, random
from typegrad.training.optimizers import GradientDescent

WORDS, SIZE, NOISE, WINDOW = 50, 8, 6, 4


def losses(read: Literal["no", "same run", "own run"], *, extra_random_ops: bool = False) -> bytes:
    graph = tg.Graph(seed=3)
    scope = tg.Scope(graph)
    if extra_random_ops:
        random.RandomUniform.create(scope, [2], tg.TFloat32)
    context = core.Placeholder.create(scope.with_name("context"), tg.TInt32, shape=(None, WINDOW))
    initial = random.RandomStandardNormal.create(scope.with_name("initial"), [WORDS, SIZE], tg.TFloat32)
    embedding = tg.Variable.create(scope.with_name("embedding"), initial)
    noise = random.RandomUniformInt.create(
        scope.with_name("noise"), [NOISE], core.Constant.create(scope, 0), core.Constant.create(scope, WORDS)
    )
    table = embedding.read(scope)
    hidden = math.Mean.create(scope, core.Gather.create(scope, table, context), 1)
    logits = linalg.MatMul.create(scope, hidden, core.Gather.create(scope, table, noise), transpose_b=True)
    loss = math.Mean.create(scope, nn.LogSoftmax.create(scope, logits))
    step = GradientDescent(graph, 0.5).minimize(loss)
    gradient = tg.grad(scope, loss, embedding) if read != "no" else None
    if extra_random_ops:
        random.RandomUniform.create(scope, [2], tg.TFloat32)
    words = np.random.default_rng(0).integers(0, WORDS, size=(20, 16, WINDOW), dtype=np.int32)
    history = []
    with tg.Session(graph) as session:
        for batch in words:
            if gradient is not None and read == "own run":
                session.run(gradient, {context: batch})
            fetches: list[Any] = [loss, step] if gradient is None or read == "own run" else [loss, step, gradient]
            history.append(session.run(fetches, {context: batch})[0])
    return np.stack(history).tobytes()


@pytest.mark.parametrize("read", ["same run", "own run"])
def test_reading_a_gradient_changes_nothing(read: Literal["same run", "own run"]) -> None:
    assert losses(read) == losses("no")


def test_other_random_operations_change_nothing() -> None:
    assert losses("no", extra_random_ops=True) == losses("no")


def test_two_runs_of_the_same_program_are_equal() -> None:
    assert losses("no") == losses("no")
