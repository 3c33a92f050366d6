"""A sequence-to-sequence model with attention that learns to reverse a sequence of digits."""

from dataclasses import dataclass
from typing import Literal, NewType

import numpy as np
from numpy.typing import NDArray

import typegrad as tg
from typegrad import initializers, losses
from typegrad.op import core, linalg, math, nn
from typegrad.training.optimizers import Adam

Batch = NewType("Batch", int)
State = tg.Operand[tg.TFloat32, tuple[Batch, Literal[32]]]
Memory = tg.Operand[tg.TFloat32, tuple[Batch, Literal[5], Literal[32]]]

DIGITS = 6
LENGTH = 5
UNITS = 32
START = DIGITS  # the token that begins the output


@dataclass
class Config:
    units: int = UNITS
    rate: float = 0.01
    steps: int = 50
    batch_size: int = 64


class Cell:
    """A gated unit with one gate."""

    def __init__(self, scope: tg.Scope, inputs: int, units: int) -> None:
        self.scope = scope
        init = initializers.GlorotUniform()
        self.kernel = tg.Variable.create(
            scope.with_name("kernel"), init(scope, (inputs + units, 2 * units), tg.TFloat32)
        )
        self.bias = tg.Variable.create(scope.with_name("bias"), np.zeros(2 * units, dtype=np.float32))

    def step(self, x: tg.Operand[tg.TFloat32], state: State) -> State:
        joined = core.Concat.create(self.scope, [x, state], 1)
        gate, candidate = core.Split.create(self.scope, 1, joined @ self.kernel + self.bias, 2)
        keep = math.Sigmoid.create(self.scope, gate)
        new = keep * state + (1.0 - keep) * math.Tanh.create(self.scope, candidate)
        return new.expect(tg.TFloat32, (Batch, UNITS))


def attend(
    scope: tg.Scope, query: State, memory: Memory
) -> tuple[State, tg.Operand[tg.TFloat32, tuple[Batch, Literal[5]]]]:
    """What the query finds in the memory, and the weights."""
    scores = linalg.Einsum.create(scope, [query, memory], "bu,btu->bt")
    weights = nn.Softmax.create(scope, scores / np.sqrt(UNITS))
    context = core.Sum.create(scope, core.ExpandDims.create(scope, weights, -1) * memory, 1)
    return context, weights


config = Config()
graph = tg.Graph(seed=3)
scope = tg.Scope(graph)
source = core.Placeholder.create(scope.with_name("source"), tg.TInt32, (Batch, LENGTH))
target = core.Placeholder.create(scope.with_name("target"), tg.TInt32, (Batch, LENGTH))
embedding = tg.Variable.create(scope, initializers.RandomNormal(stddev=0.3)(scope, (DIGITS + 1, 16), tg.TFloat32))
encoder = Cell(scope.with_sub_scope("encoder"), 16, config.units)
decoder = Cell(scope.with_sub_scope("decoder"), 16 + UNITS, config.units)
project = tg.Variable.create(
    scope.with_name("project"), initializers.GlorotUniform()(scope, (2 * UNITS, DIGITS), tg.TFloat32)
)

embedded = core.Gather.create(scope, embedding, source, 0)
batch_size = core.Shape.create(scope, source)[0]
zero = core.Fill.create(scope, core.Stack.create(scope, [batch_size, UNITS]), 0.0)
state: State = zero.expect(tg.TFloat32, (Batch, UNITS))
outputs: list[State] = []
for t in range(LENGTH):
    state = encoder.step(embedded[:, t], state)
    outputs.append(state)
memory = core.Stack.create(scope, outputs, axis=1)

previous = core.Fill.create(scope, core.ExpandDims.create(scope, batch_size, 0), START)
logits: list[tg.Operand[tg.TFloat32, tuple[Batch, Literal[6]]]] = []
alignments: list[tg.Operand[tg.TFloat32]] = []
for t in range(LENGTH):
    context, weights = attend(scope, state, memory)
    word = embedding.gather(scope, previous)
    state = decoder.step(core.Concat.create(scope, [word, context], 1), state)
    logits.append(core.Concat.create(scope, [state, context], 1) @ project)
    alignments.append(weights)
    previous = core.Gather.create(scope, target, t, 1) if t + 1 < LENGTH else previous
every = core.Stack.create(scope, logits, 1)
loss = losses.SparseCategoricalCrossentropy(from_logits=True)(scope, target, every)
guess = math.ArgMax.create(scope, every, 2, tg.TInt32)
right = math.Equal.create(scope, guess, target)
train_step = Adam(graph, config.rate).minimize(loss)


def batch(rng: np.random.Generator, size: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    digits = rng.integers(0, DIGITS, size=(size, LENGTH)).astype(np.int32)
    return digits, digits[:, ::-1].copy()


rng = np.random.default_rng(0)
with tg.Session(graph) as session:
    history: list[float] = []
    for _ in range(config.steps):
        inputs, reversed_inputs = batch(rng, config.batch_size)
        _, value = session.run((train_step, loss), {source: inputs, target: reversed_inputs})
        history.append(float(value))
    inputs, reversed_inputs = batch(rng, 8)
    hits, where = session.run(
        (right, core.Stack.create(scope, alignments, 1)), {source: inputs, target: reversed_inputs}
    )
assert history[-1] < history[0], history
assert hits.dtype == np.bool_
assert where.shape == (8, LENGTH, LENGTH)
