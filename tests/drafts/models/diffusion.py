"""A diffusion model of points on a ring: a network that predicts the noise, and the sampler."""

from typing import Literal, NamedTuple, NewType, TypeVar

import numpy as np
import numpy.typing as npt

import typegrad as tg
from typegrad.op import core, dtypes, math, random
from typegrad.training.optimizers import Adam

Batch = NewType("Batch", int)
Points = tg.Operand[tg.TFloat32, tuple[Batch, Literal[2]]]
Steps = tg.Operand[tg.TInt32, tuple[Batch]]
F = TypeVar("F", bound=tg.TFloating)
S = TypeVar("S", bound=tuple[int, ...])

STEPS = 30
WIDTH = 64
FREQUENCIES = 8


class Schedule(NamedTuple):
    """How much signal is left after each step."""

    beta: npt.NDArray[np.float32]
    alpha_bar: npt.NDArray[np.float32]

    @classmethod
    def linear(cls, steps: int) -> "Schedule":
        beta = np.linspace(1e-3, 0.15, steps)
        return cls(beta.astype(np.float32), np.cumprod(1 - beta).astype(np.float32))


def silu(scope: tg.Scope, x: tg.Operand[F, S]) -> tg.Operand[F, S]:
    return x * math.Sigmoid.create(scope, x)


class Dense:
    def __init__(self, scope: tg.Scope, rows: int, columns: int, rng: np.random.Generator) -> None:
        start = rng.normal(0.0, 1.0 / np.sqrt(rows), (rows, columns)).astype(np.float32)
        self.w = tg.Variable.create(scope.with_name("w"), start)
        self.b = tg.Variable.create(scope.with_name("b"), np.zeros(columns, np.float32))

    def __call__(self, x: tg.Operand[tg.TFloat32, tuple[Batch, int]]) -> tg.Operand[tg.TFloat32, tuple[Batch, int]]:
        return x @ self.w + self.b


class Denoiser:
    def __init__(self, scope: tg.Scope, rng: np.random.Generator) -> None:
        self.scope = scope
        self.first = Dense(scope.with_sub_scope("first"), 2 + 2 * FREQUENCIES, WIDTH, rng)
        self.middle = [Dense(scope.with_sub_scope(f"middle{i}"), WIDTH, WIDTH, rng) for i in range(2)]
        self.last = Dense(scope.with_sub_scope("last"), WIDTH, 2, rng)

    def time_embedding(self, t: Steps) -> tg.Operand[tg.TFloat32, tuple[Batch, Literal[16]]]:
        frequency = np.exp(-np.log(STEPS) * np.arange(FREQUENCIES) / FREQUENCIES).astype(np.float32)
        angles = core.ExpandDims.create(self.scope, dtypes.Cast.create(self.scope, t, tg.TFloat32), 1) * frequency
        return core.Concat.create(
            self.scope, [math.Sin.create(self.scope, angles), math.Cos.create(self.scope, angles)], 1
        )

    def __call__(self, x: Points, t: Steps) -> Points:
        h = self.first(core.Concat.create(self.scope, [x, self.time_embedding(t)], 1))
        for layer in self.middle:
            h = h + layer(silu(self.scope, h))
        return self.last(h).expect(tg.TFloat32, (Batch, 2))


schedule = Schedule.linear(STEPS)
graph = tg.Graph(seed=0)
scope = tg.Scope(graph)
rng = np.random.default_rng(7)
clean = core.Placeholder.create(scope.with_name("clean"), tg.TFloat32, (Batch, 2))
when = core.Placeholder.create(scope.with_name("when"), tg.TInt32, (Batch,))
denoiser = Denoiser(scope, rng)
noise = random.RandomStandardNormal.create(scope, core.Shape.create(scope, clean), tg.TFloat32)
left = core.ExpandDims.create(scope, core.Gather.create(scope, schedule.alpha_bar, when, 0), -1)
noisy = math.Sqrt.create(scope, left) * clean + math.Sqrt.create(scope, 1 - left) * noise
error = denoiser(noisy, when) - noise
loss = math.Mean.create(scope, error**2)
step = Adam(graph, learning_rate=3e-3).minimize(loss)

current = core.Placeholder.create(scope.with_name("current"), tg.TFloat32, (Batch, 2))
predicted = denoiser(current, when)


def ring(count: int) -> npt.NDArray[np.float32]:
    angle = rng.uniform(0, 2 * np.pi, count)
    return np.stack([np.cos(angle), np.sin(angle)], axis=1).astype(np.float32)


def sample(session: tg.Session, count: int) -> npt.NDArray[np.float32]:
    x: npt.NDArray[np.float32] = rng.normal(size=(count, 2)).astype(np.float32)
    for i in reversed(range(STEPS)):
        steps = np.full(count, i, dtype=np.int32)
        eps = session.run(predicted, {current: x, when: steps})
        beta, left = float(schedule.beta[i]), float(schedule.alpha_bar[i])
        x = (x - beta / (1 - left) ** 0.5 * eps) / (1 - beta) ** 0.5
        if i > 0:
            x += beta**0.5 * rng.normal(size=x.shape).astype(np.float32)
    return x


with tg.Session(graph) as session:
    before = session.run(loss, {clean: ring(256), when: rng.integers(0, STEPS, 256).astype(np.int32)})
    for _ in range(150):
        session.run(step, {clean: ring(128), when: rng.integers(0, STEPS, 128).astype(np.int32)})
    after = session.run(loss, {clean: ring(256), when: rng.integers(0, STEPS, 256).astype(np.int32)})
    radius = np.linalg.norm(sample(session, 200), axis=1)
assert after < before
assert 0.5 < radius.mean() < 1.5
