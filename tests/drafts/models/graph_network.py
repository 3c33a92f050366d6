"""A graph convolutional network on two communities, with weight decay and label masks."""

from typing import NamedTuple, NewType

import numpy as np
from numpy.typing import NDArray

import typegrad as tg
from typegrad import activations, initializers
from typegrad.op import core, dtypes, math, nn
from typegrad.training.optimizers import Momentum

Nodes = NewType("Nodes", int)
Features = NewType("Features", int)
n, classes, hidden = 20, 2, 8


class Graphs(NamedTuple):
    adjacency: NDArray[np.float32]
    labels: NDArray[np.int32]
    known: NDArray[np.bool_]


def communities(rng: np.random.Generator) -> Graphs:
    labels = np.repeat(np.arange(2), n // 2)
    p = np.where(labels[:, None] == labels[None, :], 0.6, 0.05)
    upper = np.triu(rng.random((n, n)) < p, 1)
    a = (upper | upper.T) + np.eye(n)
    d = 1 / np.sqrt(a.sum(0))
    known = np.zeros(n, bool)
    known[[0, 1, n - 1]] = True
    return Graphs((d[:, None] * a * d).astype(np.float32), labels.astype(np.int32), known)


class GCN:
    def __init__(self, scope: tg.Scope, sizes: tuple[int, ...]) -> None:
        make = initializers.GlorotNormal()
        self.weights = [
            tg.Variable.create(scope.with_name(f"w{i}"), make(scope, (a, b), tg.TFloat32))
            for i, (a, b) in enumerate(zip(sizes[:-1], sizes[1:], strict=True))
        ]

    def __call__(
        self,
        scope: tg.Scope,
        a: tg.Operand[tg.TFloat32, tuple[Nodes, Nodes]],
        x: tg.Operand[tg.TFloat32, tuple[Nodes, int]],
    ) -> tg.Operand[tg.TFloat32, tuple[Nodes, int]]:
        h = x
        *inner, last = self.weights
        for w in inner:
            h = activations.relu(scope, a @ (h @ w))
        return a @ (h @ last)

    def decay(self, scope: tg.Scope, rate: float) -> tg.Operand[tg.TFloat32, tuple[()]]:
        return rate * math.AddN.create(scope, [nn.L2Loss.create(scope, w) for w in self.weights])


graph = tg.Graph(seed=8)
scope = tg.Scope(graph)
adjacency = core.Placeholder.create(scope.with_name("a"), tg.TFloat32, shape=(Nodes, Nodes))
labels = core.Placeholder.create(scope.with_name("labels"), tg.TInt32, shape=(Nodes,))
known = core.Placeholder.create(scope.with_name("known"), tg.TBool, shape=(Nodes,))
features = core.Placeholder.create(scope.with_name("x"), tg.TFloat32, shape=(Nodes, n))
model = GCN(scope, (n, hidden, classes))
logits = model(scope, adjacency, features)
mask = dtypes.Cast.create(scope, known, tg.TFloat32)
per_node = nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, logits, labels).loss
loss = core.Sum.create(scope, per_node * mask) / core.Sum.create(scope, mask) + model.decay(scope, 5e-4)
step = Momentum(graph, 0.2, 0.9).minimize(loss)
predicted = math.ArgMax.create(scope, logits, -1, tg.TInt32)

data = communities(np.random.default_rng(0))
feeds = {features: np.eye(n, dtype=np.float32), adjacency: data.adjacency, labels: data.labels, known: data.known}
with tg.Session(graph) as session:
    first = session.run(loss, feeds)
    for _ in range(50):
        session.run(step, feeds)
    last, classes_found = session.run((loss, predicted), feeds)
accuracy = (classes_found == data.labels).mean()
assert last < first
assert accuracy > 0.7, accuracy
