"""Right programs, in which nothing is found, also where too little is known."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

RIGHT: Final = {
    "a key that is not known makes an item": """
import random
from collections import defaultdict
groups = defaultdict(list)
groups[random.randrange(5)].append(1)
x @ np.zeros((7 + len(groups), 1), np.float32)
print(1 / len(groups))
""",
    "classes that are registered": """
class Layer:
    registry = {}
    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        cls.registry[cls.__name__.lower()] = cls
class Dense(Layer): pass
x @ np.zeros((7 + len(Layer.registry), 1), np.float32)
Layer.registry["dense"]()
""",
    "an attribute of an object that may have changed": """
class Names:
    known = {}
def of(names):
    unknown.change(names)
    names.known["a"] = 8
names = Names()
of(names)
x @ np.zeros((Names.known["a"], 1), np.float32)
""",
    "polynomials of NumPy": """
from numpy.polynomial import Polynomial
p = Polynomial([1.0, 2.0])
x @ np.zeros((8, p.deriv(1)(np.linspace(-1, 1, 3)).size), np.float32)
""",
    "errors that are caught": """
from contextlib import suppress
try:
    x @ np.zeros((4, 2), np.float32)
except tg.ShapeError:
    print("as expected")
with suppress(tg.ShapeError):
    x @ np.zeros((4, 2), np.float32)
with unknown.raises(tg.ShapeError):
    x @ np.zeros((4, 2), np.float32)
""",
    "a branch that may not run": """
width = 4
if unknown.flag:
    width = 8
x @ np.zeros((width, 2), np.float32)
h = x
if unknown.flag:
    h = core.Concat.create(scope, [h, h], 1)
h @ np.zeros((16, 2), np.float32)
""",
    "a list that grows in a branch": """
layers = []
if unknown.flag:
    layers.append(np.zeros((8, 4), np.float32))
sizes = [layer.shape[1] for layer in layers]
x @ np.zeros((8, sizes[0]), np.float32)
""",
    "attributes that a branch assigns": """
class Net:
    def __init__(self):
        self.units = 4
        if unknown.flag:
            self.units = 8
        if unknown.flag:
            self.grow()
    def grow(self):
        self.more = 2
net = Net()
x @ np.zeros((net.units, 2), np.float32)
net.more + 1
""",
    "names that another function rebinds": """
width = 4
def widen():
    global width
    width = 8
if unknown.flag:
    widen()
unknown.call(widen)
x @ np.zeros((width, 2), np.float32)
""",
    "a loop of an unknown number of passes": """
h, width = x, 8
while unknown.busy():
    h = core.Concat.create(scope, [h, h], 1)
    width *= 2
for _ in unknown.items():
    width += 1
h @ np.zeros((width, 2), np.float32)
""",
    "a function that may return before": """
def width():
    if unknown.flag:
        return 8
    return 4
def narrow(h):
    for _ in unknown.items():
        return h
    return h[:, :4]
narrow(x) @ np.zeros((width(), 2), np.float32)
""",
    "what an unknown function changes": """
sizes = [4]
unknown.change(sizes)
x @ np.zeros((sizes[0], 2), np.float32)
params = {}
unknown.fill(params)
params["w"]
""",
    "sizes that depend on values": """
labels = np.random.default_rng(0).integers(0, 5, 100)
classes = int(labels.max()) + 1
kept = labels[labels > 2]
core.OneHot.create(scope, core.Constant.create(scope, labels), classes, 1.0, 0.0)
if len(kept) > 3:
    x @ np.zeros((8, 2), np.float32) if classes < 0 else None
""",
    "numbers that are not known": """
scale = float(np.random.default_rng(0).normal()) ** 2
h = x * scale + np.float32(np.ones(3).mean())
math.Sqrt.create(scope, h / max(scale, 1.0)) @ np.zeros((8, 1), np.float32)
f"{scale:.2f}".upper()
""",
    "arrays that are changed in place": """
table = np.zeros((4, 8), np.float32)
row = table[0]
row += 1.0
table[:, 1:] *= np.random.default_rng(0).normal(size=(4, 7)).astype(np.float32)
np.random.default_rng(0).shuffle(table)
x * row + table[3]
""",
    "generators that may yield more": """
def sizes():
    yield 8
    if unknown.flag:
        yield 2
    for _ in unknown.items():
        yield 3
x @ np.zeros((len(list(sizes())) + 7, 2), np.float32) if unknown.flag else None
a, b = sizes()
""",
    "functions that are not written": """
def load(name): ...
class Loader:
    def load(self):
        "Load."
        ...
