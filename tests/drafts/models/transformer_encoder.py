"""A transformer encoder that finds the most frequent class of tokens in a sequence."""

from dataclasses import dataclass
from typing import Literal, NewType, TypeVar

import numpy as np

import typegrad as tg
from typegrad import initializers
from typegrad.op import core, linalg, math, nn
from typegrad.training.optimizers import Adam

Batch = NewType("Batch", int)
F = TypeVar("F", bound=tg.TFloating)
S = TypeVar("S", bound=tuple[int, ...])

VOCABULARY = 12
TIME = 6
WIDTH = 16
HEADS = 2
HEAD = WIDTH // HEADS
CLASSES = 3

Sequence = tg.Operand[tg.TFloat32, tuple[Batch, Literal[6], Literal[16]]]


def gelu(scope: tg.Scope, x: tg.Operand[F, S]) -> tg.Operand[F, S]:
    return x * 0.5 * (1.0 + math.Erf.create(scope, x * 0.70710678))


def layer_norm(scope: tg.Scope, x: Sequence) -> Sequence:
    gain = tg.Variable.create(scope.with_name("gain"), np.ones(WIDTH, np.float32))
    mean = math.Mean.create(scope, x, -1, keep_dims=True)
    variance = math.Mean.create(scope, math.SquaredDifference.create(scope, x, mean), -1, keep_dims=True)
    return (x - mean) * math.Rsqrt.create(scope, variance + 1e-5) * gain


@dataclass
class Attention:
    wq: tg.Variable[tg.TFloat32, tuple[Literal[16], Literal[2], Literal[8]]]
    wk: tg.Variable[tg.TFloat32, tuple[Literal[16], Literal[2], Literal[8]]]
    wv: tg.Variable[tg.TFloat32, tuple[Literal[16], Literal[2], Literal[8]]]
    wo: tg.Variable[tg.TFloat32, tuple[Literal[2], Literal[8], Literal[16]]]

    def __call__(self, scope: tg.Scope, x: Sequence) -> Sequence:
        q = linalg.Einsum.create(scope, [x, self.wq], "btd,dhk->bhtk")
        k = linalg.Einsum.create(scope, [x, self.wk], "btd,dhk->bhtk")
        v = linalg.Einsum.create(scope, [x, self.wv], "btd,dhk->bhtk")
        scores = linalg.Einsum.create(scope, [q, k], "bhtk,bhsk->bhts") * (1.0 / np.sqrt(HEAD))
        weights = nn.Softmax.create(scope, scores)
        mixed = linalg.Einsum.create(scope, [weights, v], "bhts,bhsk->bthk")
        return linalg.Einsum.create(scope, [mixed, self.wo], "bthk,hkd->btd")


graph = tg.Graph(seed=3)
scope = tg.Scope(graph)
glorot = initializers.GlorotUniform()


def projection(scope: tg.Scope) -> tg.Variable[tg.TFloat32, tuple[Literal[16], Literal[2], Literal[8]]]:
    return tg.Variable.create(scope, glorot(scope, (WIDTH, HEADS, HEAD), tg.TFloat32))


tokens = core.Placeholder.create(scope.with_name("tokens"), tg.TInt32, (Batch, TIME))
labels = core.Placeholder.create(scope.with_name("labels"), tg.TInt64, (Batch,))
embedding = tg.Variable.create(scope.with_name("embedding"), glorot(scope, (VOCABULARY, WIDTH), tg.TFloat32))
positions = tg.Variable.create(scope.with_name("positions"), np.zeros((TIME, WIDTH), np.float32))

x: Sequence = embedding.gather(scope, tokens) + positions
for i in range(2):
    layer = scope.with_sub_scope(f"layer{i}")
    wo = tg.Variable.create(layer, glorot(layer, (HEADS, HEAD, WIDTH), tg.TFloat32))
    attention = Attention(projection(layer), projection(layer), projection(layer), wo)
    x = x + attention(layer, layer_norm(layer, x))
    up = tg.Variable.create(layer, glorot(layer, (WIDTH, 4 * WIDTH), tg.TFloat32))
    down = tg.Variable.create(layer, glorot(layer, (4 * WIDTH, WIDTH), tg.TFloat32))
    hidden = linalg.Einsum.create(layer, [layer_norm(layer, x), up], "btd,dh->bth")
    x = x + linalg.Einsum.create(layer, [gelu(layer, hidden), down], "bth,hd->btd")

pooled = math.Mean.create(scope, x, 1)
head = tg.Variable.create(scope.with_name("head"), glorot(scope, (WIDTH, CLASSES), tg.TFloat32))
logits: tg.Operand[tg.TFloat32, tuple[Batch, Literal[3]]] = pooled @ head
loss = math.Mean.create(scope, nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, logits, labels).loss)
step = Adam(graph, 0.01).minimize(loss)

rng = np.random.default_rng(0)
data = rng.integers(0, VOCABULARY, (32, TIME)).astype(np.int32)
counts = np.stack([(data % CLASSES == c).sum(axis=1) for c in range(CLASSES)], axis=1)
feeds = {tokens: data, labels: counts.argmax(axis=1).astype(np.int64)}
with tg.Session(graph) as session:
    first = float(session.run(loss, feeds))
    for _ in range(30):
        session.run(step, feeds)
    last = float(session.run(loss, feeds))
assert last < 0.7 * first, (first, last)
