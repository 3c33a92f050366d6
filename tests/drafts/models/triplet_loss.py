"""An embedding learned from triplets, with one network for anchor, positive and negative."""

from collections.abc import Sequence
from typing import Literal, NewType, TypeVar

import numpy as np

import typegrad as tg
from typegrad.op import core, math, nn
from typegrad.training.optimizers import Adam

Batch = NewType("Batch", int)
F = TypeVar("F", bound=tg.TFloating)
S = TypeVar("S", bound=tuple[int, ...])
Embedded = tg.Operand[tg.TFloat32, tuple[Batch, Literal[4]]]

INPUTS, EMBEDDING = 10, 4
MARGIN = 0.5


def swish(scope: tg.Scope, x: tg.Operand[F, S]) -> tg.Operand[F, S]:
    return x * math.Sigmoid.create(scope, x)


def l2_normalize(scope: tg.Scope, x: tg.Operand[F, S]) -> tg.Operand[F, S]:
    squares = core.Sum.create(scope, math.Square.create(scope, x), -1, keep_dims=True)
    return x * math.Rsqrt.create(scope, squares + 1e-8)


class Embedder:
    def __init__(self, scope: tg.Scope, rng: np.random.Generator) -> None:
        self.scope = scope
        self.w1 = tg.Variable.create(scope, rng.normal(0, 0.3, (INPUTS, 16)).astype(np.float32))
        self.b1 = tg.Variable.create(scope, np.zeros(16, np.float32))
        self.w2 = tg.Variable.create(scope, rng.normal(0, 0.3, (16, EMBEDDING)).astype(np.float32))

    def __call__(self, x: tg.Operand[tg.TFloat32, tuple[Batch, Literal[10]]]) -> Embedded:
        hidden = swish(self.scope, x @ self.w1 + self.b1)
        return l2_normalize(self.scope, hidden @ self.w2)


def distance(scope: tg.Scope, a: Embedded, b: Embedded) -> tg.Operand[tg.TFloat32, tuple[Batch]]:
    return core.Sum.create(scope, math.SquaredDifference.create(scope, a, b), 1)


graph = tg.Graph()
scope = tg.Scope(graph)
rng = np.random.default_rng(4)
embed = Embedder(scope, rng)
names = ("anchor", "positive", "negative")
inputs = [core.Placeholder.create(scope.with_name(name), tg.TFloat32, (Batch, INPUTS)) for name in names]
anchor, positive, negative = (embed(x) for x in inputs)
near, far = distance(scope, anchor, positive), distance(scope, anchor, negative)
loss = math.Mean.create(scope, nn.Relu.create(scope, near - far + MARGIN))
share = math.Mean.create(
    scope, core.Select.create(scope, near < far, core.OnesLike.create(scope, near), core.ZerosLike.create(scope, far))
)
step = Adam(graph, 0.01).minimize(loss)

prototypes = rng.normal(0, 1, (5, INPUTS))


def triplets(count: int) -> Sequence[np.ndarray[tuple[int, int], np.dtype[np.float32]]]:
    same = rng.integers(0, 5, count)
    other = (same + rng.integers(1, 5, count)) % 5
    return [(prototypes[c] + rng.normal(0, 0.5, (count, INPUTS))).astype(np.float32) for c in (same, same, other)]


with tg.Session(graph) as session:
    for _ in range(100):
        session.run(step, dict(zip(inputs, triplets(32), strict=True)))
    right = session.run(share, dict(zip(inputs, triplets(200), strict=True)))
assert right > 0.85, right
