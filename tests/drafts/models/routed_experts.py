"""A mixture of experts with a table of activations and soft routing."""

from typing import NewType

import numpy as np

import typegrad as tg
from typegrad import functions
from typegrad.op import core, math, nn
from typegrad.training.optimizers import Adam

Batch = NewType("Batch", int)
ACTIVATIONS = {"relu": nn.Relu.create, "tanh": math.Tanh.create, "elu": nn.Elu.create}
INPUTS = 3
EXPERTS = len(ACTIVATIONS)

graph = tg.Graph(seed=5)
scope = tg.Scope(graph)
x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32, (Batch, INPUTS))
y = core.Placeholder.create(scope.with_name("y"), tg.TFloat32, (Batch, 1))


def dense(scope: tg.Scope, x: tg.Operand[tg.TFloat32], n: int, m: int) -> tg.Operand[tg.TFloat32]:
    w = tg.Variable.create(scope.with_name("w"), functions.normal(scope, (n, m), stddev=n**-0.5))
    b = tg.Variable.create(scope.with_name("b"), functions.zeros(scope, (m,), tg.TFloat32))
    return x @ w + b


outputs: list[tg.Operand[tg.TFloat32]] = []
for name, activation in ACTIVATIONS.items():
    with scope.with_sub_scope(name) as inner:
        h = activation(inner, dense(inner, x, INPUTS, 8))
        outputs.append(dense(inner, h, 8, 1))
gate = nn.Softmax.create(scope, dense(scope.with_sub_scope("gate"), x, INPUTS, EXPERTS))
experts = core.Concat.create(scope, outputs, 1)
mixed = core.Sum.create(scope, gate * experts, 1, keep_dims=True)
loss = math.Mean.create(scope, math.SquaredDifference.create(scope, mixed, y))
load = math.Mean.create(scope, gate, 0)
balance = core.Sum.create(scope, load * math.Log.create(scope, load + 1e-6))
total = loss + 0.01 * balance
step = Adam(graph, 0.02).minimize(total)

rng = np.random.default_rng(0)
data = rng.uniform(-1, 1, size=(128, INPUTS)).astype(np.float32)
goal = np.abs(data).sum(axis=1, keepdims=True)
train = {x: data[:100], y: goal[:100]}
test = {**train, x: data[100:], y: goal[100:]}
with tg.Session(graph) as session:
    before = session.run(total, train)
    for _ in range(80):
        session.run(step, train)
    after = session.run(total, train)
    final, shares = session.run((loss, load), test)
assert after < before
assert shares.shape == (EXPERTS,)
