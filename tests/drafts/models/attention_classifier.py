"""Multi-head attention with learned positions, in a small classifier of sequences."""

from typing import Literal, NewType, Protocol

import attrs
import numpy as np

import typegrad as tg
from typegrad import losses
from typegrad.op import core, linalg, math, nn, train
from typegrad.training.initializers import GlorotUniform, TruncatedNormal
from typegrad.training.optimizers import Adam

B = NewType("B", int)
T = NewType("T", int)
HEADS = 2
WIDTH = 8
DEPTH = WIDTH // HEADS
LENGTH = 6
Sequence = tg.Operand[tg.TFloat32, tuple[B, Literal[6], Literal[8]]]


class Module(Protocol):
    def __call__(self, x: Sequence) -> Sequence: ...


@attrs.define
class Attention:
    scope: tg.Scope
    wq: tg.Variable[tg.TFloat32, tuple[int, int]] = attrs.field(init=False)
    wk: tg.Variable[tg.TFloat32, tuple[int, int]] = attrs.field(init=False)
    wv: tg.Variable[tg.TFloat32, tuple[int, int]] = attrs.field(init=False)
    wo: tg.Variable[tg.TFloat32, tuple[int, int]] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        init = GlorotUniform()
        self.wq, self.wk, self.wv, self.wo = (
            tg.Variable.create(self.scope, init(self.scope, (WIDTH, WIDTH), tg.TFloat32)) for _ in range(4)
        )

    def split(self, x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
        parts = core.Reshape.create(self.scope, x, (-1, LENGTH, HEADS, DEPTH))
        return linalg.Transpose.create(self.scope, parts, (0, 2, 1, 3))

    def __call__(self, x: Sequence) -> Sequence:
        q, k, v = (self.split(x @ w) for w in (self.wq, self.wk, self.wv))
        scores = train.BatchMatMul.create(self.scope, q, k, tg.TFloat32, adj_y=True) / np.sqrt(DEPTH)
        mixed = train.BatchMatMul.create(self.scope, nn.Softmax.create(self.scope, scores), v, tg.TFloat32)
        together = core.Reshape.create(
            self.scope, linalg.Transpose.create(self.scope, mixed, (0, 2, 1, 3)), (-1, LENGTH, WIDTH)
        )
        return x + (together @ self.wo).expect(tg.TFloat32, (B, LENGTH, WIDTH))


graph = tg.Graph(seed=6)
scope = tg.Scope(graph)
tokens = core.Placeholder.create(scope, tg.TInt32, (B, LENGTH))
label = core.Placeholder.create(scope, tg.TInt32, (B,))
table = tg.Variable.create(scope, TruncatedNormal(stddev=0.5)(scope, (10, WIDTH), tg.TFloat32))
positions = tg.Variable.create(scope, np.random.default_rng(0).normal(0, 0.1, (LENGTH, WIDTH)).astype(np.float32))
h = table.gather(scope, tokens) + positions
blocks: list[Module] = [Attention(scope) for _ in range(2)]
for block in blocks:
    h = block(h)
pooled = math.Mean.create(scope, h, 1)
w = tg.Variable.create(scope, GlorotUniform()(scope, (WIDTH, 2), tg.TFloat32))
logits = pooled @ w
loss = losses.SparseCategoricalCrossentropy(from_logits=True)(scope, label, logits)
step = Adam(graph, 0.01).minimize(loss)
right = math.Equal.create(scope, math.ArgMax.create(scope, logits, 1, tg.TInt32), label)

rng = np.random.default_rng(0)
data = rng.integers(0, 10, size=(128, LENGTH), dtype=np.int32)
answers = (data.sum(axis=1) > 27).astype(np.int32)
with tg.Session(graph) as session:
    before = session.run(loss, {tokens: data, label: answers})
    for start in list(range(0, 128, 32)) * 10:
        stop = start + 32
        session.run(step, {tokens: data[start:stop], label: answers[start:stop]})
    after, correct = session.run((loss, right), {tokens: data, label: answers})
assert after < before, (before, after)
assert correct.mean() > 0.6
