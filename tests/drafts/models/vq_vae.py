"""A vector-quantized autoencoder: codes are rows of a table, and gradients go straight through the choice."""

from typing import Literal, NamedTuple, NewType

import numpy as np

import typegrad as tg
from typegrad.op import core, linalg, math
from typegrad.training.optimizers import Adam

Batch = NewType("Batch", int)
Codes = NewType("Codes", int)
Inputs = tg.Operand[tg.TFloat32, tuple[Batch, Literal[16]]]
Latent = tg.Operand[tg.TFloat32, tuple[Batch, Literal[4]]]

COMMITMENT = 0.25


class Quantized(NamedTuple):
    value: Latent
    row: tg.Operand[tg.TInt32, tuple[Batch]]
    loss: tg.Operand[tg.TFloat32, tuple[()]]


class Codebook:
    def __init__(self, scope: tg.Scope, count: int, size: int, seed: int | None = None) -> None:
        self.scope = scope
        self.count = count
        start = np.random.default_rng(seed).uniform(-1.0, 1.0, size=(count, size)).astype(np.float32)
        self.table = tg.Variable.create(scope.with_name("table"), start)

    def nearest(self, x: Latent) -> tg.Operand[tg.TInt32, tuple[Batch]]:
        """The row with the smallest distance."""
        squares = core.Sum.create(self.scope, self.table * self.table, 1)
        distances = squares - 2.0 * linalg.MatMul.create(self.scope, x, self.table, transpose_b=True)
        return math.ArgMin.create(self.scope, distances, 1, tg.TInt32)

    def __call__(self, x: Latent) -> Quantized:
        index = self.nearest(x)
        row: Latent = self.table.gather(self.scope, index).expect(tg.TFloat32, (Batch, 4))
        moved = math.Mean.create(self.scope, (row - core.StopGradient.create(self.scope, x)) ** 2)
        committed = math.Mean.create(self.scope, (x - core.StopGradient.create(self.scope, row)) ** 2)
        through = x + core.StopGradient.create(self.scope, row - x)
        return Quantized(through, index, moved + COMMITMENT * committed)


class Autoencoder:
    def __init__(self, scope: tg.Scope) -> None:
        self.scope = scope
        rng = np.random.default_rng(11)
        self.encoder = tg.Variable.create(scope.with_name("encoder"), rng.normal(0, 0.25, (16, 4)).astype(np.float32))
        self.decoder = tg.Variable.create(scope.with_name("decoder"), rng.normal(0, 0.5, (4, 16)).astype(np.float32))
        self.offset = tg.Variable.create(scope.with_name("offset"), np.zeros(16, dtype=np.float32))
        self.codebook = Codebook(scope.with_sub_scope("codebook"), count=8, size=4, seed=1)

    def encode(self, x: Inputs) -> Latent:
        return (x - self.offset) @ self.encoder

    def decode(self, z: Latent) -> Inputs:
        return z @ self.decoder + self.offset


graph = tg.Graph(seed=3)
scope = tg.Scope(graph)
x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32, (Batch, 16))
model = Autoencoder(scope)
latent = model.encode(x)
quantized = model.codebook(latent)
reconstruction = model.decode(quantized.value)
squared_error = core.Sum.create(scope, math.SquaredDifference.create(scope, x, reconstruction), axis=1)
loss = math.Mean.create(scope, squared_error) + quantized.loss
used = core.Unique.create(scope, quantized.row, [0])
perplexity_counts = math.UnsortedSegmentSum.create(scope, core.OnesLike.create(scope, squared_error), quantized.row, 8)
frequency = perplexity_counts / core.Sum.create(scope, perplexity_counts)
perplexity = math.Exp.create(scope, -core.Sum.create(scope, math.Xlogy.create(scope, frequency, frequency)))
step = Adam(graph, 0.01).minimize(loss)

rng = np.random.default_rng(0)
centers = rng.normal(size=(6, 16))


def batch(size: int) -> np.ndarray:
    return (centers[rng.integers(0, 6, size)] + 0.05 * rng.normal(size=(size, 16))).astype(np.float32)


with tg.Session(graph) as session:
    before = session.run(loss, {x: batch(128)})
    for _ in range(120):
        session.run(step, {x: batch(64)})
    after, indices, codes = session.run((loss, used.y, perplexity), {x: batch(128)})
    decoded = session.run(reconstruction, {x: batch(3)})
assert after < before
assert decoded.shape == (3, 16)
assert codes >= 1.0
assert len(indices) <= 8
