"""An Elman network that adds two binary numbers, with its parameters in a dict, trained by hand-written SGD."""

import tempfile
from pathlib import Path
from typing import NewType

import numpy as np

import typegrad as tg
from typegrad.op import core, math

Batch = NewType("Batch", int)
BITS = 6
HIDDEN = 12
RATE = 0.3

graph = tg.Graph(seed=0)
scope = tg.Scope(graph)


def init_params(scope: tg.Scope, rng: np.random.Generator) -> dict[str, tg.Variable[tg.TFloat32]]:
    def weight(name: str, *shape: int) -> tg.Variable[tg.TFloat32]:
        value = rng.normal(0.0, 0.4, shape).astype(np.float32)
        return tg.Variable.create(scope.with_name(name), value)

    return {
        "w_xh": weight("w_xh", 2, HIDDEN),
        "w_hh": weight("w_hh", HIDDEN, HIDDEN),
        "b_h": weight("b_h", HIDDEN),
        "w_hy": weight("w_hy", HIDDEN, 1),
        "b_y": weight("b_y", 1),
    }


Params = dict[str, tg.Variable[tg.TFloat32]]
Float = tg.Operand[tg.TFloat32]


def step(params: Params, h: Float, x: Float) -> tuple[Float, Float]:
    h = math.Tanh.create(scope, x @ params["w_xh"] + h @ params["w_hh"] + params["b_h"])
    y = h @ params["w_hy"] + params["b_y"]
    return h, y


def binary_cross_entropy(logits: Float, labels: Float) -> Float:
    positive = math.Softplus.create(scope, -logits) * labels
    negative = math.Softplus.create(scope, logits) * (1.0 - labels)
    return math.Mean.create(scope, positive + negative)


rng = np.random.default_rng(7)
params = init_params(scope, rng)
a = core.Placeholder.create(scope.with_name("a"), tg.TFloat32, (Batch, BITS))
b = core.Placeholder.create(scope.with_name("b"), tg.TFloat32, (Batch, BITS))
total = core.Placeholder.create(scope.with_name("total"), tg.TFloat32, (Batch, BITS))
inputs = core.Stack.create(scope, [a, b], axis=2)

h: tg.Operand[tg.TFloat32] = core.Fill.create(scope, [core.Shape.create(scope, a)[0], HIDDEN], 0.0)
outputs: list[tg.Operand[tg.TFloat32]] = []
for t in range(BITS):
    h, y = step(params, h, inputs[:, t])
    outputs.append(y)
logits = core.Concat.create(scope, outputs, 1)
loss = binary_cross_entropy(logits, total)

variables = list(params.values())
grads = tg.gradients(scope, loss, variables)
updates = [v.assign_sub(scope, RATE * g) for v, g in zip(variables, grads, strict=True) if g is not None]
norms = {name: math.Sqrt.create(scope, core.Sum.create(scope, v * v)) for name, v in params.items()}
correct = math.Equal.create(scope, logits > 0.0, total > 0.5)


def examples(count: int) -> tg.Feeds:
    n, m = rng.integers(0, 2 ** (BITS - 1), (2, count))
    bits = [((k[:, None] >> np.arange(BITS)) & 1).astype(np.float32) for k in (n, m, n + m)]
    return {a: bits[0], b: bits[1], total: bits[2]}


with tg.Session(graph) as session, tempfile.TemporaryDirectory() as folder:
    value = session.run(loss, examples(32))
    for _ in range(50):
        *_, value = session.run([*updates, loss], examples(32))
    print("loss", value.item())
    path = Path(folder) / "elman"
    session.save(path)
    before = session.value(params["w_hh"])
    session.run(updates, examples(32))
    session.restore(path)
    assert np.array_equal(before, session.value(params["w_hh"]))
    print({name: round(float(n), 2) for name, n in session.run(norms).items()})
    print("right bits:", session.run(correct, examples(100)).mean())
