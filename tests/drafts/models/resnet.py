"""A small residual network for pictures of stripes."""

from dataclasses import dataclass, field
from typing import Literal, NewType

import numpy as np

import typegrad as tg
from typegrad import initializers
from typegrad.op import core, math, nn
from typegrad.training.optimizers import Momentum

Batch = NewType("Batch", int)
Image8 = tg.Operand[tg.TFloat32, tuple[Batch, Literal[8], Literal[8], Literal[8]]]
Image4 = tg.Operand[tg.TFloat32, tuple[Batch, Literal[4], Literal[4], Literal[16]]]

strides, halving = (1, 1, 1, 1), (1, 2, 2, 1)
he = initializers.HeNormal()


def conv_weights(
    scope: tg.Scope, size: int, inputs: int, outputs: int
) -> tg.Variable[tg.TFloat32, tuple[int, int, int, int]]:
    return tg.Variable.create(scope, he(scope, (size, size, inputs, outputs), tg.TFloat32))


def batch_norm(scope: tg.Scope, x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    mean = math.Mean.create(scope, x, (0, 1, 2), keep_dims=True)
    variance = math.Mean.create(scope, math.Square.create(scope, x - mean), (0, 1, 2), keep_dims=True)
    return (x - mean) / math.Sqrt.create(scope, variance + 1e-3)


@dataclass
class Block:
    scope: tg.Scope
    channels: int
    filters: list[tg.Variable[tg.TFloat32, tuple[int, int, int, int]]] = field(default_factory=list)

    def __call__(self, x: Image8) -> Image8:
        y: tg.Operand[tg.TFloat32] = x
        for _ in range(2):
            self.filters.append(conv_weights(self.scope, 3, self.channels, self.channels))
            y = nn.Conv2d.create(self.scope, y, self.filters[-1], strides, "SAME")
            y = nn.Relu.create(self.scope, batch_norm(self.scope, y))
        return x + y.expect(tg.TFloat32, (Batch, 8, 8, 8))


def shrink(scope: tg.Scope, x: Image8) -> Image4:
    w3 = tg.Variable.create(scope, he(scope, (3, 3, 8, 16), tg.TFloat32))
    w1 = tg.Variable.create(scope, he(scope, (1, 1, 8, 16), tg.TFloat32))
    main = nn.Relu.create(scope, nn.Conv2d.create(scope, x, w3, halving, "SAME"))
    shortcut = nn.Conv2d.create(scope, x, w1, halving, "SAME")
    return main + shortcut


graph = tg.Graph(seed=5)
scope = tg.Scope(graph)
images = core.Placeholder.create(scope.with_name("images"), tg.TFloat32, (Batch, 8, 8, 1))
labels = core.Placeholder.create(scope.with_name("labels"), tg.TInt32, (Batch,))
stem = tg.Variable.create(scope, he(scope, (3, 3, 1, 8), tg.TFloat32))
x = nn.Relu.create(scope, nn.Conv2d.create(scope, images, stem, strides, "SAME"))
blocks = [Block(scope.with_sub_scope(f"block{i}"), 8) for i in range(2)]
y: Image8 = x
for block in blocks:
    y = block(y)
small = shrink(scope.with_sub_scope("shrink"), y)
features = math.Mean.create(scope, small, (1, 2))
w = tg.Variable.create(scope, np.zeros((16, 2), np.float32))
b = tg.Variable.create(scope, np.zeros(2, np.float32))
logits = features @ w + b
cross_entropy = nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, logits, labels).loss
decay = sum((nn.L2Loss.create(scope, f) for block in blocks for f in block.filters), nn.L2Loss.create(scope, w))
loss = math.Mean.create(scope, cross_entropy) + 1e-4 * decay
step = Momentum(graph, 0.05, momentum=0.9).minimize(loss)

rng = np.random.default_rng(0)
kinds = rng.integers(0, 2, 24).astype(np.int32)
stripes = np.tile(np.sign(np.sin(np.arange(8) * 1.5)), (24, 8, 1))
pictures = np.where(kinds[:, None, None] == 1, stripes, stripes.transpose(0, 2, 1)) + rng.normal(0, 0.3, (24, 8, 8))
feeds = {images: pictures[..., None].astype(np.float32), labels: kinds}
with tg.Session(graph) as session:
    for _ in range(15):
        session.run(step, feeds)
    predicted = session.run(math.ArgMax.create(scope, logits, 1), feeds)
assert (predicted == kinds).mean() > 0.9
