"""Objects with open shapes: what their methods return follows from the bodies, and from what constructors assign."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from mypy_plugin.checking import check

HEADER: Final = """\
from typing import Any, Literal, NewType

import numpy as np

import typegrad as tg
from typegrad.op import core, math, nn

Batch = NewType("Batch", int)
F32 = tg.TFloat32
WIDTH = 16
scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, F32, (Batch, 8))
"""

PROGRAMS: Final = {
    "methods": """
class Linear:
    def __init__(self, inputs: int, outputs: int) -> None:
        self.w = tg.Variable.create(scope, np.zeros((inputs, outputs), np.float32))
        self.units = outputs
    def __call__(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        reveal_type(self.w)  # R: Variable[TFloat32, tuple[Any, Any]]
        return x @ self.w + self.bias()
    def bias(self) -> tg.Operand[F32]:
        return tg.functions.zeros(scope, (self.units,))
class Model:
    def __init__(self) -> None:
        self.first, self.second = Linear(8, WIDTH), Linear(WIDTH, 2)
    def __call__(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        return self.second(self.first(x))
first, second = Linear(8, 6), Linear(4, 3)
reveal_type(first(x))  # R: Operand[TFloat32, tuple[Batch, Literal[6]]]
reveal_type(Model()(x))  # R: Operand[TFloat32, tuple[Batch, Literal[2]]]
second(first(x))  # E: MatMul: inner dimensions differ: a is [Batch, 6], b is [4, 3]; in Linear.__call__, line 20  [typegrad-shape]
""",
    "constructors": """
class Base:
    def __init__(self, n: int) -> None:
        self.w = tg.Variable.create(scope, np.zeros((n, n), np.float32))
        self.y = self.w @ np.zeros((3, 2), np.float32)
class Below(Base): ...
class Other(Base):
    def __init__(self) -> None:
        super().__init__(4)
class Own(Base):
    def __new__(cls, n: int) -> Any:
        return n
class Meta(type):
    def __call__(cls, *args: Any) -> Any:
        return args
class OfMeta(Base, metaclass=Meta): ...
def of_any(kind: type[Base]) -> None:
    kind(4)
Base(3)
Base(4)  # E: MatMul: inner dimensions differ: a is [4, 4], b is [3, 2]; in Base.__init__, line 17  [typegrad-shape]
Below(4)  # E: MatMul: inner dimensions differ: a is [4, 4], b is [3, 2]; in Base.__init__, line 17  [typegrad-shape]
Own(4)
OfMeta(4)
of_any(Below)
""",
    "a constructor of any number of sizes": """
class Layers:
    def __init__(self, first: int, *sizes: tuple[int, int], seed: int = 0) -> None:
        self.last = tg.Variable.create(scope, np.zeros(sizes[-1], np.float32))
    def __call__(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        return x @ self.last
two = Layers(1, (8, 4), (8, 2), seed=3)
reveal_type(two(x))  # R: Operand[TFloat32, tuple[Batch, Literal[2]]]
""",
    "fields": """
from dataclasses import dataclass
@dataclass
class Layer:
    w: tg.Variable[F32]
    def run(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        return x @ self.w
@dataclass
class Changing:
    w: tg.Variable[F32]
    def run(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        return x @ self.w
    def change(self, w: tg.Variable[F32]) -> None:
        self.w = w
def weights(n: int) -> tg.Variable[F32]:
    return tg.Variable.create(scope, np.zeros((n, 3), np.float32))
def use(layer: Layer) -> None: ...
first = Layer(weights(8))
reveal_type(first.run(x))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
second = Layer(weights(9))
second.run(x)  # E: MatMul: inner dimensions differ: a is [Batch, 8], b is [9, 3]; in Layer.run, line 19  [typegrad-shape]
third = Layer(weights(8))
use(third)
reveal_type(third.run(x))  # R: Operand[TFloat32, tuple[Any, ...]]
reveal_type(Changing(weights(8)).run(x))  # R: Operand[TFloat32, tuple[Any, ...]]
reveal_type(Layer(weights(8)).run(x))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
fourth = Changing(weights(8))
reveal_type(fourth.run(x))  # R: Operand[TFloat32, tuple[Any, ...]]
""",
    "objects that are passed": """
from dataclasses import dataclass
@dataclass(frozen=True)
class Config:
    width: int = 3
    rate: float = 0.1
@dataclass
class Changing:
    width: int = 3
class Model:
    def __init__(self, config: Config) -> None:
        self.config = config
        self.w = self.matrix(8)
        self.v = tg.Variable.create(scope, np.zeros((8, config.width), np.float32))
    def matrix(self, rows: int) -> tg.Variable[F32, tuple[int, int]]:
        return tg.Variable.create(scope, np.zeros((rows, self.config.width), np.float32))
    def __call__(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        return x @ self.w + x @ self.v
    def wide(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        return x @ tg.Variable.create(scope, np.zeros((8, self.config.width), np.float32))
def dense(config: Config, x: tg.Operand[F32]) -> tg.Operand[F32]:
    return Model(config)(x)
def changed(config: Changing, x: tg.Operand[F32]) -> tg.Operand[F32]:
    return x @ tg.Variable.create(scope, np.zeros((8, config.width), np.float32))
config, wide, changing = Config(), Config(width=5), Changing()
reveal_type(Model(config)(x))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
model = Model(wide)
reveal_type(model(x))  # R: Operand[TFloat32, tuple[Batch, Literal[5]]]
reveal_type(model.wide(x))  # R: Operand[TFloat32, tuple[Batch, Literal[5]]]
reveal_type(dense(wide, x))  # R: Operand[TFloat32, tuple[Batch, Literal[5]]]
reveal_type(changed(changing, x))  # R: Operand[TFloat32, tuple[Batch, Any]]
""",
    "what runs after a constructor": """
from dataclasses import InitVar, dataclass
@dataclass
class Layer:
    units: int = 4
    def __post_init__(self) -> None:
        self.w = tg.Variable.create(scope, np.zeros((8, self.units), np.float32))
        self.y = x @ self.w @ np.zeros((4, 2), np.float32)
    def __call__(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        return x @ self.w
@dataclass
class WithMore:
    more: InitVar[int]
    def __post_init__(self, more: int) -> None:
        self.w = tg.Variable.create(scope, np.zeros((8, more), np.float32))
    def __call__(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        return x @ self.w
layer, more = Layer(), WithMore(3)
reveal_type(layer(x))  # R: Operand[TFloat32, tuple[Batch, Literal[4]]]
reveal_type(more(x))  # R: Operand[TFloat32, tuple[Batch, Any]]
Layer(5)  # E: MatMul: inner dimensions differ: a is [Batch, 5], b is [4, 2]; in Layer.__post_init__, line 20  [typegrad-shape]
""",
    "of a base class": """
class Base:
    def dense(self, x: tg.Operand[F32], inputs: int, units: int) -> tg.Operand[F32]:
        return x @ tg.Variable.create(scope, np.zeros((inputs, units), np.float32))
    def act(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        return nn.Relu.create(scope, x)
class Below(Base):
    def __call__(self) -> None:
        reveal_type(self.dense(x, 8, 5))  # R: Operand[TFloat32, tuple[Batch, Literal[5]]]
        reveal_type(self.act(x))  # R: Operand[TFloat32, tuple[Any, ...]]
class Lowest(Below):
    def act(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        return x[0]
def given(any_base: Base) -> None:
    reveal_type(any_base.act(x))  # R: Operand[TFloat32, tuple[Any, ...]]
below = Below()
reveal_type(below.act(x))  # R: Operand[TFloat32, tuple[Any, ...]]
reveal_type(Lowest().act(x))  # R: Operand[TFloat32, tuple[Literal[8]]]
""",
    "sizes of variables": """
class Mixer:
    def __init__(self, units: int) -> None:
        self.w = self.matrix(8, 2 * units)
        self.several = [self.matrix(8, units) for _ in range(2)]
    def matrix(self, rows: int, columns: int) -> tg.Variable[F32, tuple[int, int]]:
        return tg.Variable.create(scope, tg.functions.truncated_normal(scope, (rows, columns), stddev=rows**-0.5))
    def __call__(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        for w in self.several:
            y = x @ w
        return core.Concat.create(scope, [y, x @ self.w], 1)
mixer = Mixer(4)
reveal_type(mixer.matrix(8, 3))  # R: Variable[TFloat32, tuple[int, int]]
reveal_type(mixer(x))  # R: Operand[TFloat32, tuple[Batch, Literal[12]]]
def needs(several: list[tg.Variable[F32, tuple[int, int]]]) -> None:
    several.append(mixer.matrix(1, 2))
several = [mixer.matrix(8, 2), mixer.matrix(8, 2)]
needs(several)
""",
    "containers of objects and variables": """
from typing import Sequence
class Linear:
    def __init__(self, inputs: int, outputs: int) -> None:
        self.w = tg.Variable.create(scope, np.zeros((inputs, outputs), np.float32))
        self.bias = {"zero": tg.functions.zeros(scope, (outputs,)), "one": tg.functions.zeros(scope, (1,))}
    def __call__(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        return x @ self.w + self.bias["zero"] + self.bias["one"]
class Network:
    def __init__(self, sizes: list[int]) -> None:
        self.layers = [Linear(n, m) for n, m in zip(sizes[:-1], sizes[1:], strict=True)]
        self.weights = [tg.functions.zeros(scope, (i + 2, m)) for i, m in enumerate(sizes)]
    def __call__(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        for layer in self.layers:
            x = layer(x)
        return x
    def first(self) -> tg.Operand[F32]:
        return self.weights[0]
    def last(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        *inner, last = self.layers
        for layer in inner:
            x = layer(x)
        return last(x)
network = Network([8, 3, 4])
reveal_type(network(x))  # R: Operand[TFloat32, tuple[Batch, Literal[4]]]
reveal_type(network.first())  # R: Operand[TFloat32, tuple[Literal[2], Literal[8]]]
reveal_type(Network([8, 2])(x))  # R: Operand[TFloat32, tuple[Batch, Literal[2]]]
layers = [Linear(8, 3), Linear(3, 5)]
y: tg.Operand[F32] = x
for layer in layers:
    y = layer(y)
reveal_type(y)  # R: Operand[TFloat32, tuple[Batch, Literal[5]]]
def through(x: tg.Operand[F32], several: Sequence[tg.Variable[F32]]) -> tg.Operand[F32]:
    first, second = several
    return x @ first @ second
def grown(x: tg.Operand[F32], several: list[tg.Variable[F32]]) -> tg.Operand[F32]:
    several.append(several[0])
    return x @ several[1]
w83 = tg.Variable.create(scope, np.zeros((8, 3), np.float32))
w32 = tg.Variable.create(scope, np.zeros((3, 2), np.float32))
reveal_type(through(x, [w83, w32]))  # R: Operand[TFloat32, tuple[Batch, Literal[2]]]
through(x, [w83, w83])  # E: MatMul: inner dimensions differ: a is [Batch, 3], b is [8, 3]; linalg.MatMul with transpose_b=True would fit; in through, line 47  [typegrad-shape]
reveal_type(grown(x, [w32]))  # R: Operand[TFloat32, tuple[Any, ...]]
class Growing:
    def __init__(self) -> None:
        self.layers = [Linear(8, 3)]
    def __call__(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        for layer in self.layers:
            x = layer(x)
        return x
    def add(self, layer: Linear) -> None:
        self.layers.append(layer)
reveal_type(Growing()(x))  # R: Operand[TFloat32, tuple[Batch, Any]]
""",
    "constructors of base classes": """
class Base:
    def __init__(self, n: int) -> None:
        self.w, self.y = tg.Variable.create(scope, np.zeros((8, n), np.float32)), x * 2.0
class Below(Base):
    def __init__(self) -> None:
        super().__init__(n=4)
class Further(Below):
    def __init__(self) -> None:
        print("before")
        super().__init__()
class Again(Base):
    def __init__(self) -> None:
        super().__init__(4)
        self.y = x[:, :1]
class Sometimes(Base):
    def __init__(self, n: int) -> None:
        if n:
            super().__init__(n)
reveal_type(Below().w)  # R: Variable[TFloat32, tuple[Literal[8], Literal[4]]]
reveal_type(Further().w)  # R: Variable[TFloat32, tuple[Literal[8], Literal[4]]]
reveal_type(Again().w)  # R: Variable[TFloat32, tuple[Literal[8], Literal[4]]]
reveal_type(Again().y)  # R: Operand[TFloat32, tuple[Any, ...]]
reveal_type(Sometimes(4).w)  # R: Variable[TFloat32, tuple[Literal[8], Any]]
class Root:
    def __init__(self, n: int) -> None:
        self.v = tg.Variable.create(scope, np.zeros((8, n), np.float32))
class Left(Root):
    def __init__(self) -> None:
        super().__init__(4)
class Right(Root):
    def __init__(self, n: int) -> None:
        super().__init__(7)
class Both(Left, Right): ...  # whose Left calls the constructor of Right
reveal_type(Both().v)  # R: Variable[TFloat32, tuple[Literal[8], Any]]
reveal_type(Left().v)  # R: Variable[TFloat32, tuple[Literal[8], Any]]
""",
    "one error for one mistake": """
import dataclasses
class Norm:
    def __init__(self, n: int) -> None:
        self.gain = tg.Variable.create(scope, np.ones(n, np.float32))
    def __call__(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        return (x - math.Mean.create(scope, x, 1)) * self.gain
first, second = Norm(8), Norm(8)
first(x)  # E: Sub: shapes [Batch, 8] and [Batch] do not broadcast: 8 and Batch are neither equal nor 1; [Batch, 1] would fit: keep_dims=True in a reduction over axis 1 gives it, or core.ExpandDims with axis 1; in Norm.__call__, line 19  [typegrad-shape]
second(x)
""",
}


INSIDE: Final = """
import dataclasses
@dataclasses.dataclass
class Inside:
    scope: tg.Scope
    w: tg.Variable[F32] = dataclasses.field(init=False)
    def __post_init__(self) -> None:
        def weight(*shape: int) -> tg.Variable[F32]:
            return tg.Variable.create(self.scope, np.zeros(shape, np.float32))
        self.w = weight(8, 3)
    def __call__(self, x: tg.Operand[F32, tuple[Batch, Literal[4]]]) -> tg.Operand[F32]:
        return x @ self.w
Inside(scope)(x[:, :4])
"""


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])


def test_one_error_wherever_mypy_looks_first(tmp_path: Path) -> None:
    """Some versions of mypy check the body before the call, others when they know the attribute."""
    report = check(tmp_path, {"inside.py": HEADER + INSIDE})
    (error,) = report.errors()
    assert error.text.startswith("MatMul: inner dimensions differ: a is [Batch, 4], b is [8, 3]")
