"""A recurrent network that learns to continue a string, character by character."""

from typing import NewType

import numpy as np

import typegrad as tg
from typegrad.op import core, math, nn
from typegrad.training.optimizers import Adam

TEXT = "hello world, hello typed world. "
ALPHABET = sorted(set(TEXT))
SIZE = len(ALPHABET)
HIDDEN = 32
STEPS = 8

Batch = NewType("Batch", int)

codes = np.array([ALPHABET.index(c) for c in TEXT * 4], dtype=np.int32)
windows = np.stack([codes[i : i + STEPS + 1] for i in range(64)])

graph = tg.Graph(seed=1)
scope = tg.Scope(graph)
chars = core.Placeholder.create(scope.with_name("chars"), tg.TInt32, shape=(Batch, STEPS))
following = core.Placeholder.create(scope.with_name("following"), tg.TInt32, shape=(Batch, STEPS))


class RNN:
    def __init__(self, scope: tg.Scope, inputs: int, hidden: int, outputs: int):
        rng = np.random.default_rng(0)
        self.wx = tg.Variable.create(scope.with_name("wx"), rng.normal(0, 0.3, (inputs, hidden)).astype(np.float32))
        self.wh = tg.Variable.create(scope.with_name("wh"), 0.9 * np.eye(hidden, dtype=np.float32))
        self.b = tg.Variable.create(scope.with_name("b"), np.zeros(hidden, np.float32))
        self.wo = tg.Variable.create(scope.with_name("wo"), rng.normal(0, 0.3, (hidden, outputs)).astype(np.float32))
        self.variables: list[tg.Variable] = [self.wx, self.wh, self.b, self.wo]
        self.scope = scope

    def step(self, x: tg.Operand[tg.TFloat32], h: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
        return math.Tanh.create(self.scope, x @ self.wx + h @ self.wh + self.b)

    def logits(self, h: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
        return h @ self.wo


model = RNN(scope.with_sub_scope("rnn"), SIZE, HIDDEN, SIZE)
one_hot = core.OneHot.create(scope, chars, SIZE, 1.0, 0.0)
batch = core.Shape.create(scope, chars)[0]
h: tg.Operand[tg.TFloat32] = core.Fill.create(scope, core.Stack.create(scope, [batch, HIDDEN]), 0.0)
losses: list[tg.Operand[tg.TFloat32]] = []
for t in range(STEPS):
    h = model.step(one_hot[:, t], h)
    logits = model.logits(h)
    loss_t = nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, logits, following[:, t])
    losses.append(math.Mean.create(scope, loss_t.loss))
loss = math.AddN.create(scope, losses) / STEPS
optimizer = Adam(graph, learning_rate=0.01)
grads = tg.gradients(scope, loss, model.variables)
clipped = [None if g is None else core.ClipByValue.create(scope, g, -1.0, 1.0) for g in grads]
train = optimizer.apply_gradients(zip(clipped, model.variables))

state = core.Placeholder.create(scope.with_name("state"), tg.TFloat32, (1, HIDDEN))
char = core.Placeholder.create(scope.with_name("char"), tg.TInt32, (1,))
new_state = model.step(core.OneHot.create(scope, char, SIZE, 1.0, 0.0), state)
prediction = math.ArgMax.create(scope, model.logits(new_state), 1)

with tg.Session(graph) as session:
    feeds = {chars: windows[:, :-1], following: windows[:, 1:]}
    history: list[float] = []
    for _ in range(150):
        _, value = session.run((train, loss), feeds)
        history.append(float(value))
    text, memory, current = "h", np.zeros((1, HIDDEN), np.float32), ALPHABET.index("h")
    for _ in range(10):
        memory, best = session.run((new_state, prediction), {state: memory, char: [current]})
        current = int(best[0])
        text += ALPHABET[current]
print(history[0], history[-1], repr(text))
assert history[-1] < history[0]
