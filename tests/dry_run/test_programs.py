"""Mistakes that no type tells, found where the program fails."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

DIFFER: Final = "inner dimensions differ"

WRONG: Final = {
    "arrays that a function makes": f"""
def weights(*sizes):
    return [np.ones(pair, np.float32) for pair in zip(sizes, sizes[1:])]
h = x
for w in weights(8, 4, 2):
    h = h @ w
h @ weights(3, 1)[0]  # E: {DIFFER}
""",
    "a closure that a function returns": f"""
def dense(inputs, units):
    w = tg.Variable.create(scope, np.zeros((inputs, units), np.float32))
    return lambda h: h @ w  # E: {DIFFER}
layers = {{name: dense(*sizes) for name, sizes in {{"a": (8, 4), "b": (5, 2)}}.items()}}
layers["b"](layers["a"](x))
""",
    "fields of records": f"""
from dataclasses import dataclass, replace
from typing import NamedTuple
import attrs
class Cell(NamedTuple):
    w: tg.Variable
@attrs.frozen
class Net:
    cell: Cell
    units: int = attrs.field(default=4)
@dataclass
class Config:
    units: int = 8
config = replace(Config(), units=3)
net = Net(Cell(tg.Variable.create(scope, np.zeros((8, config.units), np.float32))))
net.cell.w.read(scope) @ np.zeros((net.units, 2), np.float32)  # E: {DIFFER}
""",
    "a condition that is known": f"""
sizes = [8, 4, 2]
h = x
for i, size in enumerate(sizes[1:]):
    if i < len(sizes) - 2:
        h = math.Tanh.create(scope, h @ np.zeros((sizes[i], size), np.float32))
    else:
        h = h @ np.zeros((sizes[0], size), np.float32)  # E: {DIFFER}
""",
    "a key made of parts": """
params = {f"w{i}": tg.Variable.create(scope, np.zeros((8, 8), np.float32)) for i in range(2)}
for i in range(1, 3):
    x @ params[f"w{i}"]  # E: no key 'w2', but 'w0', 'w1'
""",
    "an index": """
hs = [x for _ in range(3)]
hs[3]  # E: list index out of range
""",
    "too many names": """
def both():
    return x, x * 2.0
a, b, c = both()  # E: not enough values to unpack (expected 3, got 2)
""",
    "a feed that a function makes": """
def feeds(rng, width):
    return {x: rng.normal(size=(16, width)).astype(np.float32)}
with tg.Session(scope.graph) as session:
    session.run(x, feeds(np.random.default_rng(0), 8))
    session.run(x, feeds(np.random.default_rng(0), 7))  # E: has shape [16, 7], which does not fit [Batch, 8]
""",
    "a feed that lacks": """
y = core.Placeholder.create(scope.with_name("y"), tg.TFloat32, (Batch, 8))
with tg.Session(scope.graph) as session:
    session.run(x + y, {x: np.zeros((2, 8), np.float32)})  # E: 'y:0'
""",
    "feeds that disagree": """
y = core.Placeholder.create(scope.with_name("y"), tg.TFloat32, (Batch, 8))
run = tg.Session(scope.graph).callable(x + y, [x, y])
run(np.zeros((2, 8), np.float32), np.zeros((3, 8), np.float32))  # E: dimension Batch is 2 in the feed
""",
    "a misspelt key": """
layers = {"dense": 4, "out": 2}
x @ np.zeros((8, layers["Dense"]))  # E: no key 'Dense'; did you mean 'dense'?
""",
    "a list of integers that are not known": """
