"""A mixture density network: the inverse of a function that is not invertible."""

from typing import Literal, NamedTuple, NewType

import numpy as np

import typegrad as tg
from typegrad import activations, functions, initializers
from typegrad.op import core, math, nn
from typegrad.training.optimizers import Adam

Batch = NewType("Batch", int)
COMPONENTS = 3
HIDDEN = 20
Components = tg.Operand[tg.TFloat32, tuple[Batch, Literal[3]]]


class Mixture(NamedTuple):
    log_weights: Components
    means: Components
    log_scales: Components


def network(scope: tg.Scope, x: tg.Operand[tg.TFloat32, tuple[Batch, Literal[1]]]) -> Mixture:
    glorot = initializers.GlorotUniform()
    with scope:
        w1 = tg.Variable.create(scope, glorot(scope, (1, HIDDEN), tg.TFloat32))
        b1 = tg.Variable.create(scope, np.linspace(-1, 1, HIDDEN).astype(np.float32))
        hidden = activations.tanh(scope, x @ w1 + b1)
        w2 = tg.Variable.create(scope, glorot(scope, (HIDDEN, 3 * COMPONENTS), tg.TFloat32))
        b2 = tg.Variable.create(scope, np.linspace(-1, 1, 3 * COMPONENTS).astype(np.float32))
        output = hidden @ w2 + b2
        logits, means, log_scales = core.Split.create(scope, 1, output, 3)
        return Mixture(nn.LogSoftmax.create(scope, logits), means, log_scales)


def log_likelihood(
    scope: tg.Scope, mixture: Mixture, y: tg.Operand[tg.TFloat32, tuple[Batch, Literal[1]]]
) -> tg.Operand[tg.TFloat32, tuple[Batch]]:
    z = (y - mixture.means) * math.Exp.create(scope, -mixture.log_scales)
    log_normal = -0.5 * z * z - mixture.log_scales - 0.5 * np.log(2 * np.pi)
    return functions.logsumexp(scope, mixture.log_weights + log_normal, 1)


def mean_of(scope: tg.Scope, mixture: Mixture) -> tg.Operand[tg.TFloat32, tuple[Batch]]:
    return core.Sum.create(scope, math.Exp.create(scope, mixture.log_weights) * mixture.means, 1)


graph = tg.Graph(seed=0)
scope = tg.Scope(graph)
x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32, (Batch, 1))
y = core.Placeholder.create(scope.with_name("y"), tg.TFloat32, (Batch, 1))
mixture = network(scope, x)
loss = -math.Mean.create(scope, log_likelihood(scope, mixture, y))
step = Adam(graph, learning_rate=0.02).minimize(loss)
best = math.ArgMax.create(scope, mixture.log_weights, 1)
mode = core.GatherNd.create(
    scope,
    mixture.means,
    core.Stack.create(
        scope,
        [core.Range.create(scope, np.int64(0), core.Shape.create(scope, best, tg.TInt64)[0], np.int64(1)), best],
        1,
    ),
)
average = mean_of(scope, mixture)

rng = np.random.default_rng(0)
ys = rng.uniform(-1, 1, (100, 1))
xs = ys + 0.3 * np.sin(2 * np.pi * ys) + rng.normal(0, 0.02, ys.shape)
feeds = {x: xs.astype(np.float32), y: ys.astype(np.float32)}
with tg.Session(graph) as session:
    before = session.run(loss, feeds)
    for _ in range(150):
        session.run(step, feeds)
    after, modes, averages = session.run((loss, mode, average), feeds)
assert after < before - 0.5, (before, after)
assert modes.shape == averages.shape == (100,)
