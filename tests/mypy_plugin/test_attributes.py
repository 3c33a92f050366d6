"""Attributes that hold operands have the shapes that the constructor gives them, unless something else assigns them."""

from __future__ import annotations

from typing import Final

import pytest

from mypy_plugin.checking import disagreements

HEADER: Final = """\
from typing import Any, NewType

import attrs
import numpy as np

import typegrad as tg
from typegrad.op import core, nn

Batch = NewType("Batch", int)
F32 = tg.TFloat32
Matrix = tg.Variable[F32, tuple[int, int]]
scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, F32, (Batch, 8))
def matrix(rows: int, columns: int) -> tg.Variable[F32]:
    return tg.Variable.create(scope, np.zeros((rows, columns), np.float32))

class Linear:
    def __init__(self, inputs: int, outputs: int) -> None:
        self.w = matrix(inputs, outputs)
"""

PROGRAMS: Final = {
    "of what a later method assigns": """
class Model:
    def __init__(self) -> None:
        self.build()
        self.y: tg.Operand[tg.TFloat32] = self.x + 1.0
    def build(self) -> None:
        self.x = core.Placeholder.create(scope, tg.TFloat32, (None, 4))
    def fit(self) -> tg.Operand[tg.TFloat32]:
        reveal_type(self.y)  # R: Operand[TFloat32, tuple[Any, ...]]
        return self.y
""",
    "of an object": """
layer = Linear(8, 4)
reveal_type(layer.w)  # R: Variable[TFloat32, tuple[Literal[8], Literal[4]]]
reveal_type(Linear(3, 2).w)  # R: Variable[TFloat32, tuple[Literal[3], Literal[2]]]
x @ layer.w @ layer.w  # E: MatMul: inner dimensions differ: a is [Batch, 4], b is [8, 4]; linalg.MatMul with transpose_b=True would fit  [typegrad-shape]
def of(layer: Linear) -> None:
    reveal_type(layer.w)  # R: Variable[TFloat32, tuple[Any, Any]]
""",
    "of a class with sizes": """
from typing import Generic, TypeVar
M = TypeVar("M", bound=int)
class Bias(Generic[M]):
    def __init__(self, size: M) -> None:
        self.b: tg.Variable[F32, tuple[M]] = tg.Variable.create(scope, np.zeros(size, np.float32))
class Shifted(Bias[M]):
    pass
first, second = Bias(8), Shifted(3)
reveal_type(first.b)  # R: Variable[TFloat32, tuple[int]]
reveal_type(first.b * np.ones(8, np.float32))  # R: Operand[TFloat32, tuple[Literal[8]]]
reveal_type(core.Concat.create(scope, [first.b, second.b], 0))  # R: Concat[TFloat32, tuple[Any]]
""",
    "of self": """
class Fixed:
    def __init__(self) -> None:
        self.w: tg.Variable[F32] = matrix(8, 4)
        self.first, self.second = (matrix(4, 4) for _ in range(2))
        self.several: tg.Operand[F32] = matrix(8, 3)
    def __call__(self, x: tg.Operand[F32]) -> None:
        reveal_type(self.w)  # R: Variable[TFloat32, tuple[Literal[8], Literal[4]]]
        reveal_type(self.second)  # R: Variable[TFloat32, tuple[Literal[4], Literal[4]]]
        reveal_type(self.several)  # R: Operand[TFloat32, tuple[Any, ...]]
        self.several = x
def of(fixed: Fixed) -> None:
    reveal_type(fixed.w)  # R: Variable[TFloat32, tuple[Literal[8], Literal[4]]]
""",
    "fields without a parameter": """
@attrs.define
class Fixed:
    scope: tg.Scope
    w: Matrix = attrs.field(init=False)
    passed: Matrix = attrs.field(default=matrix(8, 4))
    def __attrs_post_init__(self) -> None:
        self.w = tg.Variable.create(self.scope, np.zeros((8, 4), np.float32))
    def __call__(self) -> None:
        reveal_type(self.w)  # R: Variable[TFloat32, tuple[Literal[8], Literal[4]]]
        reveal_type(self.passed)  # R: Variable[TFloat32, tuple[int, int]]
""",
    "of a class with subclasses": """
class Base:
    def __init__(self) -> None:
        self.w: tg.Variable[F32] = matrix(8, 4)
    def __call__(self) -> None:
        reveal_type(self.w)  # R: Variable[TFloat32, tuple[Any, ...]]
class Below(Base):
    def __init__(self) -> None:
        super().__init__()
        self.w = matrix(3, 2)
reveal_type(Below().w)  # R: Variable[TFloat32, tuple[Any, ...]]
""",
    "that are assigned from outside": """
layer = Linear(8, 4)
layer.w = matrix(3, 2)
reveal_type(layer.w)  # R: Variable[TFloat32, tuple[Literal[3], Literal[2]]]
reveal_type(Linear(8, 4).w)  # R: Variable[TFloat32, tuple[Any, Any]]
""",
    "that any name may mean": """
class Fixed:
    def __init__(self) -> None:
        self.w: tg.Variable[F32] = matrix(8, 4)
        self.v: tg.Variable[F32] = matrix(8, 4)
    def __call__(self, other: Any) -> None:
        other.w = 3
        reveal_type(self.w)  # R: Variable[TFloat32, tuple[Any, ...]]
        reveal_type(self.v)  # R: Variable[TFloat32, tuple[Literal[8], Literal[4]]]
""",
    "that a property computes": """
class Doubled:
    def __init__(self) -> None:
        self.w: tg.Variable[F32] = matrix(8, 4)
    @property
    def twice(self) -> tg.Operand[F32]:
        return self.w * 2.0
reveal_type(Doubled().twice)  # R: Operand[TFloat32, tuple[Any, ...]]
""",
}


@pytest.fixture(scope="module")
def different(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    return disagreements(tmp_path_factory.mktemp("attributes"), PROGRAMS, HEADER)


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
