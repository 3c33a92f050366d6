"""Logistic regression by Newton's method, with the Hessian from the graph."""

from typing import Literal, NewType

import numpy as np

import typegrad as tg
from typegrad.op import core, dtypes, linalg, math

Samples = NewType("Samples", int)
FEATURES = 3

rng = np.random.default_rng(0)
inputs = rng.normal(size=(200, FEATURES)).astype(np.float32)
true_weights = np.array([1.5, -2.0, 0.5], np.float32)
targets = (inputs @ true_weights + 0.1 * rng.normal(size=200) > 0).astype(np.float32)

graph = tg.Graph(seed=0)
scope = tg.Scope(graph)
x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32, (Samples, FEATURES))
y = core.Placeholder.create(scope.with_name("y"), tg.TFloat32, (Samples,))
w = tg.Variable.create(scope.with_name("w"), np.zeros(FEATURES, np.float32))


def predict(x: tg.Operand[tg.TFloat32, tuple[Samples, Literal[3]]]) -> tg.Operand[tg.TFloat32, tuple[Samples]]:
    column = core.ExpandDims.create(scope, w, 1)
    return core.Squeeze.create(scope, x @ column, [1])


logits = predict(x)
losses = math.Softplus.create(scope, logits) - y * logits
penalty = 0.5 * core.Sum.create(scope, math.Square.create(scope, w))
loss = math.Mean.create(scope, losses) + 0.01 * penalty

read = w.read(scope)
gradient = tg.grad(scope, loss, w)
probability = math.Sigmoid.create(scope, logits)
curvature = probability * (1.0 - probability)
weighted = x * curvature[:, None]
count = dtypes.Cast.create(scope, core.Shape.create(scope, x)[0], tg.TFloat32)
hessian = linalg.MatMul.create(scope, x, weighted, transpose_a=True) / count
hessian = hessian + 0.01 * np.eye(FEATURES, dtype=np.float32)
direction = linalg.Solve.create(scope, hessian, gradient[:, None])
step = w.assign_sub(scope, direction[:, 0])
right = math.Equal.create(scope, logits > 0.0, y > 0.5)
accuracy = math.Mean.create(scope, dtypes.Cast.create(scope, right, tg.TFloat32))

feeds = {x: inputs, y: targets}
with tg.Session(graph) as session:
    for i in range(6):
        value = session.run(loss, feeds)
        session.run(step, feeds)
        print(f"{i}: loss {value:.4f}")
    final, score = session.run([loss, accuracy], feeds)
    weights = session.value(w)
print("accuracy", float(score), "weights", weights.round(2))
assert score > 0.9
