"""A mixture of linear experts, chosen by a gate."""

from dataclasses import dataclass
from typing import Literal, NewType

import numpy as np

import typegrad as tg
from typegrad import initializers
from typegrad.op import core, linalg, math, nn
from typegrad.training.optimizers import Adam

Batch = NewType("Batch", int)


@dataclass(frozen=True)
class Sizes:
    inputs: int = 3
    outputs: int = 2
    experts: int = 4


class MixtureOfExperts:
    sizes = Sizes()

    def __init__(self, scope: tg.Scope) -> None:
        glorot = initializers.GlorotUniform()
        sizes = self.sizes
        self.scope = scope
        self.gate = tg.Variable.create(scope, glorot(scope, (sizes.inputs, sizes.experts), tg.TFloat32))
        self.experts = [
            tg.Variable.create(scope, glorot(scope, (sizes.inputs, sizes.outputs), tg.TFloat32))
            for _ in range(sizes.experts)
        ]

    def gates(
        self, x: tg.Operand[tg.TFloat32, tuple[Batch, Literal[3]]]
    ) -> tg.Operand[tg.TFloat32, tuple[Batch, Literal[4]]]:
        return nn.Softmax.create(self.scope, x @ self.gate)

    def __call__(
        self, x: tg.Operand[tg.TFloat32, tuple[Batch, Literal[3]]]
    ) -> tg.Operand[tg.TFloat32, tuple[Batch, Literal[2]]]:
        answers = core.Stack.create(self.scope, [x @ expert for expert in self.experts], 1)
        return linalg.Einsum.create(self.scope, [self.gates(x), answers], "be,beo->bo")


graph = tg.Graph(seed=0)
scope = tg.Scope(graph)
x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32, (Batch, 3))
y = core.Placeholder.create(scope.with_name("y"), tg.TFloat32, (Batch, 2))
model = MixtureOfExperts(scope)
prediction = model(x)
use = math.Mean.create(scope, model.gates(x), 0)
balance = core.Sum.create(scope, use * math.Log.create(scope, use + 1e-8))
error = math.Mean.create(scope, math.SquaredDifference.create(scope, prediction, y))
loss = error + 0.01 * balance
step = Adam(graph, 0.03).minimize(loss)

rng = np.random.default_rng(0)
inputs = rng.normal(size=(128, 3)).astype(np.float32)
maps = [rng.normal(size=(3, 2)).astype(np.float32) for _ in range(2)]
targets = np.where(inputs[:, :1] > 0, inputs @ maps[0], inputs @ maps[1])
with tg.Session(graph) as session:
    start = session.run(error, {x: inputs, y: targets})
    for _ in range(150):
        session.run(step, {x: inputs, y: targets})
    end, shares = session.run((error, use), {x: inputs, y: targets})
assert end < 0.3 * start, (start, end)
assert np.isclose(shares.sum(), 1.0, atol=1e-5)
