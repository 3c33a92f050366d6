"""A stack of dilated causal convolutions over a signal of 64 levels, as in WaveNet."""

from dataclasses import dataclass, field
from typing import NewType

import numpy as np

import typegrad as tg
from typegrad import functions
from typegrad.op import core, dtypes, math, nn
from typegrad.training.optimizers import Adam

Batch = NewType("Batch", int)
Time = NewType("Time", int)
LEVELS = 64
CHANNELS = 16
SKIP = 32
DILATIONS = (1, 2, 4, 8)


@dataclass
class CausalConv:
    """A convolution that looks only to the left."""

    scope: tg.Scope
    inputs: int
    outputs: int
    dilation: int = 1
    width: int = 2
    kernel: tg.Variable[tg.TFloat32] = field(init=False)
    bias: tg.Variable[tg.TFloat32] = field(init=False)

    def __post_init__(self) -> None:
        shape = (1, self.width, self.inputs, self.outputs)
        stddev = (self.width * self.inputs) ** -0.5
        self.kernel = tg.Variable.create(
            self.scope.with_name("kernel"), functions.truncated_normal(self.scope, shape, stddev=stddev)
        )
        self.bias = tg.Variable.create(self.scope.with_name("bias"), np.zeros(self.outputs, np.float32))

    def __call__(self, x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
        left = (self.width - 1) * self.dilation
        padded = core.Pad.create(self.scope, x, [[0, 0], [0, 0], [left, 0], [0, 0]], 0.0)
        y = nn.Conv2d.create(self.scope, padded, self.kernel, (1, 1, 1, 1), "VALID", dilations=(1, 1, self.dilation, 1))
        return y + self.bias


class Residual:
    def __init__(self, scope: tg.Scope, dilation: int):
        self.scope = scope
        self.filter = CausalConv(scope.with_sub_scope("filter"), CHANNELS, CHANNELS, dilation)
        self.gate = CausalConv(scope.with_sub_scope("gate"), CHANNELS, CHANNELS, dilation)
        self.out = CausalConv(scope.with_sub_scope("out"), CHANNELS, CHANNELS, width=1)
        self.skip = CausalConv(scope.with_sub_scope("skip"), CHANNELS, SKIP, width=1)

    def __call__(self, x: tg.Operand[tg.TFloat32]) -> tuple[tg.Operand[tg.TFloat32], tg.Operand[tg.TFloat32]]:
        h = math.Tanh.create(self.scope, self.filter(x)) * math.Sigmoid.create(self.scope, self.gate(x))
        return x + self.out(h), self.skip(h)


graph = tg.Graph(seed=2)
scope = tg.Scope(graph)
signal = core.Placeholder.create(scope.with_name("signal"), tg.TInt32, (Batch, Time))
one_hot = functions.one_hot(scope, signal, LEVELS)
x = core.ExpandDims.create(scope, one_hot, 1)
h = CausalConv(scope.with_sub_scope("first"), LEVELS, CHANNELS)(x)
skips: list[tg.Operand[tg.TFloat32]] = []
for i, dilation in enumerate(DILATIONS):
    h, skip = Residual(scope.with_sub_scope(f"block{i}"), dilation)(h)
    skips.append(skip)
total = nn.Relu.create(scope, math.AddN.create(scope, skips))
logits4 = CausalConv(scope.with_sub_scope("head"), SKIP, LEVELS, width=1)(total)
logits = core.Squeeze.create(scope, logits4, (1,))

targets = signal[:, 1:]
flat_logits = core.Reshape.create(scope, logits[:, :-1], (-1, LEVELS))
flat_targets = core.Reshape.create(scope, targets, (-1,))
cross = nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, flat_logits, flat_targets)
loss = math.Mean.create(scope, cross.loss)
accuracy = math.Mean.create(
    scope,
    dtypes.Cast.create(
        scope,
        math.Equal.create(scope, math.ArgMax.create(scope, logits[:, :-1], -1, tg.TInt32), targets),
        tg.TFloat32,
    ),
)
step = Adam(graph, 3e-3).minimize(loss)

t = np.arange(96)
waves = [np.sin(t / (3 + k)) for k in range(4)]
levels = np.clip((np.stack(waves) + 1) * 32, 0, 63).astype(np.int32)
with tg.Session(graph) as session:
    for epoch in range(5):
        _, value, correct = session.run((step, loss, accuracy), {signal: levels})
        print(f"epoch {epoch}: loss {value:.3f}, accuracy {correct:.2f}")
