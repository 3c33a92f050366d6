"""A differential equation whose right-hand side is a network, solved by Runge and Kutta's method."""

from collections.abc import Callable
from typing import Literal, NewType

import numpy as np

import typegrad as tg
from typegrad.op import core, math
from typegrad.training.optimizers import Adam

Batch = NewType("Batch", int)
State = tg.Operand[tg.TFloat32, tuple[Batch, Literal[2]]]
Field = Callable[[State], State]

steps = 6
dt = 0.25


def runge_kutta(field: Field, y: State, h: float) -> State:
    k1 = field(y)
    k2 = field(y + 0.5 * h * k1)
    k3 = field(y + 0.5 * h * k2)
    k4 = field(y + h * k3)
    return y + (h / 6) * (k1 + 2.0 * k2 + 2.0 * k3 + k4)


def network(scope: tg.Scope, units: int = 10) -> Field:
    rng = np.random.default_rng(3)
    w1 = tg.Variable.create(scope.with_name("w1"), rng.normal(0, 0.5, (2, units)).astype(np.float32))
    b1 = tg.Variable.create(scope.with_name("b1"), np.zeros(units, np.float32))
    w2 = tg.Variable.create(scope.with_name("w2"), rng.normal(0, 0.5, (units, 2)).astype(np.float32))

    def field(y: State) -> State:
        return math.Tanh.create(scope, y @ w1 + b1) @ w2

    return field


def trajectory(field: Field, y: State) -> list[State]:
    states = [y]
    for _ in range(steps):
        states.append(runge_kutta(field, states[-1], dt))
    return states[1:]


graph = tg.Graph()
scope = tg.Scope(graph)
start = core.Placeholder.create(scope.with_name("start"), tg.TFloat32, (Batch, 2))
path = core.Placeholder.create(scope.with_name("path"), tg.TFloat32, (Batch, steps, 2))
with scope.with_sub_scope("ode") as inner:
    states = trajectory(network(inner), start)
    solved = core.Stack.create(inner, states, 1)
    loss = math.Mean.create(inner, math.Square.create(inner, solved - path))
step = Adam(graph, 0.02).minimize(loss)

angles = np.random.default_rng(0).uniform(0, 2 * np.pi, (32, 1))
times = dt * np.arange(steps + 1)
circles = np.stack([np.cos(angles + times), np.sin(angles + times)], axis=2).astype(np.float32)
feeds = {start: circles[:, 0], path: circles[:, 1:]}
with tg.Session(graph) as session:
    before, _ = session.run([loss, solved], feeds)
    for _ in range(80):
        session.run(step, feeds)
    after = session.run(loss, feeds)
assert after < 0.2 * before, (before, after)
