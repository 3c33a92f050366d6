"""A Kalman filter whose noise is learned, for a point that moves with constant speed."""

from dataclasses import dataclass
from typing import Literal, NewType

import numpy as np

import typegrad as tg
from typegrad.op import core, linalg, math
from typegrad.training.optimizers import Adam

Batch = NewType("Batch", int)
Mean = tg.Operand[tg.TFloat32, tuple[Batch, Literal[2]]]
Covariance = tg.Operand[tg.TFloat32, tuple[Literal[2], Literal[2]]]

DT = 0.5
STEPS = 12
TRANSITION = np.array([[1.0, DT], [0.0, 1.0]], np.float32)
OBSERVATION = np.array([[1.0, 0.0]], np.float32)


@dataclass
class Belief:
    mean: Mean
    covariance: Covariance


class KalmanFilter:
    def __init__(self, scope: tg.Scope) -> None:
        self.scope = scope
        self.log_q = tg.Variable.create(scope.with_name("log_q"), np.zeros(2, np.float32))
        self.log_r = tg.Variable.create(scope.with_name("log_r"), np.zeros((1, 1), np.float32))
        self.f = core.Constant.create(scope, TRANSITION)
        self.h = core.Constant.create(scope, OBSERVATION)

    def predict(self, belief: Belief) -> Belief:
        q = np.eye(2, dtype=np.float32) * math.Exp.create(self.scope, self.log_q)
        mean = linalg.MatMul.create(self.scope, belief.mean, self.f, transpose_b=True)
        moved = self.f @ belief.covariance
        return Belief(mean, linalg.MatMul.create(self.scope, moved, self.f, transpose_b=True) + q)

    def update(
        self, belief: Belief, z: tg.Operand[tg.TFloat32, tuple[Batch, Literal[1]]]
    ) -> tuple[Belief, tg.Operand[tg.TFloat32, tuple[Batch]]]:
        scope = self.scope
        innovation = z - linalg.MatMul.create(scope, belief.mean, self.h, transpose_b=True)
        ph = linalg.MatMul.create(scope, belief.covariance, self.h, transpose_b=True)
        s = self.h @ ph + math.Exp.create(scope, self.log_r)
        gain = ph / s
        mean = belief.mean + linalg.MatMul.create(scope, innovation, gain, transpose_b=True)
        covariance = (np.eye(2, dtype=np.float32) - gain @ self.h) @ belief.covariance
        surprise = 0.5 * (innovation * innovation / s + math.Log.create(scope, s))
        return Belief(mean, covariance), core.Squeeze.create(scope, surprise, (1,))


graph = tg.Graph()
scope = tg.Scope(graph)
measured = core.Placeholder.create(scope, tg.TFloat32, (Batch, STEPS))
kalman = KalmanFilter(scope)
start = measured[:, :1] * np.zeros((1, 2), np.float32)
belief = Belief(start, core.Constant.create(scope, 10 * np.eye(2, dtype=np.float32)))
surprises: list[tg.Operand[tg.TFloat32]] = []
positions: list[tg.Operand[tg.TFloat32]] = []
for t in range(STEPS):
    belief = kalman.predict(belief)
    belief, surprise = kalman.update(belief, measured[:, t : t + 1])
    surprises.append(surprise)
    positions.append(belief.mean[:, 0])
loss = math.Mean.create(scope, core.Stack.create(scope, surprises))
track = core.Stack.create(scope, positions, 1)
step = Adam(graph, 0.1).minimize(loss)

rng = np.random.default_rng(0)
speeds = rng.normal(0, 1, (40, 1))
truth = speeds * DT * np.arange(1, STEPS + 1)
data = (truth + rng.normal(0, 0.3, truth.shape)).astype(np.float32)
with tg.Session(graph) as session:
    first = session.run(loss, {measured: data})
    for _ in range(60):
        session.run(step, {measured: data})
    last, filtered = session.run([loss, track], {measured: data})
assert last < first, (first, last)
assert np.abs(filtered[:, -1] - truth[:, -1]).mean() < np.abs(data[:, -1] - truth[:, -1]).mean()
