"""What one cell of a notebook does to the others, where that is right: a later one defines names anew."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from support.notebooks import FIRST, check, parted

RIGHT: Final = {
    "a function is called before and after": """\
def layer(x: F) -> F:
    return x + 1.0
def model(x: F) -> F:
    return layer(x)
y = model(x)
# %%
def layer(x: F, rate: float = 1.0) -> F:
    return x * rate
y = layer(x, 2.0)
y = model(x)
""",
    "others may call the function around, when it is defined anew": """\
def add(a: int) -> int:
    return a
def both() -> int:
    return add(1, 2)
handlers = [both]
# %%
def add(a: int, b: int) -> int:
    return a + b
handlers[0]()
""",
    "others may call the function around, before it is defined anew": """\
def add(a: int) -> int:
    return a
def one() -> int:
    return add(1)
handlers = [one]
handlers[0]()
# %%
def add(a: int, b: int) -> int:
    return a + b
add(1, 2)
""",
    "methods call it": """\
def add(a: int) -> int:
    return a
class Model:
    def run(self) -> int:
        return add(1)
Model().run()
# %%
def add(a: int, b: int) -> int:
    return a + b
class Model:
    def run(self) -> int:
        return add(1, 2)
    def more(self) -> int:
        return 3
model = Model()
print(model.more(), model.run())
""",
    "functions that return different things": """\
def scale(a: int) -> int:
    return a
def shown() -> None:
    print(scale(1))
for each in [shown]:
    each()
# %%
def scale(a: int) -> str:
    return str(a)
for each in [shown]:
    each()
print(scale(2).upper())
""",
    "a class is derived from the one before": """\
class Model:
    def run(self) -> int:
        return 1
# %%
class Model(Model):
    def more(self) -> int:
        return self.run() + 1
Model().more()
""",
    "dataclasses in annotations": """\
from dataclasses import dataclass
@dataclass
class Config:
    width: int = 3
config = Config(4)
# %%
@dataclass
class Config:
    width: int = 3
    depth: int = 2
config: Config = Config(4, depth=3)
def build(config: Config, *others: list[Config]) -> int:
    last: Config = config
    return last.width * last.depth
build(config)
""",
    "objects that are older than their class": """\
class Config:
    def __init__(self, width: int) -> None:
        self.width = width
    @staticmethod
    def smallest() -> "Config":
        return Config(1)
old = Config(3)
def width(config: Config) -> int:
    return config.width
def grown(config: "Config") -> Config:
    made: Config = Config(config.width + 1)
    return made
configs = [old, grown(old)]
width(old)
# %%
class Config:
    def __init__(self, width: int) -> None:
        self.width = width
        self.depth = 2
def depth(config: Config) -> int:
    return getattr(config, "depth", 0)
depth(old)
configs.append(Config(4))
# %%
class Config:
    def __init__(self, width: int, height: int = 1) -> None:
        self.width = width
        self.depth = height
print(width(Config(4)), grown(Config(3)).depth, isinstance(old, Config))
""",
    "aliases, in the same words and in others": """\
import numpy.typing as npt
from typing import Any, TypeAlias
Floats = npt.NDArray[np.float32]
Rows: TypeAlias = list[int]
Either = tuple[int, ...] | None
Model = dict
def total(values: Floats, rows: Rows, either: Either) -> float:
    return float(values.sum()) + sum(rows) + len(either or ())
total(np.zeros(3, np.float32), [1], None)
# %%
Floats = npt.NDArray[np.float32]
Rows: TypeAlias = list[float]
Either = tuple[str, ...] | None
def total(values: Floats, rows: Rows, either: Either) -> float:
    return float(values.sum()) + sum(rows) + len("".join(either or ()))
total(np.zeros(3, np.float32), [1.5], ("a",))
""",
    "a size and a type variable in the same words": """\
from typing import NewType, TypeVar
Batch = NewType("Batch", int)
T = TypeVar("T", bound=tg.TFloating)
a = core.Placeholder.create(scope, tg.TFloat32, (Batch, 3))
def twice(x: tg.Operand[T]) -> tg.Operand[T]:
    return x * 2.0
# %%
Batch = NewType("Batch", int)
T = TypeVar("T", bound=tg.TNumber)
b = core.Placeholder.create(scope, tg.TFloat32, (Batch, 3))
def twice(x: tg.Operand[T]) -> tg.Operand[T]:
    return x + x
c = twice(a + b)
""",
    "the name of the function is one of its result": """\
