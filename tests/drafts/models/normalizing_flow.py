"""A normalizing flow of affine coupling layers."""

from dataclasses import dataclass
from typing import Literal, NewType

import numpy as np

import typegrad as tg
from typegrad.op import core, math
from typegrad.training.optimizers import Adam

Batch = NewType("Batch", int)
Point = tg.Operand[tg.TFloat32, tuple[Batch, Literal[2]]]
Half = tg.Operand[tg.TFloat32, tuple[Batch, Literal[1]]]
LogDet = tg.Operand[tg.TFloat32, tuple[Batch]]

UNITS = 8
LAYERS = 4


@dataclass
class Coupling:
    w1: tg.Variable[tg.TFloat32, tuple[Literal[1], int]]
    b1: tg.Variable[tg.TFloat32, tuple[int]]
    w2: tg.Variable[tg.TFloat32, tuple[int, Literal[2]]]
    swap: bool

    @classmethod
    def create(cls, scope: tg.Scope, rng: np.random.Generator, *, swap: bool) -> "Coupling":
        w1 = rng.normal(0, 0.5, (1, UNITS)).astype(np.float32)
        w2 = rng.normal(0, 0.1, (UNITS, 2)).astype(np.float32)
        b1 = np.zeros(UNITS, np.float32)
        return cls(tg.Variable.create(scope, w1), tg.Variable.create(scope, b1), tg.Variable.create(scope, w2), swap)

    def __call__(self, scope: tg.Scope, x: Point) -> tuple[Point, LogDet]:
        left, right = core.Split.create(scope, 1, x, 2)
        kept, changed = (right, left) if self.swap else (left, right)
        hidden = math.Tanh.create(scope, kept @ self.w1 + self.b1)
        log_scale, shift = core.Split.create(scope, 1, hidden @ self.w2, 2)
        changed = changed * math.Exp.create(scope, log_scale) + shift
        parts = [changed, kept] if self.swap else [kept, changed]
        return core.Concat.create(scope, parts, 1), core.Squeeze.create(scope, log_scale, (1,))


def log_normal(scope: tg.Scope, z: Point) -> LogDet:
    return -0.5 * core.Sum.create(scope, z * z, 1) - np.log(2 * np.pi)


graph = tg.Graph()
scope = tg.Scope(graph)
rng = np.random.default_rng(1)
x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32, (Batch, 2))
layers = [Coupling.create(scope.with_sub_scope(f"layer{i}"), rng, swap=i % 2 == 1) for i in range(LAYERS)]
z: Point = x
log_likelihood: LogDet = core.ZerosLike.create(scope, x[:, 0])
for layer in layers:
    z, log_det = layer(scope, z)
    log_likelihood = log_likelihood + log_det
log_likelihood = log_likelihood + log_normal(scope, z)
loss = -math.Mean.create(scope, log_likelihood)
step = Adam(graph, 0.02).minimize(loss)

noise = rng.normal(0, 1, (200, 2))
bent = np.stack([noise[:, 0], 0.5 * noise[:, 0] ** 2 + 0.2 * noise[:, 1]], axis=1).astype(np.float32)
with tg.Session(graph) as session:
    before = session.run(loss, {x: bent}).item()
    for _ in range(150):
        session.run(step, {x: bent})
    after = session.run(loss, {x: bent}).item()
assert after < before - 0.5, (before, after)
