"""Entropic optimal transport by Sinkhorn's iterations, and a generator trained by the distance."""

from typing import Literal, NewType, TypeAlias

import numpy as np
import numpy.typing as npt

import typegrad as tg
from typegrad.op import core, dtypes, linalg, math
from typegrad.training.optimizers import Adam

Source = NewType("Source", int)
Target = NewType("Target", int)
Cloud: TypeAlias = tg.Operand[tg.TFloat64, tuple[Source, Literal[2]]]
OtherCloud: TypeAlias = tg.Operand[tg.TFloat64, tuple[Target, Literal[2]]]
Cost: TypeAlias = tg.Operand[tg.TFloat64, tuple[Source, Target]]

EPSILON = 0.1
ROUNDS = 10


def pairwise(scope: tg.Scope, x: Cloud, y: OtherCloud) -> Cost:
    """Squared distances."""
    xx = core.Sum.create(scope, x * x, 1, keep_dims=True)
    yy = core.Sum.create(scope, y * y, 1)
    return xx + yy - 2 * linalg.MatMul.create(scope, x, y, transpose_b=True)


def log_sum_exp(scope: tg.Scope, x: Cost, axis: int) -> tg.Operand[tg.TFloat64]:
    peak = core.StopGradient.create(scope, core.Max.create(scope, x, axis, keep_dims=True))
    total = core.Sum.create(scope, math.Exp.create(scope, x - peak), axis)
    return math.Log.create(scope, total) + core.Squeeze.create(scope, peak, [axis])


def log_count(scope: tg.Scope, x: tg.Operand[tg.TFloat64], axis: int) -> tg.Operand[tg.TFloat64, tuple[()]]:
    size = core.Shape.create(scope, x)[axis]
    return math.Log.create(scope, dtypes.Cast.create(scope, size, tg.TFloat64))


class Sinkhorn:
    def __init__(self, scope: tg.Scope, epsilon: float = EPSILON, rounds: int = ROUNDS) -> None:
        self.scope = scope
        self.epsilon = epsilon
        self.rounds = rounds

    def plan(self, cost: Cost) -> Cost:
        """How much goes from where to where."""
        scope, kernel = self.scope, -cost / self.epsilon
        log_a = -log_count(scope, cost, 0)
        log_b = -log_count(scope, cost, 1)
        f = core.ZerosLike.create(scope, cost[:, 0])
        g = core.ZerosLike.create(scope, cost[0])
        for _ in range(self.rounds):
            f = (log_a - log_sum_exp(scope, kernel + g, 1)).expect(tg.TFloat64, (Source,))
            g = (log_b - log_sum_exp(scope, kernel + core.ExpandDims.create(scope, f, 1), 0)).expect(
                tg.TFloat64, (Target,)
            )
        return math.Exp.create(scope, kernel + core.ExpandDims.create(scope, f, 1) + g)

    def __call__(self, x: Cloud, y: OtherCloud) -> tg.Operand[tg.TFloat64, tuple[()]]:
        cost = pairwise(self.scope, x, y)
        return core.Sum.create(self.scope, self.plan(cost) * cost)


class Affine:
    def __init__(self, scope: tg.Scope) -> None:
        self.matrix = tg.Variable.create(scope.with_name("matrix"), 0.1 * np.eye(2))
        self.shift = tg.Variable.create(scope.with_name("shift"), np.zeros(2))

    def __call__(self, noise: Cloud) -> Cloud:
        return noise @ self.matrix + self.shift


graph = tg.Graph(seed=1)
scope = tg.Scope(graph)
noise = core.Placeholder.create(scope.with_name("noise"), tg.TFloat64, (Source, 2))
data = core.Placeholder.create(scope.with_name("data"), tg.TFloat64, (Target, 2))
generator = Affine(scope)
fake = generator(noise)
sinkhorn = Sinkhorn(scope)
distance = sinkhorn(fake, data)
plan = sinkhorn.plan(pairwise(scope, fake, data))
rows = core.Sum.create(scope, plan, 1)
columns = core.Sum.create(scope, plan, 0)
step = Adam(graph, 0.05).minimize(distance)

rng = np.random.default_rng(0)


def cloud(count: int) -> npt.NDArray[np.float64]:
    points: npt.NDArray[np.float64] = rng.normal(size=(count, 2)) @ np.array([[1.0, 0.5], [0.0, 0.5]]) + [2.0, -1.0]
    return points


with tg.Session(graph) as session:
    feeds = {noise: rng.normal(size=(40, 2)), data: cloud(50)}
    start = session.run(distance, feeds)
    for _ in range(80):
        session.run(step, {noise: rng.normal(size=(40, 2)), data: cloud(50)})
    end, r, c = session.run((distance, rows, columns), feeds)
    shift = session.value(generator.shift)
assert end < start
assert np.abs(shift - [2.0, -1.0]).max() < 1.0
assert len(r) == 40
np.testing.assert_allclose(c.sum(), 1.0, atol=1e-6)
