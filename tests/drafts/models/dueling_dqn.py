"""A dueling double deep Q network on a corridor, with a target network that follows slowly."""

from collections import deque

import attrs
import numpy as np

import typegrad as tg
from typegrad.functions import one_hot
from typegrad.op import core, math, nn
from typegrad.training.optimizers import Adam

STATES = 9
ACTIONS = 3
UNITS = 24
GAMMA = 0.9
TAU = 0.05


@attrs.define
class Dense:
    w: tg.Variable[tg.TFloat32]
    b: tg.Variable[tg.TFloat32]

    @classmethod
    def create(cls, scope: tg.Scope, n: int, m: int, trainable: bool = True) -> "Dense":
        initial = np.random.default_rng(n + m).normal(0, 1 / np.sqrt(n), (n, m)).astype(np.float32)
        return cls(
            tg.Variable.create(scope.with_name("w"), initial, trainable=trainable),
            tg.Variable.create(scope.with_name("b"), np.zeros(m, np.float32), trainable=trainable),
        )

    def __call__(self, x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
        return x @ self.w + self.b


@attrs.define
class Dueling:
    scope: tg.Scope
    body: Dense
    value: Dense
    advantage: Dense

    @staticmethod
    def build(scope: tg.Scope, trainable: bool) -> "Dueling":
        with scope:
            return Dueling(
                scope,
                body=Dense.create(scope.with_sub_scope("body"), STATES, UNITS, trainable),
                value=Dense.create(scope.with_sub_scope("value"), UNITS, 1, trainable),
                advantage=Dense.create(scope.with_sub_scope("advantage"), UNITS, ACTIONS, trainable),
            )

    def q(self, state: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
        h = nn.Relu.create(self.scope, self.body(state))
        a = self.advantage(h)
        return self.value(h) + a - math.Mean.create(self.scope, a, 1, keep_dims=True)

    @property
    def variables(self) -> list[tg.Variable[tg.TFloat32]]:
        return [v for layer in (self.body, self.value, self.advantage) for v in (layer.w, layer.b)]


graph = tg.Graph(seed=3)
scope = tg.Scope(graph)
state = core.Placeholder.create(scope.with_name("state"), tg.TInt32, (None,))
action = core.Placeholder.create(scope.with_name("action"), tg.TInt32, (None,))
reward = core.Placeholder.create(scope.with_name("reward"), tg.TFloat32, (None,))
next_state = core.Placeholder.create(scope.with_name("next_state"), tg.TInt32, (None,))
done = core.Placeholder.create(scope.with_name("done"), tg.TBool, (None,))

online = Dueling.build(scope.with_sub_scope("online"), True)
target = Dueling.build(scope.with_sub_scope("target"), False)

q = online.q(one_hot(scope, state, STATES))
chosen = core.Sum.create(scope, q * one_hot(scope, action, ACTIONS), 1)
next_input = one_hot(scope, next_state, STATES)
best = math.ArgMax.create(scope, online.q(next_input), 1)
next_q = core.Sum.create(scope, target.q(next_input) * one_hot(scope, best, ACTIONS), 1)
future = core.Select.create(scope, done, core.ZerosLike.create(scope, next_q), next_q)
goal = core.StopGradient.create(scope, reward + GAMMA * future)
error = math.Abs.create(scope, chosen - goal)
huber = core.Select.create(scope, error < 1.0, 0.5 * error * error, error - 0.5)
loss = math.Mean.create(scope, huber)
train_op = Adam(graph, 5e-3).minimize(loss, var_list=online.variables)
follow = [t.assign(scope, (1 - TAU) * t + TAU * o) for t, o in zip(target.variables, online.variables, strict=True)]

rng = np.random.default_rng(0)
memory: deque[tuple[int, int, float, int, bool]] = deque(maxlen=500)
with tg.Session(graph) as session:
    values = session.callable(q, [state])
    s = STATES // 2
    for _ in range(100):
        act = int(rng.integers(ACTIONS)) if rng.random() < 0.3 else int(values([s])[0].argmax())
        s2 = min(max(s + act - 1, 0), STATES - 1)
        memory.append((s, act, float(s2 == STATES - 1), s2, s2 == STATES - 1))
        s = STATES // 2 if s2 == STATES - 1 else s2
        batch = [memory[int(j)] for j in rng.integers(len(memory), size=16)]
        columns = [np.array(column) for column in zip(*batch)]
        feeds = {
            state: columns[0].astype(np.int32),
            action: columns[1].astype(np.int32),
            reward: columns[2].astype(np.float32),
            next_state: columns[3].astype(np.int32),
            done: columns[4].astype(np.bool_),
        }
        session.run([train_op, follow], feeds)
    print(values(np.arange(STATES, dtype=np.int32)).argmax(axis=1))
