"""The word2vec model with all shapes stated: mypy with `typegrad.mypy_plugin` proves them.

It predicts a word from the mean of the vectors of the words around it, against a few random words.

Source: Mikolov et al., "Efficient estimation of word representations in vector space" (2013).
"""

from __future__ import annotations

from typing import Final, Literal, NewType, TypeAlias

import numpy as np

import typegrad as tg
from typegrad.op import core, linalg, math, nn, random
from typegrad.training.optimizers import GradientDescent

WORDS: Final = 1000
SIZE: Final = 32
WINDOW: Final = 4
NOISE: Final = 64

Batch = NewType("Batch", int)

Table: TypeAlias = tg.Variable[tg.TFloat32, tuple[Literal[1000], Literal[32]]]
Context: TypeAlias = tg.Operand[tg.TInt32, tuple[Batch, Literal[4]]]
Center: TypeAlias = tg.Operand[tg.TInt32, tuple[Batch]]
Vectors: TypeAlias = tg.Operand[tg.TFloat32, tuple[Batch, Literal[32]]]


def mean_vector(scope: tg.Scope, table: Table, context: Context) -> Vectors:
    """The mean of the vectors of the words around."""
    return math.Mean.create(scope, core.Gather.create(scope, table, context), 1)


def sampled_loss(
    scope: tg.Scope, hidden: Vectors, weights: Table, center: Center, noise: tg.Operand[tg.TInt32, tuple[Literal[64]]]
) -> tg.Operand[tg.TFloat32, tuple[()]]:
    """The cross-entropy of the word in the middle among the random words."""
    right = core.Sum.create(scope, hidden * core.Gather.create(scope, weights, center), 1, keep_dims=True)
    wrong = linalg.MatMul.create(scope, hidden, core.Gather.create(scope, weights, noise), transpose_b=True)
    logits = core.Concat.create(scope, [right, wrong], 1)
    chances = nn.LogSoftmax.create(scope, logits)
    first: tg.Operand[tg.TFloat32, tuple[Batch]] = chances[:, 0]
    return -math.Mean.create(scope, first)


def main() -> None:
    """Take three training steps on random words."""
    scope = tg.Scope(tg.Graph(seed=1))
    context = core.Placeholder.create(scope, tg.TInt32, (Batch, WINDOW))
    center = core.Placeholder.create(scope, tg.TInt32, (Batch,))
    noise = random.RandomUniformInt.create(scope, (NOISE,), 0, WORDS)
    table = tg.Variable.create(scope, random.RandomStandardNormal.create(scope, (WORDS, SIZE), tg.TFloat32))
    weights = tg.Variable.create(scope, random.TruncatedNormal.create(scope, (WORDS, SIZE), tg.TFloat32))
    loss = sampled_loss(scope, mean_vector(scope, table, context), weights, center, noise)
    step = GradientDescent(scope.graph, 0.5).minimize(loss)
    rng = np.random.default_rng(0)
    with tg.Session(scope.graph) as session:
        for _ in range(3):
            around, middle = rng.integers(0, 1000, (8, 4), np.int32), rng.integers(0, 1000, 8, np.int32)
            value, _ = session.run((loss, step), {context: around, center: middle})
            print(f"{value:.3f}")


if __name__ == "__main__":
    main()
