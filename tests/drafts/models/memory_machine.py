"""A network with an external memory, addressed by content, as in a neural Turing machine."""

from dataclasses import dataclass
from typing import Literal, NewType

import numpy as np

import typegrad as tg
from typegrad.functions import l2_normalize, sigmoid_cross_entropy
from typegrad.op import core, linalg, math, nn
from typegrad.training.optimizers import RMSProp

Batch = NewType("Batch", int)
SLOTS = 16
CELL = 8
BITS = 6
HIDDEN = 24
LENGTH = 4

Vector = tg.Operand[tg.TFloat32, tuple[Batch, Literal[8]]]
Memory = tg.Operand[tg.TFloat32, tuple[Batch, Literal[16], Literal[8]]]
Weighting = tg.Operand[tg.TFloat32, tuple[Batch, Literal[16]]]
Hidden = tg.Operand[tg.TFloat32, tuple[Batch, Literal[24]]]
Bits = tg.Operand[tg.TFloat32, tuple[Batch, Literal[6]]]


@dataclass(frozen=True)
class State:
    """What passes from step to step."""

    memory: Memory
    read: Vector
    hidden: Hidden


class Linear:
    """An affine map."""

    def __init__(self, scope: tg.Scope, inputs: int, outputs: int) -> None:
        values = np.random.default_rng(inputs).normal(0, inputs**-0.5, (inputs, outputs))
        self.w = tg.Variable.create(scope.with_name("w"), values.astype(np.float32))
        self.b = tg.Variable.create(scope.with_name("b"), np.zeros(outputs, np.float32))

    def __call__(self, x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
        return x @ self.w + self.b


class Machine:
    """The controller and its heads."""

    def __init__(self, scope: tg.Scope) -> None:
        self.scope = scope
        self.controller = Linear(scope.with_sub_scope("controller"), BITS + CELL + HIDDEN, HIDDEN)
        self.key = Linear(scope.with_sub_scope("key"), HIDDEN, CELL)
        self.sharpness = Linear(scope.with_sub_scope("sharpness"), HIDDEN, 1)
        self.erase = Linear(scope.with_sub_scope("erase"), HIDDEN, CELL)
        self.add = Linear(scope.with_sub_scope("add"), HIDDEN, CELL)
        self.out = Linear(scope.with_sub_scope("out"), HIDDEN + CELL, BITS)

    def address(self, memory: Memory, hidden: Hidden) -> Weighting:
        scope = self.scope
        key = l2_normalize(scope, self.key(hidden), 1).expect(tg.TFloat32, (Batch, CELL))
        similarity = linalg.Einsum.create(scope, [l2_normalize(scope, memory, 2), key], "bsc,bc->bs")
        beta = 1.0 + math.Softplus.create(scope, self.sharpness(hidden))
        return nn.Softmax.create(scope, beta * similarity)

    def step(self, state: State, x: Bits) -> tuple[State, Bits]:
        scope = self.scope
        joined = core.Concat.create(scope, [x, state.read, state.hidden], 1)
        hidden = math.Tanh.create(scope, self.controller(joined)).expect(tg.TFloat32, (Batch, HIDDEN))
        focus = self.address(state.memory, hidden)
        erase = math.Sigmoid.create(scope, self.erase(hidden))
        add = math.Tanh.create(scope, self.add(hidden))
        kept = 1.0 - linalg.Einsum.create(scope, [focus, erase], "bs,bc->bsc")
        memory = state.memory * kept + focus[:, :, None] * add[:, None, :]
        read = linalg.Einsum.create(scope, [self.address(memory, hidden), memory], "bs,bsc->bc")
        logits = self.out(core.Concat.create(scope, [hidden, read], 1))
        return State(memory, read, hidden), logits.expect(tg.TFloat32, (Batch, BITS))


graph = tg.Graph(seed=5)
scope = tg.Scope(graph)
inputs = core.Placeholder.create(scope, tg.TFloat32, (Batch, LENGTH, BITS))
batch = core.Shape.create(scope, inputs)[0]
start = tg.Variable.create(scope, np.full((SLOTS, CELL), 1e-3, np.float32))
ones = core.Reshape.create(scope, core.Sum.create(scope, inputs * 0.0, (1, 2)) + 1.0, (-1, 1))
state = State(
    memory=start * ones[:, :, None],
    read=ones * np.zeros(CELL, np.float32),
    hidden=ones * np.zeros(HIDDEN, np.float32),
)
machine = Machine(scope.with_sub_scope("machine"))
for t in range(LENGTH):
    state, _ = machine.step(state, inputs[:, t])
answers: list[Bits] = []
for _ in range(LENGTH):
    state, logits = machine.step(state, tg.functions.zeros(scope, (1, BITS)) * ones)
    answers.append(logits)
predicted = core.Stack.create(scope, answers, axis=1)
loss = math.Mean.create(scope, sigmoid_cross_entropy(scope, labels=inputs, logits=predicted))
wrong = math.NotEqual.create(scope, predicted > 0.0, inputs > 0.5)
step = RMSProp(graph, 1e-3, momentum=0.9).minimize(loss)

bits = np.random.default_rng(0).integers(0, 2, (5, LENGTH, BITS)).astype(np.float32)
with tg.Session(graph) as session:
    session.run(step, {inputs: bits})
    value, errors, count = session.run((loss, wrong, batch), {inputs: bits})
    print(float(value), int(errors.sum()), int(count))
