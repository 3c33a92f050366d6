"""Expectation-maximization for a mixture of Gaussians by gradients, with the responsibilities behind StopGradient."""

from dataclasses import dataclass
from functools import partial
from typing import Literal, NewType, TypeAlias

import numpy as np

import typegrad as tg
from typegrad.functions import logsumexp
from typegrad.op import core, linalg, math, nn
from typegrad.training.optimizers import Adam, ExponentialMovingAverage

N = NewType("N", int)
K = 3
D = 2

Data: TypeAlias = tg.Operand[tg.TFloat64, tuple[N, Literal[2]]]
PerCluster: TypeAlias = tg.Operand[tg.TFloat64, tuple[N, Literal[3]]]


@dataclass
class Mixture:
    means: tg.Variable[tg.TFloat64]
    log_scales: tg.Variable[tg.TFloat64]
    logits: tg.Variable[tg.TFloat64]

    def variables(self) -> list[tg.Variable[tg.TFloat64]]:
        return [self.means, self.log_scales, self.logits]

    def log_joint(self, scope: tg.Scope, x: Data) -> PerCluster:
        z = (x[:, None, :] - self.means) * math.Exp.create(scope, -self.log_scales)
        log_density = -0.5 * core.Sum.create(scope, z * z, 2) - core.Sum.create(scope, self.log_scales, 1)
        log_prior = nn.LogSoftmax.create(scope, self.logits[None, :])
        return (log_density + log_prior - 0.5 * D * float(np.log(2 * np.pi))).expect(tg.TFloat64, (N, K))


def new_variable(scope: tg.Scope, name: str, value: np.ndarray) -> tg.Variable[tg.TFloat64]:
    return tg.Variable.create(scope.with_name(name), value.astype(np.float64))


rng = np.random.default_rng(12)
graph = tg.Graph()
scope = tg.Scope(graph)
make = partial(new_variable, scope)
x = core.Placeholder.create(scope.with_name("x"), tg.TFloat64, (N, D))
mixture = Mixture(
    means=make("means", rng.normal(0, 2, (K, D))),
    log_scales=make("log_scales", np.zeros((K, D))),
    logits=make("logits", np.zeros(K)),
)

joint = mixture.log_joint(scope, x)
evidence = logsumexp(scope, joint, 1)
responsibilities = core.StopGradient.create(scope, math.Exp.create(scope, joint - evidence[:, None]))
expected = core.Sum.create(scope, responsibilities * joint, 1)
loss = -math.Mean.create(scope, expected)
nll = -math.Mean.create(scope, evidence)

mine = tg.gradients(scope, loss, mixture.variables(), unconnected_gradients="zero")
theirs = tg.gradients(scope, nll, mixture.variables(), unconnected_gradients="zero")
difference = math.AddN.create(
    scope, [core.Sum.create(scope, math.Abs.create(scope, a - b)) for a, b in zip(mine, theirs)]
)

weights = core.Sum.create(scope, responsibilities, 0)
sums = linalg.MatMul.create(scope, responsibilities, x, transpose_a=True)
m_step = mixture.means.assign(scope, sums / weights[:, None])

train = Adam(graph, 0.05).minimize(loss, var_list=mixture.variables())
average = ExponentialMovingAverage(graph, 0.9).apply(mixture.variables(), after=[train])

centers = np.array([[0.0, 4.0], [3.0, -1.0], [-4.0, 0.0]])
points = np.concatenate([rng.normal(center, 0.7, (50, D)) for center in centers])
with tg.Session(graph) as session:
    gap = session.run(difference, {x: points})
    assert gap < 1e-9, gap
    value = session.run(nll, {x: points})
    for i in range(40):
        if i % 10 == 0:
            session.run(m_step, feed_dict={x: points})
        value, _ = session.run((nll, average), {x: points})
    shares = session.run(nn.Softmax.create(scope, mixture.logits[None]))[0]
    print(value, shares.round(2))
    print(session.value(mixture.means).round(1))