ids = core.Placeholder.create(scope.with_name("ids"), tg.TInt32, (4,))
rng = np.random.default_rng(0)
lengths = []
for _ in range(4):
    lengths.append(int(rng.integers(2, 6)) + len(unknown.text) // 2)
session = tg.Session(scope.graph)
session.run(ids, {ids: lengths})
session.run(ids, {ids: np.array(lengths, np.int32)})
session.run(ids, {ids: np.array(lengths)})  # E: an array of int64 is not int32
""",
    "the last, smaller batch": """
from typegrad.training.data import Dataset
data = Dataset.from_arrays(np.zeros((50, 8), np.float32), np.zeros(50, np.int32)).shuffle(seed=0).batch(16)
y = core.Placeholder.create(scope.with_name("y"), tg.TInt32, (16,))
with tg.Session(scope.graph) as session:
    for epoch in range(2):
        for rows, labels in data.epoch(epoch):
            session.run([x, y], {x: rows, y: labels})  # E: has shape [2], which does not fit [16]
""",
    "the last, smaller batch of a training loop": """
from typegrad.training import fit
from typegrad.training.data import Dataset
from typegrad.training.optimizers import GradientDescent
z = core.Placeholder.create(scope.with_name("z"), tg.TFloat32, (16, 3))
w = tg.Variable.create(scope, np.zeros((3, 1), np.float32))
step = GradientDescent(scope.graph, 0.1).minimize(core.Sum.create(scope, z @ w))
with tg.Session(scope.graph) as session:
    rows = np.zeros((50, 3), np.float32)
    fit(session, step, Dataset.from_arrays(rows).batch(16, drop_remainder=True), (z,), epochs=2)
    fit(session, step, Dataset.from_arrays(rows).batch(16), (z,), epochs=2)  # E: [2, 3], which does not fit [16, 3]
""",
    "a variable that is to be restored": """
w = tg.Variable.create(scope.with_name("encoder"), [1.0, 2.0])
with tg.Session(scope.graph) as session:
    session.restore(unknown.path, names=["encoder"])
    session.restore(unknown.path, names=["decoder"])  # E: graph: 'decoder'; its variables are 'encoder'
""",
    "a block in which nothing comes after its control inputs": """
count = tg.Variable.create(scope, 0)
with scope.with_control_dependencies([count.assign_add(scope, 1)]) as after:
    core.Identity.create(after, x)
with scope.with_control_dependencies([count.assign_add(scope, 1)]):
    x * 2.0
with scope.with_control_dependencies([count.assign_add(scope, 1)]):  # E: nothing in this `with` block runs after
    core.Identity.create(scope, x)
""",
    "decompositions of matrices": """
rows = np.random.default_rng(0).normal(size=(40, 8))
_, _, axes = np.linalg.svd(rows - rows.mean(0), full_matrices=False)
values, vectors = np.linalg.eigh(np.cov(rows.T))
rows @ vectors @ np.linalg.inv(np.cov(rows.T)) @ axes.T[:, :3]
rows @ axes[:3]  # E: matmul: shapes [40, 8] and [3, 8] do not fit: 8 is not 3
""",
    "what a run returns": """
with tg.Session(scope.graph) as session:
    value = session.run(core.Sum.create(scope, x, 1), {x: np.zeros((2, 8), np.float32)})
    np.zeros((2, 8), np.float32) @ value  # E: matmul: shapes [2, 8] and [2] do not fit: 8 is not 2
""",
    "a number in the place of an array": """
with tg.Session(scope.graph) as session:
    loss, step = session.run(core.Sum.create(scope, x), {x: np.zeros((2, 8), np.float32)})  # E: a single number
""",
    "an array in the place of a number": """
with tg.Session(scope.graph) as session:
    loss = session.run(x * 2.0, {x: np.zeros((2, 8), np.float32)})
    print(float(loss[0, 0]), loss.mean().item(), loss.item(3), f"{loss.mean():.3f}")
    loss.item()  # E: item() is for an array of one element; take one of its elements, or their mean
""",
    "an array as a float": """
with tg.Session(scope.graph) as session:
    float(session.run(x, {x: np.zeros((2, 8), np.float32)}))  # E: only a single element is a number
""",
    "an array in a text": """
with tg.Session(scope.graph) as session:
    loss = session.run(x * 2.0, {x: np.zeros((2, 8), np.float32)})
    print(f"{loss}", f"{loss[0, 0]:.3f}")
    print(f"{loss:.3f}")  # E: an array has no format; take one of its elements, or their mean
""",
    "an array as a key": """
with tg.Session(scope.graph) as session:
    loss, seen = session.run(x * 2.0, {x: np.zeros((2, 8), np.float32)}), set()
    seen.add(loss.shape)
    seen.add(loss)  # E: unhashable type: 'numpy.ndarray'
""",
    "the larger of an array and a number": """
with tg.Session(scope.graph) as session:
    max(session.run(x, {x: np.zeros((2, 8), np.float32)}), 0.0)  # E: the truth of an array with several elements
""",
    "a session that is closed": """
with tg.Session(scope.graph) as session:
    session.run(x * 2.0, {x: np.zeros((2, 8), np.float32)})
session.run(x, {x: np.zeros((2, 8), np.float32)})  # E: this session is closed; open another one
""",
    "a variable without a value": """
w = tg.Variable.create(scope.with_name("w"), shape=(2, 3), dtype=tg.TFloat32)
v = tg.Variable.create(scope.with_name("v"), shape=(2, 3), dtype=tg.TFloat32)
set_v = v.assign(scope, np.zeros((2, 3), np.float32))
with tg.Session(scope.graph) as session:
    session.assign(w, np.zeros((2, 3), np.float32))
    session.run(set_v)
    session.run(w + v)
with tg.Session(scope.graph) as session:
    session.restore("model.safetensors")
    session.run(w * 2.0)
given = core.Placeholder.create(scope, tg.TFloat32, (2, 3))
set_w = w.assign(scope, given)
with tg.Session(scope.graph) as session:
    session.run([set_w, set_v], {given: np.load("w.npy")})
    session.run(w * v)
with tg.Session(scope.graph) as session:
    session.run(unknown.steps, {given: np.zeros((2, 3), np.float32)})
    session.run(w * v)
with tg.Session(scope.graph) as session:
    if unknown.is_new:
        session.run([set_w, set_v], {given: np.zeros((2, 3), np.float32)})
    session.run(w * v)
with tg.Session(scope.graph) as session:
    session.run(set_v)
    session.run([v])
    session.run(w * v)  # E: variable 'w' has no value yet; call session.assign
""",
    "a fetched variable without a value": """
v = tg.Variable.create(scope.with_name("v"), shape=(2, 3), dtype=tg.TFloat32)
def value():
    with tg.Session(scope.graph) as session:
        session.assign(v, np.zeros((2, 3), np.float32))
        return session.run({"v": v}), session.value(v)
value()
with tg.Session(scope.graph, auto_init=False) as session:
    session.run([v])  # E: variable 'v' has no value yet; call session.initialize(), or session.assign if
""",
    "the value of a variable without one": """
v = tg.Variable.create(scope.with_name("v"), shape=(2, 3), dtype=tg.TFloat32)
with tg.Session(scope.graph) as session:
    session.value(v)  # E: variable 'v' has no value yet; call session.assign
""",
    "the result of a custom gradient": f"""
@tg.custom_gradient
def scaled(scope, t):
    return t * 2.0, lambda scope, grad: grad
scaled(scope, x) @ np.zeros((4, 2), np.float32)  # E: {DIFFER}
""",
    "a custom gradient that hides a variable": """
w = tg.Variable.create(scope.with_name("w"), np.ones((8, 2), np.float32))
@tg.custom_gradient
def dense(scope, t):
    return t @ w, lambda scope, grad: grad
dense(scope, x)  # E: dense has a custom gradient, but depends on the variable 'w' otherwise than by its arguments
""",
    "a named tuple as a shape": f"""
from typing import NamedTuple
class Sizes(NamedTuple):
    inputs: int = 8
    outputs: int = 2
x @ np.zeros(Sizes(), np.float32)
x @ np.zeros(Sizes(inputs=4), np.float32)  # E: {DIFFER}
""",
    "members of enumerations": f"""
from enum import Enum
class Head(Enum):
    MEAN = 4
    FLAT = 8
for head in Head:
    match head:
        case Head.MEAN if head.value > 5:
            h = x @ np.zeros((5, 2), np.float32)
        case Head.FLAT:
            h = x @ np.zeros((8, head.value), np.float32)
        case _:
            h = x
sizes = [each.value for each in Head]
h @ np.zeros((sizes[0], 2), np.float32)  # E: {DIFFER}
""",
    "a session that initializes nothing": """
w = tg.Variable.create(scope.with_name("w"), [1.0, 2.0])
with tg.Session(scope.graph, auto_init=unknown.flag) as session:
    session.run(w * 2.0)
with tg.Session(scope.graph, auto_init=False) as session:
    session.initialize()
    session.run(w * 2.0)
with tg.Session(scope.graph, auto_init=False) as session:
    session.assign(w, [0.0, 0.0])
    session.run(w * 2.0)
with tg.Session(scope.graph, auto_init=False) as session:
    session.run(w * 2.0)  # E: variable 'w' has no value yet; call session.initialize(), or session.assign if
""",
    "labels of many rows that are out of range": """
labels = core.Placeholder.create(scope.with_name("labels"), tg.TInt32, (Batch,))
loss = nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, x, labels).loss
with tg.Session(scope.graph) as session:
    rows = np.repeat([0, 7, 8], 30).astype(np.int32)
    session.run(loss, {x: np.zeros((60, 8), np.float32), labels: rows[:60]})
    session.run(loss, {x: np.zeros((90, 8), np.float32), labels: rows})  # E: `labels[60]` is 8, but must be in [0, 8)
