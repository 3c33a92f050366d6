"""A GRU, as a class that keeps its state in an attribute, which tells which of two waves is the faster one."""

from typing import NewType

import numpy as np

import typegrad as tg
from typegrad import initializers, losses
from typegrad.op import core, math
from typegrad.training.optimizers import RMSProp

Batch = NewType("Batch", int)
UNITS = 8
STEPS = 10


class GRU:
    """Gated recurrent units."""

    def __init__(self, scope: tg.Scope, inputs: int, units: int) -> None:
        self.scope = scope
        self.weights = {
            name: tg.Variable.create(
                scope.with_name(name), initializers.Orthogonal()(scope, (inputs + units, units), tg.TFloat32)
            )
            for name in ("update", "reset", "candidate")
        }
        self.biases = {name: tg.Variable.create(scope, np.zeros(units, np.float32)) for name in self.weights}

    def gate(self, name: str, x: tg.Operand[tg.TFloat32], h: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
        joined = core.Concat.create(self.scope, [x, h], 1)
        return joined @ self.weights[name] + self.biases[name]

    def __call__(self, x: tg.Operand[tg.TFloat32], h: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
        z = math.Sigmoid.create(self.scope, self.gate("update", x, h))
        r = math.Sigmoid.create(self.scope, self.gate("reset", x, h))
        candidate = math.Tanh.create(self.scope, self.gate("candidate", x, r * h))
        return (1 - z) * h + z * candidate


class Classifier:
    def __init__(self, scope: tg.Scope) -> None:
        self.x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32, (Batch, STEPS, 1))
        self.y = core.Placeholder.create(scope.with_name("y"), tg.TFloat32, (Batch,))
        self.cell = GRU(scope.with_sub_scope("gru"), 1, UNITS)
        with scope:
            self.h = self.x[:, 0] * np.zeros((1, UNITS), np.float32)
            for t in range(STEPS):
                self.h = self.cell(self.x[:, t], self.h)
            w = tg.Variable.create(scope, np.full((UNITS, 1), 0.1, np.float32))
            self.logits = core.Squeeze.create(scope, self.h @ w, (1,))
            self.loss = losses.BinaryCrossentropy(from_logits=True)(scope, self.y, self.logits)
            correct = math.Equal.create(scope, self.logits > 0.0, self.y > 0.5)
            zeros, ones = core.ZerosLike.create(scope, self.y), core.OnesLike.create(scope, self.y)
            self.accuracy = math.Mean.create(scope, core.Select.create(scope, correct, ones, zeros))


graph = tg.Graph(seed=2)
model = Classifier(tg.Scope(graph))
step = RMSProp(graph, 0.02, initial_mean_square=0.0).minimize(model.loss)
rng = np.random.default_rng(0)
fast = rng.integers(0, 2, 48)
phase = rng.uniform(0, 2 * np.pi, 48)
waves = np.sin(phase[:, None] + (0.4 + fast[:, None]) * np.arange(STEPS)).astype(np.float32)
feeds: tg.Feeds = {model.x: waves[:, :, None], model.y: fast.astype(np.float32)}
with tg.Session(graph) as session:
    for _ in range(80):
        session.run(step, feeds)
    accuracy = session.run(model.accuracy, feeds)
assert accuracy > 0.9, accuracy
assert accuracy.dtype == np.float32
