"""REINFORCE with a learned baseline on a bandit with context."""

from dataclasses import dataclass
from typing import Literal, NewType

import numpy as np

import typegrad as tg
from typegrad.op import core, dtypes, math, nn, random
from typegrad.training.optimizers import Adam, GradientPair

Batch = NewType("Batch", int)
FEATURES = 3
ACTIONS = 3


@dataclass
class Hyperparameters:
    learning_rate: float = 0.05
    entropy: float = 0.01
    batch: int = 32


class Agent:
    """A policy and a value function, both linear."""

    policy: tg.Variable[tg.TFloat32, tuple[Literal[3], Literal[3]]]
    value: tg.Variable[tg.TFloat32, tuple[Literal[3], Literal[1]]]

    def __init__(self, scope: tg.Scope) -> None:
        self.policy = tg.Variable.create(scope.with_name("policy"), np.zeros((FEATURES, ACTIONS), np.float32))
        self.value = tg.Variable.create(scope.with_name("value"), np.zeros((FEATURES, 1), np.float32))


hp = Hyperparameters()
graph = tg.Graph(seed=11)
scope = tg.Scope(graph)
states = core.Placeholder.create(scope.with_name("states"), tg.TFloat32, (Batch, FEATURES))
actions = core.Placeholder.create(scope.with_name("actions"), tg.TInt64, (Batch,))
returns = core.Placeholder.create(scope.with_name("returns"), tg.TFloat32, (Batch,))
agent = Agent(scope)

logits = states @ agent.policy
drawn = core.Squeeze.create(scope, random.Multinomial.create(scope, logits, 1), (1,))
baseline = core.Squeeze.create(scope, states @ agent.value, (1,))
log_probabilities = nn.LogSoftmax.create(scope, logits)
chosen = core.OneHot.create(scope, actions, ACTIONS, 1.0, 0.0)
log_chosen = core.Sum.create(scope, log_probabilities * chosen, 1)
advantage = core.StopGradient.create(scope, returns - baseline)
policy_loss = -math.Mean.create(scope, log_chosen * advantage)
value_loss = math.Mean.create(scope, (returns - baseline) ** 2.0)
entropy = -math.Mean.create(
    scope, core.Sum.create(scope, math.Exp.create(scope, log_probabilities) * log_probabilities, 1)
)
loss = policy_loss + 0.5 * value_loss - hp.entropy * entropy

optimizer = Adam(graph, hp.learning_rate)
pairs: list[GradientPair] = []
for gradient, variable in optimizer.compute_gradients(loss):
    if gradient is not None:
        pairs.append((core.ClipByValue.create(scope, gradient, -1.0, 1.0), variable))
step = optimizer.apply_gradients(pairs)
right = math.Equal.create(scope, math.ArgMax.create(scope, logits, 1), math.ArgMax.create(scope, states, 1))
skill = math.Mean.create(scope, dtypes.Cast.create(scope, right, tg.TFloat32))

rng = np.random.default_rng(0)
with tg.Session(graph) as session:
    for _ in range(200):
        context = np.eye(FEATURES, dtype=np.float32)[rng.integers(0, FEATURES, hp.batch)]
        choices = session.run(drawn, {states: context})
        reward = (choices == context.argmax(axis=1)).astype(np.float32)
        session.run(step, {states: context, actions: choices, returns: reward})
    score = session.run(skill, {states: np.eye(FEATURES, dtype=np.float32)})
    certainty = session.run(entropy, {states: np.eye(FEATURES, dtype=np.float32)})
assert score == 1.0, score
assert certainty < np.log(ACTIONS)
