"""Tagging of sequences by a conditional random field: its likelihood, and the best path by Viterbi."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NewType

import numpy as np

import typegrad as tg
from typegrad import functions
from typegrad.op import core, dtypes, math, nn
from typegrad.training.optimizers import Adam

Batch = NewType("Batch", int)
LENGTH, TAGS, WORDS, WIDTH = 6, 3, 20, 10

Unary = tg.Operand[tg.TFloat32, tuple[Batch, Literal[6], Literal[3]]]
Scores = tg.Operand[tg.TFloat32, tuple[Batch, Literal[3]]]
Tags = tg.Operand[tg.TInt32, tuple[Batch, Literal[6]]]


@dataclass
class Crf:
    scope: tg.Scope
    transitions: tg.Variable[tg.TFloat32, tuple[Literal[3], Literal[3]]]

    @classmethod
    def create(cls, scope: tg.Scope) -> Crf:
        return cls(scope, tg.Variable.create(scope.with_name("transitions"), np.zeros((TAGS, TAGS), np.float32)))

    def log_partition(self, unary: Unary) -> tg.Operand[tg.TFloat32, tuple[Batch]]:
        steps = core.Unstack.create(self.scope, unary, LENGTH, axis=1)
        alpha: Scores = steps[0]
        for step in steps[1:]:
            paths = alpha[:, :, None] + self.transitions[None]
            alpha = functions.logsumexp(self.scope, paths, 1) + step
        return functions.logsumexp(self.scope, alpha, 1)

    def score(self, unary: Unary, tags: Tags) -> tg.Operand[tg.TFloat32, tuple[Batch]]:
        one_hot = core.OneHot.create(self.scope, tags, TAGS, 1.0, 0.0)
        emitted = core.Sum.create(self.scope, unary * one_hot, (1, 2))
        before, after = tags[:, :-1], tags[:, 1:]
        pairs = core.Stack.create(self.scope, [before, after], axis=2)
        moved = core.GatherNd.create(self.scope, self.transitions, pairs)
        return emitted + core.Sum.create(self.scope, moved, 1)

    def loss(self, unary: Unary, tags: Tags) -> tg.Operand[tg.TFloat32, tuple[()]]:
        return math.Mean.create(self.scope, self.log_partition(unary) - self.score(unary, tags))

    def viterbi(self, unary: Unary) -> Tags:
        steps = core.Unstack.create(self.scope, unary, num=LENGTH, axis=1)
        best: Scores = steps[0]
        pointers: list[tg.Operand[tg.TInt32, tuple[Batch, Literal[3]]]] = []
        for step in steps[1:]:
            paths = core.ExpandDims.create(self.scope, best, 2) + self.transitions
            pointers.append(math.ArgMax.create(self.scope, paths, 1, output_type=tg.TInt32))
            best = core.Max.create(self.scope, paths, 1) + step
        tag = math.ArgMax.create(self.scope, best, 1, output_type=tg.TInt32)
        path: list[tg.Operand[tg.TInt32, tuple[Batch]]] = [tag]
        for pointer in reversed(pointers):
            chosen = core.OneHot.create(self.scope, path[-1], TAGS, 1, 0)
            path.append(core.Sum.create(self.scope, pointer * chosen, 1))
        return core.Stack.create(self.scope, path[::-1], axis=1)


def features(scope: tg.Scope, words: tg.Operand[tg.TInt32, tuple[Batch, Literal[6]]]) -> Unary:
    rng = np.random.default_rng(0)
    table = tg.Variable.create(scope.with_name("table"), rng.normal(0, 0.5, (WORDS, WIDTH)).astype(np.float32))
    embedded = table.gather(scope, words)
    kernel = tg.Variable.create(scope.with_name("kernel"), rng.normal(0, 0.2, (3, WIDTH, WIDTH)).astype(np.float32))
    padded = core.Pad.create(scope, embedded, [[0, 0], [1, 1], [0, 0]])
    h = sum((padded[:, i : i + LENGTH] @ kernel[i] for i in range(1, 3)), padded[:, :LENGTH] @ kernel[0])
    w = tg.Variable.create(scope.with_name("w"), rng.normal(0, 0.2, (WIDTH, TAGS)).astype(np.float32))
    return nn.Relu.create(scope, h) @ w


def main() -> None:
    graph = tg.Graph(seed=1)
    scope = tg.Scope(graph)
    words = core.Placeholder.create(scope.with_name("words"), tg.TInt32, (Batch, LENGTH))
    tags = core.Placeholder.create(scope.with_name("tags"), tg.TInt32, (Batch, LENGTH))
    crf = Crf.create(scope)
    unary = features(scope, words)
    loss = crf.loss(unary, tags)
    predicted = crf.viterbi(unary)
    right = math.Equal.create(scope, predicted, tags)
    accuracy = math.Mean.create(scope, dtypes.Cast.create(scope, right, tg.TFloat32))
    step = Adam(graph, 0.05).minimize(loss)
    rng = np.random.default_rng(3)
    with tg.Session(graph) as session:
        w = rng.integers(0, WORDS, (16, LENGTH)).astype(np.int32)
        y = (w % TAGS).astype(np.int32)
        for _ in range(30):
            session.run(step, {words: w, tags: y})
        assert session.run(accuracy, {words: w, tags: y}) > 0.9


main()