""",
    "labels in a feed that are out of range": """
labels = core.Placeholder.create(scope.with_name("labels"), tg.TInt32, (Batch,))
loss = nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, x, labels).loss
with tg.Session(scope.graph) as session:
    for rows in ([0, 7], [3, 3], np.arange(2, dtype=np.int32)):
        session.run(loss, {x: np.zeros((2, 8), np.float32), labels: rows})
    session.run(loss, {x: np.zeros((2, 8), np.float32), labels: [0, 8]})  # E: `labels[1]` is 8, but must be in [0, 8)
""",
    "data sets": """
from typegrad.training.data import Dataset
from typegrad.training import fit
data = Dataset.from_arrays(np.zeros((100, 7), np.float32), np.zeros(100, np.int32)).shuffle(seed=0).batch(20)
with tg.Session(scope.graph) as session:
    for rows, labels in data:
        session.run(x, {x: rows})  # E: has shape [20, 7], which does not fit [Batch, 8]
""",
    "the training loop": """
from typegrad.training.data import Dataset
from typegrad.training import fit
from typegrad.training.optimizers import Adam
w = tg.Variable.create(scope, np.zeros((8, 1), np.float32))
step = Adam(scope.graph, 0.1).minimize(math.Mean.create(scope, x @ w))
with tg.Session(scope.graph) as session:
    fit(session, step, Dataset.from_arrays(np.zeros((9, 8), np.float32)).batch(3), (x,), epochs=2)
    fit(session, step, Dataset.from_arrays(np.zeros((9, 8))).batch(3), (x,), epochs=2)  # E: an array of float64
