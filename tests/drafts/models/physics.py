"""A network that solves a differential equation: u'' = -u, u(0) = 0, u'(0) = 1."""

from dataclasses import dataclass
from typing import Literal, NewType

import numpy as np

import typegrad as tg
from typegrad import initializers
from typegrad.op import core, math
from typegrad.training.optimizers import Adam, ExponentialDecay

Points = NewType("Points", int)
Column = tg.Operand[tg.TFloat64, tuple[Points, Literal[1]]]


@dataclass
class Network:
    scope: tg.Scope
    units: int = 16

    def __post_init__(self) -> None:
        glorot = initializers.GlorotNormal()
        self.w1 = tg.Variable.create(self.scope, glorot(self.scope, (1, self.units), tg.TFloat64))
        self.b1 = tg.Variable.create(self.scope, np.linspace(-1.0, 1.0, self.units))
        self.w2 = tg.Variable.create(self.scope, glorot(self.scope, (self.units, 1), tg.TFloat64))

    def __call__(self, t: Column) -> Column:
        return math.Tanh.create(self.scope, t @ self.w1 + self.b1) @ self.w2


def solution(network: Network, t: Column) -> Column:
    """It has the right start: u(0) = 0 and u'(0) = 1."""
    return t + t * t * network(t)


graph = tg.Graph(seed=2)
scope = tg.Scope(graph)
t = core.Placeholder.create(scope.with_name("t"), tg.TFloat64, (Points, 1))
network = Network(scope)
u = solution(network, t)
velocity = tg.grad(scope, u, t)
acceleration = tg.grad(scope, velocity, t)
residual = acceleration + u
loss = math.Mean.create(scope, residual**2.0)
rate = ExponentialDecay(0.02, decay_steps=200, decay_rate=0.5)
step = Adam(graph, rate).minimize(loss)
energy: Column = 0.5 * (velocity * velocity + u * u)

grid = np.linspace(0, 2, 20).reshape(-1, 1)
with tg.Session(graph) as session:
    for _ in range(400):
        session.run(step, {t: grid})
    values, energies = session.run((u, energy), {t: grid})
assert np.abs(values - np.sin(grid)).max() < 0.05
assert np.abs(energies - 0.5).max() < 0.1