def loss(y: F) -> F:
    return math.Mean.create(scope, math.Square.create(scope, y))
first = loss(x)
# %%
loss = loss(x)
g = tg.grad(scope, loss, x)
# %%
loss = math.Mean.create(scope, x)
""",
    "a function has the name of a value, and of an import": """\
from math import sqrt
import json as step
print(sqrt(2.0), step.dumps(1))
# %%
step = 3
def sqrt(x: F) -> F:
    return math.Sqrt.create(scope, x)
print(step + 1, sqrt(x))
# %%
def step(a: int) -> int:
    return a
step(2)
""",
    "decorators and overloads": """\
import functools
from typing import overload
@overload
def one(a: int) -> int: ...
@overload
def one(a: str) -> str: ...
def one(a: int | str) -> int | str:
    return a
@functools.lru_cache
def add(n: int) -> int:
    return n
print(add(1), one("a").upper())
# %%
def one(a: int) -> int:
    return a
@functools.lru_cache
def add(n: int, m: int) -> int:
    return n + m
print(add(1, 2), one(1))
# %%
add = functools.partial(add, 3)
add(2)
""",
    "declarations again": """\
with tg.Session(scope.graph) as session:
    history: list[float] = []
    history.append(1.0)
best: int | None = None
# %%
with tg.Session(scope.graph) as session:
    history: list[float] = []
    for _ in range(2):
        history.append(2.0)
best: int | None = 3
# %%
best: str = "a"
print(best.upper(), history[0])
""",
    "a function calls itself": """\
def factorial(n: int) -> int:
    return 1 if n == 0 else n * factorial(n - 1)
factorial(3)
# %%
def factorial(n: int, product: int = 1) -> int:
    return product if n == 0 else factorial(n - 1, product * n)
factorial(3)
""",
    "local names": """\
def f(a: int) -> int:
    return a
def g(f: int) -> int:
    return f + 1
def h() -> int:
    f = 3
    return f + 1
class C:
    f = 3
    g = f + 1
print([f + 1 for f in range(3)], {f: f + 1 for f in range(3)}, g(1), h(), (lambda f: f + 1)(2))
# %%
def f(a: str) -> str:
    return a
f("a")
""",
    "a function that trains": """\
w = tg.Variable.create(scope, np.zeros((3, 1), np.float32))
def forward(x: F) -> F:
    return x @ w
def train(steps: int) -> None:
    loss = math.Mean.create(scope, math.Square.create(scope, forward(x)))
    step = tg.optimizers.GradientDescent(scope.graph, 0.1).minimize(loss)
    with tg.Session(scope.graph) as session:
        for _ in range(steps):
            session.run(step, {x: np.zeros((4, 3), np.float32)})
train(2)
# %%
b = tg.Variable.create(scope, np.zeros((1,), np.float32))
def forward(x: F) -> F:
    return x @ w + b
train(2)
# %%
def train(steps: int, rate: float) -> float:
    loss = math.Mean.create(scope, math.Square.create(scope, forward(x)))
    step = tg.optimizers.GradientDescent(scope.graph, rate).minimize(loss)
    with tg.Session(scope.graph) as session:
        for _ in range(steps):
            session.run(step, {x: np.zeros((4, 3), np.float32)})
        return float(session.run(loss, {x: np.zeros((4, 3), np.float32)}))
print(train(2, 0.1))
""",
    "a function binds names of the module": """\
def reset_graph(seed: int) -> None:
    global new_graph, new_scope
    new_graph = tg.Graph(seed=seed)
    new_scope = tg.Scope(new_graph)
reset_graph(1)
v = tg.Variable.create(new_scope, 3.0)
# %%
reset_graph(2)
v = tg.Variable.create(new_scope, np.ones((2, 3), np.float32))
with tg.Session(new_graph) as session:
    print(session.run(v * 2.0))
""",
}  # fmt: skip
"""Notebooks that run to their end."""


def test_a_later_cell_may_define_a_name_anew(tmp_path: Path, cache: Path) -> None:
    names = [f"{name.replace(' ', '_')}.ipynb" for name in RIGHT]
    for name, text in zip(names, RIGHT.values(), strict=True):
        (tmp_path / name).write_text(parted(text))
    done = check(tmp_path, cache, *names, "--", "--no-error-summary")
    assert done.stdout == ""


@pytest.mark.parametrize("name", RIGHT)
def test_such_notebooks_run(name: str) -> None:
    exec(compile(FIRST + RIGHT[name], name, "exec"), {"__name__": "__main__"})