""",
    "behind callbacks of the training loop": """
from typegrad.training.data import Dataset
from typegrad.training import fit
from typegrad.training.optimizers import Adam
class Model:
    def __init__(self):
        self.w = tg.Variable.create(scope, np.zeros((8, 1), np.float32))
        self.loss = math.Mean.create(scope, x @ self.w)
def main():
    model, rows, losses = Model(), np.zeros((9, 8), np.float32), []
    step = Adam(scope.graph, 0.1).minimize(model.loss)
    with tg.Session(scope.graph) as session:
        def after(progress):
            losses.append(session.run(model.loss, {x: rows}))
        fit(session, step, Dataset.from_arrays(rows).batch(3), (x,), epochs=2, after_epoch=after)
        session.run(model.loss, {x: rows})
        session.run(model.loss, {x: rows[0]})  # E: has shape [8], which does not fit [Batch, 8]
main()
""",
    "settings as text": f"""
import json
sizes = json.loads('{{"units": 4}}')
x @ np.zeros((8, sizes["units"]), np.float32) @ np.zeros((3, 1), np.float32)  # E: {DIFFER}
""",
    "a copy of settings by their text": f"""
import json
sizes = json.loads(json.dumps(dict(units=4)))
x @ np.zeros((8, sizes["units"]), np.float32) @ np.zeros((3, 1), np.float32)  # E: {DIFFER}
""",
    "a text without its indent": f"""
import textwrap
text = textwrap.dedent("    seven words\\n  two")
x @ np.zeros((len(text.splitlines()[0]), 2), np.float32)  # E: {DIFFER}
""",
    "a vocabulary of a text": f"""
import re
from collections import Counter
WORD = re.compile(r"[a-z]+(?:'[a-z]+)?", re.IGNORECASE)
words = re.findall(r"\\w+", "the cat and the dog".lower())
counts = Counter(match.group().lower() for match in WORD.finditer("The cat's dog, the dog's cat"))
def vector(n):
    return x @ np.zeros((8, n), np.float32) @ np.zeros((4, 1), np.float32)
