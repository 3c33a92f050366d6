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
Model()(Model()(x))  # E: MatMul: inner dimensions differ: a is [Batch, 4], b is [8, 6]; in Linear.__call__, line 17  [typegrad-shape]
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
    "a list that is changed from outside": """
model = Model()
model.layers[1] = Linear(6, 9)
reveal_type(model(x))  # R: Operand[TFloat32, tuple[Batch, Any]]
reveal_type(Model()(x))  # R: Operand[TFloat32, tuple[Batch, Any]]
""",
    "a list that a function gets": """
def changed(layers: list[Linear]) -> None:
    layers.reverse()
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
