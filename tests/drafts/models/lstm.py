"""An LSTM that sums a series of numbers."""

from dataclasses import dataclass
from typing import Literal, NewType

import numpy as np

import typegrad as tg
from typegrad.op import core, math
from typegrad.training.optimizers import Adam

Batch = NewType("Batch", int)
State = tg.Operand[tg.TFloat32, tuple[Batch, Literal[12]]]


@dataclass(frozen=True)
class Settings:
    steps: int = 5
    inputs: int = 2
    units: int = 12
    learning_rate: float = 0.02


@dataclass
class Cell:
    kernel: tg.Variable[tg.TFloat32, tuple[Literal[14], Literal[48]]]
    bias: tg.Variable[tg.TFloat32, tuple[Literal[48]]]

    def __call__(
        self, scope: tg.Scope, x: tg.Operand[tg.TFloat32, tuple[Batch, Literal[2]]], state: tuple[State, State]
    ) -> tuple[State, State]:
        c, h = state
        gates = core.Concat.create(scope, [x, h], 1) @ self.kernel + self.bias
        i, f, o, g = core.Split.create(scope, 1, gates, 4)
        c = math.Sigmoid.create(scope, f + 1.0) * c + math.Sigmoid.create(scope, i) * math.Tanh.create(scope, g)
        h = math.Sigmoid.create(scope, o) * math.Tanh.create(scope, c)
        return c, h


settings = Settings()
graph = tg.Graph(seed=1)
scope = tg.Scope(graph)
series = core.Placeholder.create(scope, tg.TFloat32, (Batch, 5, 2))
total = core.Placeholder.create(scope, tg.TFloat32, (Batch, 1))

rng = np.random.default_rng(0)
kernel = rng.normal(0, 0.3, (14, 48)).astype(np.float32)
cell = Cell(
    tg.Variable.create(scope.with_name("kernel"), kernel),
    tg.Variable.create(scope.with_name("bias"), np.zeros(48, np.float32)),
)
w = tg.Variable.create(scope.with_name("w"), np.full((settings.units, 1), 0.1, np.float32))

zeros = core.ZerosLike.create(scope, series[:, 0, :1]) * np.zeros((1, 12), np.float32)
state = (zeros, zeros)
for t in range(settings.steps):
    state = cell(scope, series[:, t], state)
prediction = state[1] @ w
error = prediction - total
loss = math.Mean.create(scope, error * error)
step = Adam(graph, settings.learning_rate).minimize(loss)

x = rng.normal(0, 0.5, (64, 5, 2)).astype(np.float32)
y = x.sum(axis=(1, 2)).reshape(64, 1)
with tg.Session(graph) as session:
    history: list[float] = []
    for _ in range(60):
        _, value = session.run((step, loss), {series: x, total: y})
        history.append(float(value))
assert history[-1] < 0.2 * history[0], history[::10]
