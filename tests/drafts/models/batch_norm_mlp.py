"""An MLP with batch normalization: batch statistics in training, moving averages in prediction."""

from __future__ import annotations

from typing import NewType

import numpy as np

import typegrad as tg
from typegrad import activations, initializers, losses
from typegrad.op import core, math
from typegrad.training.optimizers import GradientDescent

Batch = NewType("Batch", int)
WIDTHS = [8, 32, 16]
CLASSES = 4


class BatchNorm:
    momentum = 0.9
    epsilon = 1e-3

    def __init__(self, scope: tg.Scope, units: int) -> None:
        self.scope = scope
        self.gamma = tg.Variable.create(scope.with_name("gamma"), np.ones(units, np.float32))
        self.beta = tg.Variable.create(scope.with_name("beta"), np.zeros(units, np.float32))
        self.mean = tg.Variable.create(scope.with_name("mean"), np.zeros(units, np.float32), trainable=False)
        self.variance = tg.Variable.create(scope.with_name("variance"), np.ones(units, np.float32), trainable=False)
        self.updates: list[tg.Operation] = []

    def __call__(self, x: tg.Operand[tg.TFloat32], training: bool) -> tg.Operand[tg.TFloat32]:
        with self.scope as scope:
            if training:
                mean = math.Mean.create(scope, x, 0)
                variance = math.Mean.create(scope, math.SquaredDifference.create(scope, x, mean), 0)
                for average, batch in ((self.mean, mean), (self.variance, variance)):
                    change = (1 - self.momentum) * (core.StopGradient.create(scope, batch) - average)
                    self.updates.append(average.assign_add(scope, change).op)
            else:
                mean, variance = self.mean, self.variance
            scale = self.gamma * math.Rsqrt.create(scope, variance + self.epsilon)
            return (x - mean) * scale + self.beta


class Network:
    def __init__(self, scope: tg.Scope) -> None:
        self.scope = scope
        self.dense: list[tg.Variable[tg.TFloat32]] = []
        self.norms: list[BatchNorm] = []
        init = initializers.HeNormal()
        for i, (n, m) in enumerate(zip(WIDTHS[:-1], WIDTHS[1:], strict=True)):
            inner = scope.with_sub_scope(f"layer_{i}")
            self.dense.append(tg.Variable.create(inner, init(inner, (n, m), tg.TFloat32)))
            self.norms.append(BatchNorm(inner.with_sub_scope("norm"), m))
        self.head = tg.Variable.create(scope.with_name("head"), init(scope, (WIDTHS[-1], CLASSES), tg.TFloat32))

    def logits(self, x: tg.Operand[tg.TFloat32], *, training: bool) -> tg.Operand[tg.TFloat32]:
        for kernel, norm in zip(self.dense, self.norms, strict=True):
            x = activations.relu(self.scope, norm(x @ kernel, training))
        return x @ self.head


graph = tg.Graph(seed=4)
scope = tg.Scope(graph)
x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32, (Batch, WIDTHS[0]))
labels = core.Placeholder.create(scope.with_name("labels"), tg.TInt32, (Batch,))
network = Network(scope.with_sub_scope("network"))
criterion = losses.SparseCategoricalCrossentropy(from_logits=True)
train_loss = criterion(scope, labels, network.logits(x, training=True))
minimize = GradientDescent(graph, 0.2).minimize(train_loss)
updates = [update for norm in network.norms for update in norm.updates]
with scope.with_control_dependencies([minimize, *updates]) as after:
    step = core.Identity.create(after, train_loss)
test_logits = network.logits(x, training=False)
predictions = math.ArgMax.create(scope, test_logits, 1, output_type=tg.TInt32)
accuracy = math.Mean.create(
    scope, core.Select.create(scope, math.Equal.create(scope, predictions, labels), np.float32(1), np.float32(0))
)

rng = np.random.default_rng(6)
centers = rng.normal(0, 2, (CLASSES, WIDTHS[0]))
y = rng.integers(0, CLASSES, size=300)
data = (centers[y] + rng.normal(0, 1, (300, WIDTHS[0]))).astype(np.float32)
y = y.astype(np.int32)

with tg.Session(graph) as session:
    for _ in range(10):
        order = rng.permutation(300)
        for chunk in np.split(order, 10):
            session.run(step, {x: data[chunk], labels: y[chunk]})
    share = session.run(accuracy, {x: data, labels: y})
    assert share > 0.8