x @ load("w") @ Loader().load()
""",
    "classes of other libraries": """
class Model(unknown.Base):
    def __init__(self):
        super().__init__()
        self.w = tg.Variable.create(scope, np.zeros((8, 2), np.float32))
    def __call__(self, h):
        return self.activation(h @ self.w)
model = Model()
model(x)
hasattr(model, "activation") or x @ model
""",
    "in place operators of one's own": """
class Total:
    def __init__(self):
        self.parts = []
    def __iadd__(self, part):
        self.parts.append(part)
        return self
total = Total()
total += x
total += x
math.AddN.create(scope, total.parts)
""",
    "a module that ends": """
import sys
def main():
    return 0
if __name__ == "__main__":
    raise SystemExit(main())
x @ np.zeros((3, 3), np.float32)
""",
    "a block in which something may come after its control inputs": """
count = tg.Variable.create(scope, 0)
with scope.with_control_dependencies([count.assign_add(scope, 1)]) as after:
    y = core.Identity.create(after if unknown.flag else scope, x)
with scope.with_control_dependencies([count.assign_add(scope, 1)]) as after:
    core.Identity.create(scope, x)
    if unknown.flag:
        core.Identity.create(after, x)
with scope.with_control_dependencies([count.assign_add(scope, 1)]) as after:
    core.Identity.create(scope, x)
    unknown.build(after)
""",
    "integers that are not known": """
n = int(np.random.default_rng(0).integers(2, 6))
halves = np.full(8, 0.5, np.float32)
def fed(value):
    return tg.Session(scope.graph).run(x, {x: value[None]})
fed(halves * n + (n // 2 - n % 3 + abs(-n)) * 2)
fed(halves * (n / 2) + sum([n, n, 1]))
fed(halves * max(n, 2))
fed(np.array([n] * 8, np.float32) * n)
fed(halves.reshape(2, n, 2)[0, 0, :1].repeat(8)) if n == 2 else fed(halves[: n + 8])
fed(halves * 2**-n)
np.zeros((n, 3)) + np.zeros(3)
f"{n:02d}", n.bit_length(), {n: 1}, [0] * n, list(range(n)), isinstance(n, int) or 1 / 0
match n:
    case int():
        size = 8
    case _:
        size = 3
x @ np.zeros((size, 2), np.float32)
""",
    "a deque of numbers that are not known": """
from collections import deque
totals = deque()
for reward in (float(np.random.default_rng(0).random()), 2.0):
    totals.appendleft(reward * 0.9)
x * np.array(totals, np.float32)[:1]
""",
    "iterators of the program": """
class Loader:
    def __iter__(self):
        self.left = 2
        return self
    def __next__(self):
        if not self.left:
            raise StopIteration
        self.left -= 1
        return np.zeros((3, 8), np.float32)
    def __len__(self):
        return 2
loader = Loader()
batches = list(loader)
next(iter(loader))
for batch in loader:
    tg.Session(scope.graph).run(x, {x: batch})
np.zeros((len(loader), 3)) @ np.zeros((3, len(batches)))
""",
    "annotations that make no field": """
from dataclasses import KW_ONLY, InitVar, dataclass, field
from typing import ClassVar
@dataclass(slots=True)
class Layer:
    made: ClassVar[int] = 0
    units: int = 4
    factor: InitVar[int] = 2
    wide: int = field(init=False)
    _: KW_ONLY
    bias: bool = True
    def __post_init__(self, factor: int) -> None:
        type(self).made += 1
        self.wide = self.units * factor
x @ np.zeros((Layer(4, 2, bias=False).wide, Layer.made), np.float32)
""",
    "matches of arrays and operands": """
def kind(value):
    match value:
        case np.ndarray(shape=(n,)):
            return n
        case tg.Operand() | np.ndarray():
            return 8
for value in (np.zeros(8), np.random.default_rng(0).normal(size=(8,)), np.zeros((2, 2)), x):
    x @ np.zeros((kind(value), 1), np.float32)
""",
    "data sets that are too large to be looked at": """
from typegrad.training.data import Dataset
z = core.Placeholder.create(scope.with_name("z"), tg.TFloat32, (2, 8))
with tg.Session(scope.graph) as session:
    for rows in Dataset.from_arrays(np.zeros((2001, 8), np.float32)).batch(2):
        if len(rows) == 2:
            session.run(z, {z: rows})
""",
    "attributes of functions": """
def layer(h):
    layer.calls += 1
    return h
layer.calls = 0
layer(layer(x))
[x] * layer.calls
""",
}


@pytest.mark.parametrize("name", RIGHT)
def test_nothing_is_found(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, RIGHT[name])
