"""Layers in lists and dicts: each has the sizes of its own, unless something may change the container."""

from __future__ import annotations

from typing import Final

import pytest

from mypy_plugin.checking import disagreements

HEADER: Final = """\
from typing import NewType

import numpy as np

import typegrad as tg
from typegrad.op import core, nn

Batch = NewType("Batch", int)
F32 = tg.TFloat32
scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, F32, (Batch, 8))

class Linear:
    def __init__(self, inputs: int, outputs: int) -> None:
        self.w = tg.Variable.create(scope, np.zeros((inputs, outputs), np.float32))
    def __call__(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        return x @ self.w

class Model:
    def __init__(self) -> None:
        self.layers = [Linear(8, 6), Linear(6, 4)]
    def __call__(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        for layer in self.layers:
            x = layer(x)
        return x
    def layer(self, index: int) -> Linear:
        return self.layers[index]
"""

PROGRAMS: Final = {
    "layers that are wrong for all calls": """
class Transposed:
    def __init__(self, inputs: int, outputs: int) -> None:
        self.w = tg.Variable.create(scope, np.zeros((outputs, inputs), np.float32))
    def build(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        return x @ self.w
class Encoder:
    def __init__(self) -> None:
        self.l1, self.l2 = Transposed(8, 6), Transposed(6, 4)
    def build(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        return self.l2.build(self.l1.build(x))
class Critic:
    def __init__(self) -> None:
        self.l1, self.l2 = Transposed(4, 6), Transposed(6, 1)
    def build(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        h = nn.Relu.create(scope, self.l1.build(x))
        return self.l2.build(h).expect(F32, (Batch, 1))
Critic().build(Encoder().build(x))  # E: MatMul: inner dimensions differ: a is [Batch, 8], b is [6, 8]; linalg.MatMul with transpose_b=True would fit; a is 'x' from line 11, b is 'self.w' from line 31; in Transposed.build, line 33, called in line 38  [typegrad-shape]
""",
    "lists": """
class Sized:
    def __init__(self, *sizes: int) -> None:
        self.layers = [Linear(i, o) for i, o in zip(sizes, sizes[1:])]
    def __call__(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        for layer in self.layers[:-1]:
            x = nn.Relu.create(scope, layer(x))
        return self.layers[-1](x)
reveal_type(Model()(x))  # R: Operand[TFloat32, tuple[Batch, Literal[4]]]
reveal_type(Sized(8, 16, 3)(x))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
Model()(Model()(x))  # E: MatMul: inner dimensions differ: a is [Batch, 4], b is [8, 6]; b is 'self.w' from line 15; in Linear.__call__, line 17, called in line 24  [typegrad-shape]
""",
    "dicts": """
class Named:
    def __init__(self) -> None:
        self.parts = {"first": Linear(8, 6), "last": Linear(6, 5)}
    def by_key(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        return self.parts["last"](self.parts["first"](x))
    def by_value(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        for part in self.parts.values():
            x = part(x)
        return x
    def by_item(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        for name, part in self.parts.items():
            x = part(x)
        return x
reveal_type(Named().by_key(x))  # R: Operand[TFloat32, tuple[Batch, Literal[5]]]
reveal_type(Named().by_value(x))  # R: Operand[TFloat32, tuple[Batch, Literal[5]]]
reveal_type(Named().by_item(x))  # R: Operand[TFloat32, tuple[Batch, Literal[5]]]
""",
    "dicts that are comprehensions": """
class Named:
    def __init__(self) -> None:
        self.parts = {name: Linear(8, width) for name, width in (("first", 6), ("last", 5))}
        self.same = {name: tg.Variable.create(scope, np.zeros(3, np.float32)) for name in self.parts}
        self.unknown = {str(width): Linear(8, width) for width in (4, 5)}
        self.repeated = {name: Linear(8, width) for name, width in (("a", 6), ("a", 5))}
    def of_parts(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        return self.parts["last"](x)
    def of_same(self, name: str) -> tg.Operand[F32]:
        return self.same[name]
    def of_unknown(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        return self.unknown["4"](x)
    def of_repeated(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        return self.repeated["a"](x)
named = Named()
reveal_type(named.of_parts(x))  # R: Operand[TFloat32, tuple[Batch, Literal[5]]]
reveal_type(named.of_same("last"))  # R: Operand[TFloat32, tuple[Literal[3]]]
reveal_type(named.of_unknown(x))  # R: Operand[TFloat32, tuple[Batch, Any]]
reveal_type(named.of_repeated(x))  # R: Operand[TFloat32, tuple[Batch, Any]]
""",
    "starred names": """
class Starred:
    def __init__(self, *sizes: int) -> None:
        self.layers = [Linear(i, o) for i, o in zip(sizes, sizes[1:])]
    def __call__(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        *hidden, last = self.layers
        for layer in hidden:
            x = nn.Relu.create(scope, layer(x))
        return last(x)
    def changed(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        first, *rest = self.layers
        rest.reverse()
        return rest[0](first(x))
reveal_type(Starred(8, 16, 3)(x))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
reveal_type(Starred(8, 16, 16, 3).changed(x))  # R: Operand[TFloat32, tuple[Batch, Any]]
""",
    "objects that class methods make": """
from dataclasses import dataclass
@dataclass
class Pair:
    w: tg.Variable[F32, tuple[int, int]]
    @classmethod
    def fixed(cls) -> "Pair":
        return cls(tg.Variable.create(scope, np.zeros((8, 4), np.float32)))
    def __call__(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        return x @ self.w
for pair in [Pair.fixed() for _ in range(2)]:
    reveal_type(pair(x))  # R: Operand[TFloat32, tuple[Batch, Literal[4]]]
""",
    "objects that are passed on": """
def applied(layer: Linear, x: tg.Operand[F32]) -> None:
    layer(x)
applied(Linear(8, 4), x)
applied(Linear(9, 4), x)  # E: MatMul: inner dimensions differ: a is [Batch, 8], b is [9, 4]; a is 'x' from line 11, b is 'self.w' from line 15; in Linear.__call__, line 17, called in line 30  [typegrad-shape]
""",
    "layers that a constructor appends": """
class Deep:
    def __init__(self, *sizes: int) -> None:
        self.layers: list[Linear] = []
        self.biases = [tg.Variable.create(scope, np.zeros(sizes[1], np.float32))]
        with scope.with_sub_scope("deep") as inner:
            for i, (rows, columns) in enumerate(zip(sizes, sizes[1:])):
                self.layers.append(Linear(rows, columns))
                if i > 0:
                    print(inner)
                self.biases.append(tg.Variable.create(inner, np.zeros(columns, np.float32)))
        self.layers.append(Linear(sizes[-1], 2))
    def __call__(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        for layer in self.layers:
            x = layer(x)
        return x
    def last(self) -> tg.Operand[F32]:
        return self.biases[-1]
    def first(self) -> tg.Operand[F32]:
        return self.biases[0]
reveal_type(Deep(8, 16, 3)(x))  # R: Operand[TFloat32, tuple[Batch, Literal[2]]]
reveal_type(Deep(8, 16, 3).last())  # R: Operand[TFloat32, tuple[Literal[3]]]
reveal_type(Deep(8, 16, 3).first())  # R: Operand[TFloat32, tuple[Literal[16]]]
Deep(9, 16)(x)  # E: MatMul: inner dimensions differ: a is [Batch, 8], b is [9, 16]; a is 'x' from line 11, b is 'self.w' from line 15; in Linear.__call__, line 17, called in line 42  [typegrad-shape]
""",
    "layers that a dataclass appends": """
from dataclasses import dataclass, field
@dataclass
class Deep:
    sizes: tuple[int, ...]
    layers: list[Linear] = field(default_factory=list)
    def __post_init__(self) -> None:
        for rows, columns in zip(self.sizes, self.sizes[1:]):
            self.layers.append(Linear(rows, columns))
    def __call__(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        for layer in self.layers:
            x = layer(x)
        return x
@dataclass
class Filled:
    sizes: tuple[int, ...]
    layers: list[Linear] = field(default_factory=list)
    def __post_init__(self) -> None:
        self.layers.append(Linear(*self.sizes))
    def __call__(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        return self.layers[0](x)
deep, one, two = Deep((8, 16, 3)), Filled((8, 4)), Filled((4, 2), [Linear(8, 9)])
reveal_type(deep(x))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
reveal_type(one(x))  # R: Operand[TFloat32, tuple[Batch, Any]]
reveal_type(two(x))  # R: Operand[TFloat32, tuple[Batch, Any]]
""",
    "layers that are appended elsewhere, too": """
from contextlib import suppress
class Later:
    def __init__(self, sizes: tuple[int, ...], deep: bool) -> None:
        self.layers: list[Linear] = []
        self.some: list[Linear] = []
        self.hidden: list[Linear] = []
        for size in sizes:
            self.layers.append(Linear(8, size))
            if deep:
                self.some.append(Linear(8, size))
            with suppress(ValueError):
                self.hidden.append(Linear(8, int(str(size))))
        self.some.append(Linear(8, 2))
        self.hidden.append(Linear(8, 2))
    def more(self) -> None:
        self.layers.append(Linear(8, 9))
    def of_all(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        return self.layers[-1](x)
    def of_some(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        return self.some[0](x)
    def of_hidden(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        return self.hidden[0](x)
class Stopped:
    def __init__(self, sizes: tuple[int, ...]) -> None:
        self.layers: list[Linear] = []
        for size in sizes:
            if size > 9:
                break
            self.layers.append(Linear(8, size))
    def __call__(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        return self.layers[-1](x)
later = Later((3, 4), deep=False)
reveal_type(later.of_all(x))  # R: Operand[TFloat32, tuple[Batch, Any]]
reveal_type(later.of_some(x))  # R: Operand[TFloat32, tuple[Batch, Any]]
reveal_type(later.of_hidden(x))  # R: Operand[TFloat32, tuple[Batch, Any]]
reveal_type(Stopped((3, 12))(x))  # R: Operand[TFloat32, tuple[Batch, Any]]
""",
    "a list with two names from the start": """
class Twice:
    def __init__(self) -> None:
        self.layers = self.same = [Linear(8, 6)]
        self.same.append(Linear(8, 5))
    def __call__(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        return self.layers[-1](x)
reveal_type(Twice()(x))  # R: Operand[TFloat32, tuple[Batch, Any]]
""",
    "layers of a loop": """
from dataclasses import dataclass
@dataclass
class Sized:
    units: int
    def __call__(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        return x @ np.zeros((8, self.units), np.float32)
for layer in [Sized(4) for _ in range(2)]:
    reveal_type(layer(x))  # R: Operand[TFloat32, tuple[Batch, Literal[4]]]
for other in [Sized(4), Sized(5)]:
    reveal_type(other(x))  # R: Operand[TFloat32, tuple[Batch, Any]]
for third in [Sized(4), Sized(4)]:
    reveal_type(third(x))  # R: Operand[TFloat32, tuple[Batch, Any]]
    third = Sized(5)
""",
    "layers of a loop that assigns them": """
from dataclasses import dataclass
@dataclass
class Sized:
    units: int
    def __call__(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        return x @ np.zeros((8, self.units), np.float32)
for layer in [Sized(4), Sized(4)]:
    layer.units = 7
    reveal_type(layer(x))  # R: Operand[TFloat32, tuple[Batch, Any]]
""",
    "a list that is changed from outside": """
model = Model()
model.layers[1] = Linear(6, 9)
reveal_type(model(x))  # R: Operand[TFloat32, tuple[Batch, Any]]
reveal_type(Model()(x))  # R: Operand[TFloat32, tuple[Batch, Any]]
""",
    "a list that a function gets": """
def changed(layers: list[Linear]) -> None:
    layers.extend([])
model = Model()
changed(model.layers)
reveal_type(model(x))  # R: Operand[TFloat32, tuple[Batch, Any]]
""",
    "a list with another name": """
model = Model()
layers = model.layers
layers.pop()
reveal_type(model(x))  # R: Operand[TFloat32, tuple[Batch, Any]]
""",
    "a layer whose weights are replaced": """
model = Model()
model.layer(1).w = tg.Variable.create(scope, np.zeros((6, 9), np.float32))
reveal_type(model(x))  # R: Operand[TFloat32, tuple[Batch, Any]]
""",
    "some layers of a function that nothing calls": """
class Net:
    def __init__(self) -> None:
        self.layers = [Linear(a, b) for a, b in ((8, 16), (16, 6), (6, 4))]
    def first(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        for layer in self.layers[:-1]:
            x = layer(x)
        return x
    def by_index(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        for i in range(3):
            x = self.layers[i](x)
        return x
def build() -> None:
    reveal_type(Net().first(x))  # R: Operand[TFloat32, tuple[Batch, Literal[6]]]
    Net().by_index(x)
""",
    "layers of a running width": """
class Net:
    def __init__(self, sizes: list[int]) -> None:
        self.layers: list[Linear] = []
        width = sizes[0]
        for size in sizes[1:]:
            self.layers.append(Linear(width, size))
            width = size
    def __call__(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        for layer in self.layers:
            x = layer(x)
        return x
def build() -> None:
    reveal_type(Net([8, 16, 6, 4])(x))  # R: Operand[TFloat32, tuple[Batch, Literal[4]]]
""",
    "a subclass with other layers": """
class Wide(Model):
    def __init__(self) -> None:
        super().__init__()
        self.layers = [Linear(8, 32)]
def run(model: Model) -> None:
    reveal_type(model(x))  # R: Operand[TFloat32, tuple[Batch, Any]]
reveal_type(Wide()(x))  # R: Operand[TFloat32, tuple[Batch, Any]]
""",
}


@pytest.fixture(scope="module")
def different(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    return disagreements(tmp_path_factory.mktemp("layers"), PROGRAMS, HEADER)


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
