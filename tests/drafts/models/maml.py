"""Model-agnostic meta-learning of sine waves: a gradient through a gradient step."""

from collections.abc import Sequence
from typing import NewType

import numpy as np
from numpy.typing import NDArray

import typegrad as tg
from typegrad.op import core, math
from typegrad.training.optimizers import Adam

Points = NewType("Points", int)
Float = tg.Operand[tg.TFloat32]
INNER_RATE = 0.05


def initial(rng: np.random.Generator, *shape: int) -> NDArray[np.float32]:
    return rng.normal(0.0, 1.0 / np.sqrt(shape[0]), shape).astype(np.float32)


def forward(scope: tg.Scope, parameters: Sequence[Float], x: Float) -> Float:
    w1, b1, w2, b2, w3, b3 = parameters
    h = math.Tanh.create(scope, x @ w1 + b1)
    h = math.Tanh.create(scope, h @ w2 + b2)
    return h @ w3 + b3


def mean_squared_error(scope: tg.Scope, a: Float, b: Float) -> Float:
    return math.Mean.create(scope, math.SquaredDifference.create(scope, a, b))


def adapted(scope: tg.Scope, parameters: Sequence[Float], x: Float, y: Float, steps: int = 1) -> list[Float]:
    result = list(parameters)
    for _ in range(steps):
        loss = mean_squared_error(scope, forward(scope, result, x), y)
        gradients = tg.gradients(scope, loss, result, unconnected_gradients="zero")
        result = [p - INNER_RATE * g for p, g in zip(result, gradients)]
    return result


graph = tg.Graph(seed=0)
scope = tg.Scope(graph)
rng = np.random.default_rng(0)
variables = [
    tg.Variable.create(scope, initial)
    for initial in (
        initial(rng, 1, 20),
        np.zeros(20, np.float32),
        initial(rng, 20, 20),
        np.zeros(20, np.float32),
        initial(rng, 20, 1),
        np.zeros(1, np.float32),
    )
]
names = ("x_support", "y_support", "x_query", "y_query")
x_support, y_support, x_query, y_query = (
    core.Placeholder.create(scope.with_name(name), tg.TFloat32, (Points, 1)) for name in names
)
fast = adapted(scope, variables, x_support, y_support)
before = mean_squared_error(scope, forward(scope, variables, x_query), y_query)
after = mean_squared_error(scope, forward(scope, fast, x_query), y_query)
step = Adam(graph, 0.005).minimize(after, variables)


def task(rng: np.random.Generator) -> dict[tg.Operand[tg.TFloat32], NDArray[np.float32]]:
    amplitude, phase = rng.uniform(0.5, 2.0), rng.uniform(0.0, np.pi)

    def wave(x: NDArray[np.float32]) -> NDArray[np.float32]:
        y: NDArray[np.float32] = (amplitude * np.sin(x + phase)).astype(np.float32)
        return y

    xs = [rng.uniform(-3.0, 3.0, (10, 1)).astype(np.float32) for _ in range(2)]
    return {x_support: xs[0], y_support: wave(xs[0]), x_query: xs[1], y_query: wave(xs[1])}


with tg.Session(graph) as session:
    history = np.array([session.run((step, before, after), task(rng))[1:] for _ in range(100)])
first, last = history[:20].mean(axis=0), history[-20:].mean(axis=0)
print(first, last)
assert last[1] < last[0]
