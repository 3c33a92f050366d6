"""A Siamese network: two pictures go through one tower; a contrastive loss tells whether they show the same class."""

from collections.abc import Iterator
from typing import Literal, NewType

import numpy as np
from numpy.typing import NDArray

import typegrad as tg
from typegrad.op import core, dtypes, linalg, math, nn
from typegrad.training.optimizers import RMSProp

Batch = NewType("Batch", int)
Image = tg.Operand[tg.TFloat32, tuple[Batch, Literal[12], Literal[12], Literal[1]]]
Code = tg.Operand[tg.TFloat32, tuple[Batch, Literal[8]]]

SIZE = 12
MARGIN = 1.0
CLASSES = 4


class Tower:
    """Two convolutions and a dense layer; every call shares the weights."""

    def __init__(self, scope: tg.Scope, rng: np.random.Generator) -> None:
        self.scope = scope
        self.conv1 = tg.Variable.create(scope.with_name("conv1"), rng.normal(0, 0.2, (3, 3, 1, 6)).astype(np.float32))
        self.conv2 = tg.Variable.create(scope.with_name("conv2"), rng.normal(0, 0.2, (3, 3, 6, 12)).astype(np.float32))
        self.bias = tg.Variable.create(scope.with_name("bias"), np.zeros((12,), np.float32))
        self.dense = tg.Variable.create(
            scope.with_name("dense"), rng.normal(0, 0.1, (3 * 3 * 12, 8)).astype(np.float32)
        )

    def __call__(self, image: Image) -> Code:
        scope = self.scope
        x = nn.Conv2d.create(scope, image, self.conv1, (1, 1, 1, 1), "SAME")
        x = nn.Relu.create(scope, x)
        x = nn.MaxPool.create(scope, x, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        x = nn.Conv2d.create(scope, x, self.conv2, (1, 1, 1, 1), "SAME")
        x = nn.Relu.create(scope, nn.BiasAdd.create(scope, x, self.bias))
        x = nn.AvgPool.create(scope, x, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        flat = core.Reshape.create(scope, x, (-1, 3 * 3 * 12))
        return unit(scope, linalg.MatMul.create(scope, flat, self.dense))


def unit(scope: tg.Scope, x: Code) -> Code:
    norm = core.Sum.create(scope, math.Square.create(scope, x), axis=1, keep_dims=True)
    return x * math.Rsqrt.create(scope, norm + 1e-8)


def contrastive(
    scope: tg.Scope,
    distance: tg.Operand[tg.TFloat32, tuple[Batch]],
    same: tg.Operand[tg.TBool, tuple[Batch]],
    margin: float = MARGIN,
) -> tg.Operand[tg.TFloat32, tuple[()]]:
    """Pull equal pairs together, push others apart up to the margin."""
    apart = math.Maximum.create(scope, margin - distance, 0.0)
    terms = core.Select.create(scope, same, distance * distance, apart * apart)
    return math.Mean.create(scope, terms)


graph = tg.Graph(seed=5)
scope = tg.Scope(graph)
rng = np.random.default_rng(5)
left = core.Placeholder.create(scope.with_name("left"), tg.TFloat32, (Batch, SIZE, SIZE, 1))
right = core.Placeholder.create(scope.with_name("right"), tg.TFloat32, (Batch, SIZE, SIZE, 1))
same = core.Placeholder.create(scope.with_name("same"), tg.TBool, (Batch,))
tower = Tower(scope.with_sub_scope("tower"), rng)
difference = tower(left) - tower(right)
squared = core.Sum.create(scope, difference * difference, 1)
distance = math.Sqrt.create(scope, squared + 1e-6)
loss = contrastive(scope, distance, same)
says_same = distance < 0.5 * MARGIN
accuracy = math.Mean.create(scope, dtypes.Cast.create(scope, math.Equal.create(scope, says_same, same), tg.TFloat32))
step = RMSProp(graph, 0.003).minimize(loss)

prototypes = rng.normal(size=(CLASSES, SIZE, SIZE, 1))


def pictures(classes: NDArray[np.int64]) -> NDArray[np.float32]:
    return (prototypes[classes] + 0.3 * rng.normal(size=(len(classes), SIZE, SIZE, 1))).astype(np.float32)


def batches(count: int, size: int) -> Iterator[tg.Feeds]:
    for _ in range(count):
        a = rng.integers(0, CLASSES, size)
        b = np.where(rng.random(size) < 0.5, a, rng.integers(0, CLASSES, size))
        yield {left: pictures(a), right: pictures(b), same: a == b}


with tg.Session(graph) as session:
    (test,) = batches(1, 100)
    start = session.run(accuracy, test)
    for feeds in batches(40, 32):
        session.run(step, feeds)
    end, distances = session.run([accuracy, distance], test)
assert end > start or end > 0.8, (start, end)
assert distances.shape == (100,)
