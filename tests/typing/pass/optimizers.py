"""A training step, whole or in its two halves."""

from __future__ import annotations

from typing import assert_type

import numpy as np

import typegrad as tg
from typegrad.op import core, linalg, math
from typegrad.training.optimizers import GradientDescent, GradientPair

graph = tg.Graph()
scope = tg.Scope(graph)
x = core.Placeholder.create(scope, tg.TFloat64, shape=(None, 2))
weights = tg.Variable.create(scope, np.ones((2, 1)))
bias = tg.Variable.create(scope, np.zeros(1))
error = linalg.MatMul.create(scope, x, weights.read(scope)) + bias.read(scope) - 1.0
loss = math.Mean.create(scope, math.Square.create(scope, error))

optimizer = GradientDescent(graph, 0.1)
assert_type(optimizer.minimize(loss), core.NoOp)
assert_type(optimizer.minimize(loss, var_list=[weights]), core.NoOp)
pairs = optimizer.compute_gradients(loss, (weights, bias))
assert_type(pairs, list[GradientPair])
half: list[GradientPair] = [(grad * 0.5, variable) for grad, variable in pairs if grad is not None]
step: tg.Op = optimizer.apply_gradients(half)
variables = [weights, bias]
gradients = tg.gradients(scope, loss, variables)
optimizer.apply_gradients(zip(gradients, variables, strict=True))
optimizer.apply_gradients((grad * 0.5, variable) for grad, variable in pairs if grad is not None)
optimizer.apply_gradients([[grad * 0.5, variable] for grad, variable in pairs if grad is not None])
optimizer.apply_gradients([grad, variable] for grad, variable in pairs)
listed = [[grad, variable] for grad, variable in pairs]
optimizer.apply_gradients(listed)
trained = [[grad, variable] for grad, variable in pairs if grad is not None]
optimizer.apply_gradients(trained)

with tg.Session(graph) as session:
    before = session.run(loss, {x: np.ones((4, 2))})
    session.run(step, {x: np.ones((4, 2))})
    assert session.run(loss, {x: np.ones((4, 2))}) < before
