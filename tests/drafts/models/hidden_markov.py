"""A hidden Markov model, fitted by the gradient of the forward algorithm."""

from typing import Literal, NewType

import numpy as np

import typegrad as tg
from typegrad import functions
from typegrad.op import core, linalg, math, nn
from typegrad.training.optimizers import Adam

Batch = NewType("Batch", int)
STATES = 2
SYMBOLS = 3
LENGTH = 8

Alpha = tg.Operand[tg.TFloat32, tuple[Batch, Literal[2]]]


class HiddenMarkovModel:
    def __init__(self, scope: tg.Scope, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        self.scope = scope
        self.start = tg.Variable.create(scope.with_name("start"), np.zeros(STATES, np.float32))
        self.transition = tg.Variable.create(scope.with_name("transition"), np.eye(STATES, dtype=np.float32))
        emission = rng.normal(size=(STATES, SYMBOLS)).astype(np.float32)
        self.emission = tg.Variable.create(scope.with_name("emission"), emission)

    def emitted(self, symbols: tg.Operand[tg.TInt32, tuple[Batch]]) -> Alpha:
        """The log-probability of each row's symbol in each state."""
        table = nn.LogSoftmax.create(self.scope, self.emission)
        return linalg.Transpose.create(self.scope, core.Gather.create(self.scope, table, symbols, 1))

    def log_likelihood(
        self, symbols: tg.Operand[tg.TInt32, tuple[Batch, Literal[8]]]
    ) -> tg.Operand[tg.TFloat32, tuple[Batch]]:
        scope = self.scope
        log_transition = nn.LogSoftmax.create(scope, self.transition)
        alpha: Alpha = nn.LogSoftmax.create(scope, self.start) + self.emitted(symbols[:, 0])
        for t in range(1, LENGTH):
            reached = functions.logsumexp(scope, alpha[:, :, None] + log_transition, 1)
            alpha = reached.expect(tg.TFloat32, (Batch, 2)) + self.emitted(symbols[:, t])
        return functions.logsumexp(scope, alpha, -1).expect(tg.TFloat32, (Batch,))


graph = tg.Graph()
scope = tg.Scope(graph)
observed = core.Placeholder.create(scope, tg.TInt32, (Batch, LENGTH))
with scope:
    model = HiddenMarkovModel(scope)
    loss = -math.Mean.create(scope, model.log_likelihood(observed))
step = Adam(graph, 0.1).minimize(loss)
stay = nn.Softmax.create(scope, model.transition)

rng = np.random.default_rng(2)
state = rng.integers(0, STATES, 100)
columns: list[np.ndarray[tuple[int], np.dtype[np.int64]]] = []
for _ in range(LENGTH):
    columns.append(np.where(rng.random(100) < 0.9, 2 * state, 1))
    state = np.where(rng.random(100) < 0.9, state, 1 - state)
data = np.stack(columns, axis=1).astype(np.int32)
with tg.Session(graph) as session:
    first = session.run(loss, {observed: data})
    for _ in range(100):
        session.run(step, {observed: data})
    last, transition = session.run((loss, stay), {observed: data})
assert last < first - 1, (first, last)
assert transition.diagonal().min() > 0.7, transition
