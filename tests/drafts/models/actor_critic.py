"""Advantage actor-critic on a small grid world."""

import dataclasses
from typing import Final, Literal, NewType

import numpy as np
from numpy.typing import NDArray

import typegrad as tg
from typegrad.op import core, math, nn
from typegrad.training.optimizers import Adam

Steps = NewType("Steps", int)
GRID: Final = 3
CELLS: Final = GRID * GRID
ACTIONS: Final = 4
MOVES: Final = np.array([[0, 1], [0, -1], [1, 0], [-1, 0]])


@dataclasses.dataclass(frozen=True)
class Settings:
    gamma: float = 0.9
    entropy_weight: float = 0.01
    value_weight: float = 0.5
    hidden: int = 32


@dataclasses.dataclass
class Outputs:
    logits: tg.Operand[tg.TFloat32, tuple[Steps, Literal[4]]]
    value: tg.Operand[tg.TFloat32, tuple[Steps]]


class ActorCritic:
    """A shared layer with two heads."""

    def __init__(self, scope: tg.Scope, settings: Settings) -> None:
        self.scope = scope
        rng = np.random.default_rng(1)

        def matrix(name: str, rows: int, columns: int) -> tg.Variable[tg.TFloat32]:
            return tg.Variable.create(scope.with_name(name), rng.normal(0, 0.3, (rows, columns)).astype(np.float32))

        self.shared = matrix("shared", CELLS, settings.hidden)
        self.actor = matrix("actor", settings.hidden, ACTIONS)
        self.critic = matrix("critic", settings.hidden, 1)

    def __call__(self, observation: tg.Operand[tg.TFloat32, tuple[Steps, Literal[9]]]) -> Outputs:
        hidden = math.Tanh.create(self.scope, observation @ self.shared)
        value = core.Squeeze.create(self.scope, hidden @ self.critic, [1])
        return Outputs(logits=hidden @ self.actor, value=value)


def entropy(
    scope: tg.Scope, logits: tg.Operand[tg.TFloat32, tuple[Steps, Literal[4]]]
) -> tg.Operand[tg.TFloat32, tuple[Steps]]:
    log_p = nn.LogSoftmax.create(scope, logits)
    return -core.Sum.create(scope, math.Exp.create(scope, log_p) * log_p, axis=-1)


settings = Settings()
graph = tg.Graph(seed=1)
scope = tg.Scope(graph)
observation = core.Placeholder.create(scope.with_name("observation"), tg.TFloat32, (Steps, CELLS))
action = core.Placeholder.create(scope.with_name("action"), tg.TInt32, (Steps,))
returns = core.Placeholder.create(scope.with_name("returns"), tg.TFloat32, (Steps,))
model = ActorCritic(scope, settings)
outputs = model(observation)
advantage = core.StopGradient.create(scope, returns - outputs.value)
chosen = nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, outputs.logits, action)
policy_loss = math.Mean.create(scope, chosen.loss * advantage)
value_loss = math.Mean.create(scope, math.SquaredDifference.create(scope, returns, outputs.value))
bonus = math.Mean.create(scope, entropy(scope, outputs.logits))
loss = policy_loss + settings.value_weight * value_loss - settings.entropy_weight * bonus
step = Adam(graph, 0.02).minimize(loss)
probabilities = nn.Softmax.create(scope, outputs.logits)


def one_hot(cell: int) -> NDArray[np.float32]:
    row: NDArray[np.float32] = np.eye(CELLS, dtype=np.float32)[cell]
    return row


def episode(
    session: tg.Session, rng: np.random.Generator
) -> tuple[NDArray[np.float32], NDArray[np.int32], NDArray[np.float32]]:
    position = np.zeros(2, int)
    seen: list[NDArray[np.float32]] = []
    taken: list[int] = []
    rewards: list[float] = []
    for _ in range(12):
        seen.append(one_hot(int(position @ [GRID, 1])))
        p = session.run(probabilities, {observation: seen[-1][None]})[0]
        taken.append(int(rng.choice(ACTIONS, p=p / p.sum())))
        position = np.clip(position + MOVES[taken[-1]], 0, GRID - 1)
        rewards.append(1.0 if position.sum() == 2 * (GRID - 1) else -0.1)
        if rewards[-1] > 0:
            break
    total = 0.0
    discounted: list[float] = []
    for reward in reversed(rewards):
        total = reward + settings.gamma * total
        discounted.append(total)
    return np.stack(seen), np.array(taken, np.int32), np.array(discounted[::-1], np.float32)


rng = np.random.default_rng(2)
with tg.Session(graph) as session:
    lengths: list[int] = []
    for _ in range(100):
        states, actions, targets = episode(session, rng)
        session.run(step, {observation: states, action: actions, returns: targets})
        lengths.append(len(actions))
assert np.mean(lengths[-20:]) < np.mean(lengths[:20])
