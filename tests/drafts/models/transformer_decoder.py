"""A decoder with a causal mask that learns to continue sequences."""

from typing import Literal, NewType

import numpy as np

import typegrad as tg
from typegrad import functions
from typegrad.op import core, linalg, math, nn, train
from typegrad.training.optimizers import AdamW, ClipByGlobalNorm

Batch = NewType("Batch", int)
Time = NewType("Time", int)
Hidden = tg.Operand[tg.TFloat32, tuple[Batch, Time, Literal[24]]]

width = 24
heads = 3
vocabulary = 10


def split_heads(
    scope: tg.Scope, x: Hidden, batch: tg.Operand[tg.TInt32, tuple[()]], time: tg.Operand[tg.TInt32, tuple[()]]
) -> tg.Operand[tg.TFloat32, tuple[Batch, Literal[3], Time, Literal[8]]]:
    """[Batch, Time, 24] to [Batch, 3, Time, 8]."""
    parts = core.Reshape.create(scope, x, core.Stack.create(scope, [batch, time, heads, width // heads]))
    return linalg.Transpose.create(scope, parts, (0, 2, 1, 3)).expect(tg.TFloat32, (Batch, 3, Time, 8))


class Decoder:
    def __init__(self, scope: tg.Scope, layers: int) -> None:
        self.scope = scope
        self.table = tg.Variable.create(scope, functions.normal(scope, (vocabulary, width), stddev=0.1))
        self.qkv = [self.matrix(width, 3 * width) for _ in range(layers)]
        self.out = [self.matrix(width, width) for _ in range(layers)]
        self.up = [self.matrix(width, 48) for _ in range(layers)]
        self.down = [self.matrix(48, width) for _ in range(layers)]

    def matrix(self, rows: int, columns: int) -> tg.Variable[tg.TFloat32, tuple[int, int]]:
        start = functions.truncated_normal(self.scope, (rows, columns), stddev=rows**-0.5)
        return tg.Variable.create(self.scope, start)

    def attend(self, x: Hidden, qkv: tg.Variable[tg.TFloat32], out: tg.Variable[tg.TFloat32]) -> Hidden:
        scope = self.scope
        shape = core.Shape.create(scope, x)
        batch, time = shape[0], shape[1]
        joined = linalg.Einsum.create(scope, [x, qkv], "btd,de->bte")
        q, k, v = core.Split.create(scope, 2, joined, 3)
        q, k, v = (split_heads(scope, part.expect(tg.TFloat32, (Batch, Time, 24)), batch, time) for part in (q, k, v))
        scores = train.BatchMatMul.create(scope, q, k, tg.TFloat32, adj_y=True) * (width // heads) ** -0.5
        steps = core.Range.create(scope, 0, time, 1)
        future = core.ExpandDims.create(scope, steps, 0) > core.ExpandDims.create(scope, steps, 1)
        masked = core.Select.create(
            scope,
            core.BroadcastTo.create(scope, future, core.Shape.create(scope, scores)),
            core.ZerosLike.create(scope, scores) - 1e9,
            scores,
        )
        mixed = nn.Softmax.create(scope, masked) @ v
        merged = core.Reshape.create(scope, linalg.Transpose.create(scope, mixed, (0, 2, 1, 3)), shape)
        return linalg.Einsum.create(scope, [merged, out], "btd,de->bte").expect(tg.TFloat32, (Batch, Time, 24))

    def __call__(
        self, tokens: tg.Operand[tg.TInt32, tuple[Batch, Time]]
    ) -> tg.Operand[tg.TFloat32, tuple[Batch, Time, Literal[10]]]:
        x: Hidden = self.table.gather(self.scope, tokens)
        for qkv, out, up, down in zip(self.qkv, self.out, self.up, self.down, strict=True):
            x = x + self.attend(x, qkv, out)
            h = nn.Relu.create(self.scope, linalg.Einsum.create(self.scope, [x, up], "btd,de->bte"))
            x = x + linalg.Einsum.create(self.scope, [h, down], "bte,ed->btd")
        return linalg.Einsum.create(self.scope, [x, self.table], "btd,vd->btv")


graph = tg.Graph(seed=0)
scope = tg.Scope(graph)
tokens = core.Placeholder.create(scope, tg.TInt32, (Batch, Time))
following = core.Placeholder.create(scope, tg.TInt32, (Batch, Time))
with scope:
    logits = Decoder(scope, layers=2)(tokens)
    flat = core.Reshape.create(scope, logits, (-1, vocabulary))
    targets = core.Reshape.create(scope, following, (-1,))
    loss = math.Mean.create(scope, nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, flat, targets).loss)
train_step = AdamW(graph, 3e-3, weight_decay=0.01, clip=ClipByGlobalNorm(1.0)).minimize(loss)

starts = np.random.default_rng(1).integers(0, vocabulary, (16, 1))
sequences = (starts + np.arange(8)) % vocabulary
inputs = sequences[:, :-1].astype(np.int32)
outputs = sequences[:, 1:].astype(np.int32)
with tg.Session(graph) as session:
    losses = [session.run((train_step, loss), {tokens: inputs, following: outputs})[1].item() for _ in range(40)]
assert losses[-1] < 0.5 * losses[0], losses