vector(len(set(words)))
vector(len(counts) - 1)
x @ np.zeros((len(re.split(r"[ ,]+", "a, b c")), 1), np.float32)  # E: {DIFFER}
""",
    "attributes behind another class's method": f"""
from dataclasses import dataclass
@dataclass
class Base:
    size: int
    def __post_init__(self):
        self.half = self.size // 2
@dataclass
class Layer(Base):
    def __post_init__(self):
        super().__post_init__()
        self.double = self.half * 4
x @ np.zeros((Layer(8).double, 1), np.float32)  # E: {DIFFER}
""",
    "patterns that may take any time": """
import re
x @ np.zeros((len(re.findall(r"(a+)+b", "a" * 40)) + 2, 1), np.float32)
x @ np.zeros((len(re.findall(r"a*a*a*a*b", "a" * 900)) + 2, 1), np.float32)
x @ np.zeros((len(re.findall("a?" * 40 + "a" * 40, "a" * 39)) + 2, 1), np.float32)
x @ np.zeros((len(re.findall(r"\\w+", "a b " * 10**5)) + 2, 1), np.float32)
""",
    "iterators without an end": f"""
import itertools
h = x
for size, last in zip([8, 4], itertools.cycle([4, 2])):
    h = h @ np.zeros((size, last), np.float32)
for size, last in itertools.product([2], [8]):
    h @ np.zeros((last, size), np.float32)  # E: {DIFFER}
""",
    "an array of many numbers": """
numbers = np.array([number * 1000 for number in range(100)], np.int64)
with tg.Session(scope.graph) as session:
    session.run(x, {x: numbers.reshape(-1, 5)})  # E: array of int64 is not float32
""",
    "shapes that follow from feeds": """
z = core.Placeholder.create(scope.with_name("z"), tg.TFloat32, (None, 8))
with tg.Session(scope.graph) as session:
    session.run(z + np.zeros((5, 8), np.float32), {z: np.zeros((5, 8), np.float32)})
    session.run(z + np.zeros((5, 8), np.float32), {z: np.zeros((3, 8), np.float32)})  # E: do not broadcast: 3 and 5
""",
    "what a run returns for an unknown size": """
z = core.Placeholder.create(scope.with_name("z"), tg.TFloat32, (None, 8))
with tg.Session(scope.graph) as session:
    found = session.run(z * 2.0, {z: np.zeros((5, 8), np.float32)})
    np.linalg.norm(found, axis=1)
    np.linalg.norm(found, axis=2)  # E: axis 2 is out of bounds for array of dimension 2
""",
    "the result of a step": """
assignment = core.NoOp.create(scope)
with tg.Session(scope.graph) as session:
    nothing, value = session.run([assignment, core.Sum.create(scope, x)], {x: np.zeros((2, 8), np.float32)})
    print(f"{value:.3f}")
    print(f"{value:.3f} {nothing:.3f}")  # E: None has no format
""",
    "options of the command line": f"""
import argparse
def main(arguments=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--units", type=int, default=3)
    options = parser.parse_args(arguments)
    h = x @ np.zeros((8, options.units), np.float32)
    return h @ np.zeros((4, 1), np.float32)  # E: {DIFFER}
main(["--units", "4"])
main()
""",
    "functions of functions": f"""
from functools import partial, reduce
product = partial(linalg.MatMul.create, scope)
reduce(product, [np.zeros((8, 4), np.float32), np.zeros((4, 2), np.float32)], x)
reduce(product, [np.zeros((8, 4), np.float32), np.zeros((8, 2), np.float32)], x)  # E: {DIFFER}
""",
    "the truth of an operand": """
best = max([x, x * 2.0])  # E: has no truth value while the graph is built
""",
    "a function that is never called": f"""
def main() -> None:
    x @ np.zeros((4, 2), np.float32)  # E: {DIFFER}
def with_arguments(units: int = 4) -> None:
    x @ np.zeros((units, 2), np.float32)
""",
    "behind code that cannot be followed": f"""
for file in unknown.files():
    unknown.show(file)
try:
    rows = open("rows").read()
except OSError:
    rows = ""
if rows:
    print(len(rows))
x @ np.zeros((4, 2), np.float32)  # E: {DIFFER}
""",
}


@pytest.mark.parametrize("name", WRONG)
def test_a_mistake_is_found_where_the_program_fails(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, WRONG[name])
