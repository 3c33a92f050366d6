"""Q-learning with a target network, on a corridor of five cells."""

from dataclasses import dataclass
from typing import Literal, NewType

import numpy as np
from numpy.typing import NDArray

import typegrad as tg
from typegrad.op import core, math
from typegrad.training.optimizers import GradientDescent

Batch = NewType("Batch", int)
CELLS = 5
ACTIONS = 2
Observation = tg.Operand[tg.TFloat32, tuple[Batch, Literal[5]]]


@dataclass
class Transitions:
    observation: NDArray[np.float32]
    action: NDArray[np.int32]
    reward: NDArray[np.float32]
    following: NDArray[np.float32]
    done: NDArray[np.bool_]


class QNetwork:
    def __init__(self, scope: tg.Scope, *, trainable: bool) -> None:
        start = np.zeros((CELLS, ACTIONS), np.float32)
        self.w = tg.Variable.create(scope.with_name("w"), start, trainable=trainable)
        self.b = tg.Variable.create(scope.with_name("b"), np.zeros(ACTIONS, np.float32), trainable=trainable)

    def __call__(self, x: Observation) -> tg.Operand[tg.TFloat32, tuple[Batch, Literal[2]]]:
        return x @ self.w + self.b


def copy(scope: tg.Scope, source: QNetwork, destination: QNetwork) -> core.NoOp:
    updates = [destination.w.assign(scope, source.w), destination.b.assign(scope, source.b)]
    return core.NoOp.create(scope.with_control_dependencies(updates))


graph = tg.Graph(seed=0)
scope = tg.Scope(graph)
observation = core.Placeholder.create(scope.with_name("observation"), tg.TFloat32, (Batch, CELLS))
following = core.Placeholder.create(scope.with_name("following"), tg.TFloat32, (Batch, CELLS))
action = core.Placeholder.create(scope.with_name("action"), tg.TInt32, (Batch,))
reward = core.Placeholder.create(scope.with_name("reward"), tg.TFloat32, (Batch,))
done = core.Placeholder.create(scope.with_name("done"), tg.TBool, (Batch,))

online = QNetwork(scope.with_sub_scope("online"), trainable=True)
target = QNetwork(scope.with_sub_scope("target"), trainable=False)
q_values = online(observation)
chosen = core.Sum.create(scope, q_values * core.OneHot.create(scope, action, ACTIONS, 1.0, 0.0), 1)
best = core.Max.create(scope, target(following), 1)
future = core.Select.create(scope, done, core.ZerosLike.create(scope, best), best)
goal = core.StopGradient.create(scope, reward + 0.9 * future)
difference = goal - chosen
quadratic = math.Minimum.create(scope, math.Abs.create(scope, difference), 1.0)
linear = math.Abs.create(scope, difference) - quadratic
loss = math.Mean.create(scope, 0.5 * quadratic * quadratic + linear)
step = GradientDescent(graph, 0.5).minimize(loss)
synchronize = copy(scope, online, target)
greedy = math.ArgMax.create(scope, q_values, 1, tg.TInt32)

rng = np.random.default_rng(0)
eye = np.eye(CELLS, dtype=np.float32)


def play(count: int) -> Transitions:
    places = rng.integers(0, CELLS - 1, count)
    actions = rng.integers(0, ACTIONS, count).astype(np.int32)
    after = np.clip(places + 2 * actions - 1, 0, CELLS - 1)
    end = after == CELLS - 1
    return Transitions(eye[places], actions, end.astype(np.float32), eye[after], end)


with tg.Session(graph) as session:
    for i in range(200):
        batch = play(32)
        feeds: tg.Feeds = {
            observation: batch.observation,
            action: batch.action,
            reward: batch.reward,
            following: batch.following,
            done: batch.done,
        }
        session.run(step, feeds)
        if i % 10 == 0:
            session.run(synchronize)
    policy = session.run(greedy, {observation: eye})
assert policy[:-1].tolist() == [1, 1, 1, 1], policy
