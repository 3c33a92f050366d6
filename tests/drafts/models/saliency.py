"""Which inputs matter: gradients of a classifier with respect to its input, and integrated gradients."""

from typing import Literal, NewType

import numpy as np

import typegrad as tg
from typegrad import activations
from typegrad.op import core, math, nn
from typegrad.training.optimizers import GradientDescent

Batch = NewType("Batch", int)
Input = tg.Operand[tg.TFloat32, tuple[Batch, Literal[6]]]
Scores = tg.Operand[tg.TFloat32, tuple[Batch, Literal[2]]]

FEATURES = 6
UNITS = 8
CLASSES = 2


class Classifier:
    def __init__(self, scope: tg.Scope) -> None:
        rng = np.random.default_rng(0)
        self.scope = scope
        self.weights: list[tg.Variable[tg.TFloat32]] = []
        self.biases: list[tg.Variable[tg.TFloat32]] = []
        for rows, columns in [(FEATURES, UNITS), (UNITS, CLASSES)]:
            self.weights.append(tg.Variable.create(scope, rng.normal(0, 0.5, (rows, columns)).astype(np.float32)))
            self.biases.append(tg.Variable.create(scope, np.zeros(columns, np.float32)))

    def __call__(self, x: Input) -> Scores:
        hidden = activations.relu(self.scope, x @ self.weights[0] + self.biases[0])
        return hidden @ self.weights[1] + self.biases[1]


def saliency(scope: tg.Scope, classify: Classifier, x: Input) -> Input:
    """The absolute gradient of the highest score."""
    top = core.Sum.create(scope, core.Max.create(scope, classify(x), 1))
    return math.Abs.create(scope, tg.grad(scope, top, x))


def integrated(scope: tg.Scope, classify: Classifier, x: Input, kind: int, steps: int = 8) -> Input:
    """The mean of gradients on the path from 0 to x, times x."""
    total: Input = core.ZerosLike.create(scope, x)
    for i in range(steps):
        place = x * ((i + 0.5) / steps)
        (gradient,) = tg.gradients(scope, classify(place)[:, kind], [place])
        assert gradient is not None
        total = total + gradient
    return total * x / steps


graph = tg.Graph()
scope = tg.Scope(graph)
x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32, (Batch, FEATURES))
labels = core.Placeholder.create(scope.with_name("labels"), tg.TInt32, (Batch,))
classify = Classifier(scope)
cross_entropy = nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, classify(x), labels)
loss = math.Mean.create(scope, cross_entropy.loss)
step = GradientDescent(graph, 0.3).minimize(loss)
map_of_gradients = saliency(scope, classify, x)
attribution = integrated(scope, classify, x, kind=1)
difference = classify(x)[:, 1] - classify(x * 0.0)[:, 1]
completeness = core.Sum.create(scope, attribution, 1) - difference

rng = np.random.default_rng(1)
data = rng.normal(0, 1, (64, FEATURES)).astype(np.float32)
kinds = (data[:, 0] - data[:, 3] > 0).astype(np.int32)
with tg.Session(graph) as session:
    for _ in range(150):
        session.run(step, {x: data, labels: kinds})
    importance = session.run(map_of_gradients, {x: data}).mean(axis=0)
    gap = session.run(completeness, {x: data})
assert set(np.argsort(importance)[-2:].tolist()) == {0, 3}, importance
assert np.abs(gap).mean() < 0.3
