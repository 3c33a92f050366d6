"""A restricted Boltzmann machine, trained by contrastive divergence without an optimizer."""

from typing import Literal, NewType

import numpy as np

import typegrad as tg
from typegrad.op import core, dtypes, linalg, math, random

Batch = NewType("Batch", int)
Visible = tg.Operand[tg.TFloat32, tuple[Batch, Literal[8]]]
Hidden = tg.Operand[tg.TFloat32, tuple[Batch, Literal[4]]]

VISIBLE = 8
HIDDEN = 4
RATE = 0.1
GIBBS_STEPS = 2


class BoltzmannMachine:
    def __init__(self, scope: tg.Scope) -> None:
        rng = np.random.default_rng(0)
        self.scope = scope
        self.w = tg.Variable.create(scope.with_name("w"), rng.normal(0, 0.1, (VISIBLE, HIDDEN)).astype(np.float32))
        self.a = tg.Variable.create(scope.with_name("a"), np.zeros(VISIBLE, np.float32))
        self.b = tg.Variable.create(scope.with_name("b"), np.zeros(HIDDEN, np.float32))

    def up(self, v: Visible) -> Hidden:
        return math.Sigmoid.create(self.scope, v @ self.w + self.b)

    def down(self, h: Hidden) -> Visible:
        back = linalg.MatMul.create(self.scope, h, self.w, transpose_b=True)
        return math.Sigmoid.create(self.scope, back + self.a)

    def draw_hidden(self, p: Hidden) -> Hidden:
        uniform = random.RandomUniform.create(self.scope, core.Shape.create(self.scope, p), tg.TFloat32)
        return dtypes.Cast.create(self.scope, uniform < p, tg.TFloat32).expect(tg.TFloat32, (Batch, HIDDEN))

    def step(self, v: Visible) -> core.NoOp:
        scope = self.scope
        start = self.up(v)
        h, model = start, v
        for _ in range(GIBBS_STEPS):
            model = self.down(self.draw_hidden(h))
            h = self.up(model)
        count = dtypes.Cast.create(scope, core.Shape.create(scope, v)[0], tg.TFloat32)
        positive = linalg.MatMul.create(scope, v, start, transpose_a=True)
        negative = linalg.MatMul.create(scope, model, h, transpose_a=True)
        updates = [
            self.w.assign_add(scope, RATE * (positive - negative) / count),
            self.a.assign_add(scope, RATE * math.Mean.create(scope, v - model, 0)),
            self.b.assign_add(scope, RATE * math.Mean.create(scope, start - h, 0)),
        ]
        return core.NoOp.create(scope.with_control_dependencies(updates))

    def free_energy(self, v: Visible) -> tg.Operand[tg.TFloat32, tuple[Batch]]:
        scope = self.scope
        visible = core.Sum.create(scope, v * self.a, 1)
        hidden = core.Sum.create(scope, math.Softplus.create(scope, v @ self.w + self.b), 1)
        return -visible - hidden


graph = tg.Graph(seed=6)
scope = tg.Scope(graph)
v = core.Placeholder.create(scope, tg.TFloat32, (Batch, VISIBLE))
with scope:
    machine = BoltzmannMachine(scope)
    error = math.Mean.create(scope, math.SquaredDifference.create(scope, v, machine.down(machine.up(v))))
    energy = machine.free_energy(v)
    train = machine.step(v)

patterns = np.array([[1, 1, 1, 1, 0, 0, 0, 0], [0, 0, 0, 0, 1, 1, 1, 1]], np.float32)
data = np.repeat(patterns, 20, axis=0)
with tg.Session(graph) as session:
    before = float(session.run(error, {v: data}))
    for _ in range(150):
        session.run(train, {v: data})
    after = float(session.run(error, {v: data}))
    known = session.run(energy, {v: patterns}).mean()
    unknown = session.run(energy, {v: np.eye(VISIBLE, dtype=np.float32)}).mean()
assert after < 0.5 * before, (before, after)
assert known < unknown
