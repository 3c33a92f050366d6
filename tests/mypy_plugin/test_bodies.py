"""Functions that leave shapes open: what a call returns follows from the body."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
from typing import Any, Literal, NewType, TypeVar

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
    "as declared": """
Rows = tg.Operand[F32, tuple[Batch, Literal[8]]]
w = tg.Variable.create(scope, np.zeros((8, 3), np.float32))
def early(x: Rows) -> None:  # before mypy has checked the body
    reveal_type(late(x))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
def late(x: Rows) -> tg.Operand[F32]:
    return x @ w
reveal_type(late(x))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
reveal_type(late(nn.Relu.create(scope, x)))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
def wrong(x: Rows) -> tg.Operand[F32]:
    return x @ core.Fill.create(scope, (2, 3), 1.0)  # E: MatMul: inner dimensions differ: a is [Batch, 8], b is [2, 3]  [typegrad-shape]
wrong(x)
class Layer:
    def __init__(self, scope: tg.Scope) -> None:
        self.scope, self.units = scope, 3
        self.w = tg.Variable.create(scope, np.zeros((8, self.units), np.float32))
    def __call__(self, x: Rows) -> tg.Operand[F32]:
        return x @ self.w
reveal_type(Layer(scope)(x))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
""",
    "wrong for all arguments": """
N = TypeVar("N", bound=int)
def softmax(x: tg.Operand[F32, tuple[Batch, N]]) -> tg.Operand[F32, tuple[Batch, N]]:
    return x / core.Sum.create(scope, x, 1)  # E: RealDiv: shapes [Batch, N] and [Batch] do not broadcast: N and Batch are neither equal nor 1; [Batch, 1] would fit: keep_dims=True in a reduction over axis 1 gives it, or core.ExpandDims with axis 1  [typegrad-shape]
softmax(x)
""",
    "another shape than is declared": """
def pooled(x: tg.Operand[F32, tuple[int, Literal[8]]]) -> tg.Operand[F32, tuple[Literal[8]]]:
    return math.Mean.create(scope, x, 1)
pooled(x)
pooled(core.Placeholder.create(scope, F32, (4, 8)))  # E: pooled (line 14) returns an operand of shape [4], but is declared to return [8]  [typegrad-shape]
""",
    "functions": """
def dense(x: tg.Operand[F32], inputs: int, units: int = 4) -> tg.Operand[F32]:
    with scope:
        w = tg.Variable.create(scope, np.zeros((inputs, units), np.float32))
        return x @ w
def twice(x: tg.Operand[F32], units: int) -> tg.Operand[F32]:
    return dense(dense(x, 8, units), units, WIDTH)
def normal(name: str, *shape: int) -> tg.Variable[F32]:
    values = np.random.default_rng(0).normal(0.0, 1.0, shape).astype(np.float32)
    return tg.Variable.create(scope.with_name(name), values)
def halves(x: tg.Operand[F32]) -> tuple[tg.Operand[F32], tg.Operand[F32]]:
    left, right = core.Split.create(scope, 1, x, 2)
    return left, right
reveal_type(dense(x, 8))  # R: Operand[TFloat32, tuple[Batch, Literal[4]]]
reveal_type(dense(x, 8, units=WIDTH))  # R: Operand[TFloat32, tuple[Batch, Literal[16]]]
reveal_type(twice(x, 3))  # R: Operand[TFloat32, tuple[Batch, Literal[16]]]
reveal_type(normal("w", 8, 2))  # R: Variable[TFloat32, tuple[Literal[8], Literal[2]]]
left, right = halves(x)
reveal_type(right)  # R: Operand[TFloat32, tuple[Batch, Literal[4]]]
dense(x, 9)  # E: MatMul: inner dimensions differ: a is [Batch, 8], b is [9, 4]; in dense, line 17  [typegrad-shape]
dense(dense(x, 8), 8)  # E: MatMul: inner dimensions differ: a is [Batch, 4], b is [8, 4]; linalg.MatMul with transpose_b=True would fit; in dense, line 17  [typegrad-shape]
""",
    "type variables": """
from typing import TypeVar
F = TypeVar("F", bound=tg.TFloating)
S = TypeVar("S", bound=tuple[int, ...])
N = TypeVar("N", bound=int)
def scaled(y: tg.Operand[F, S], rows: int) -> tg.Operand[F, S]:
    core.Reshape.create(scope, y, (-1, rows)) @ np.zeros((4, 2), np.float32)
    return y
def columns(y: tg.Operand[F32, tuple[Batch, N]]) -> tg.Operand[F32]:
    return core.Concat.create(scope, [y, y], 1)
reveal_type(scaled(x, 4))  # R: Operand[TFloat32, tuple[Batch, Literal[8]]]
scaled(x, 8)  # E: MatMul: inner dimensions differ: a is [Batch, 8], b is [4, 2]; in scaled, line 19  [typegrad-shape]
def annotated(y: tg.Operand[F32, tuple[Batch, N]]) -> tg.Operand[F32]:
    z: tg.Operand[F32, tuple[Batch, N]] = y * 2.0
    return z + y
def numbered(y: tg.Operand[F32, tuple[Batch, N]], n: N) -> tg.Operand[F32]:
    return y @ np.zeros((n, 4), np.float32)
def use(n: int) -> None:
    numbered(x, n)
reveal_type(columns(x))  # R: Operand[TFloat32, tuple[Batch, Literal[16]]]
reveal_type(annotated(x))  # R: Operand[TFloat32, tuple[Any, ...]]
reveal_type(numbered(x, 8))  # R: Operand[TFloat32, tuple[Batch, Literal[4]]]
""",
    "stated sizes": """
Matrix = tg.Operand[F32, tuple[int, int]]
Weights = tg.Variable[F32, tuple[int, int]]
def square(n: int) -> Matrix:
    return core.Fill.create(scope, (n, n), 1.0)
def weights(n: int) -> Weights:
    return tg.Variable.create(scope, np.zeros((n, n), np.float32))
class Layer:
    def __init__(self, n: int) -> None:
        self.w = tg.Variable.create(scope, np.zeros((n, 3), np.float32))
        self.v = core.Fill.create(scope, (n, 3), 1.0)
    def read(self) -> tuple[Matrix, Matrix]:
        return self.w.read(scope), self.v
    def change(self, n: int) -> None:
        self.v = core.Fill.create(scope, (n, 4), 1.0)
def started(n: int) -> Weights:
    start = tg.functions.zeros(scope, (n, 2))
    return tg.Variable.create(scope, start)
reveal_type(square(3))  # R: Operand[TFloat32, tuple[Literal[3], Literal[3]]]
reveal_type(weights(3))  # R: Variable[TFloat32, tuple[int, int]]
reveal_type(started(3))  # R: Variable[TFloat32, tuple[int, int]]
reveal_type(Layer(3).read()[0])  # R: Operand[TFloat32, tuple[Literal[3], Literal[3]]]
layer = Layer(5)
w, v = layer.read()
reveal_type(w)  # R: Operand[TFloat32, tuple[Literal[5], Literal[3]]]
reveal_type(v)  # R: Operand[TFloat32, tuple[int, int]]
x @ square(9)  # E: MatMul: inner dimensions differ: a is [Batch, 8], b is [9, 9]  [typegrad-shape]
def chosen(some: bool) -> Weights:
    one = weights(3)
    if some:
        one = weights(4)
    return one
def chosen_value(some: bool) -> Matrix:
    one = square(3)
    if some:
        one = square(4)
    return one
def many(values: list[Matrix], names: dict[str, Matrix]) -> None: ...
values = [square(3)]
values.append(square(4))
names = {"a": square(3)}
names["b"] = square(4)
many(values, names)
""",
    "functions inside functions": """
class Model:
    def __init__(self, width: int) -> None:
        def matrix(rows: int, columns: int = 2) -> tg.Variable[F32]:
            return tg.Variable.create(scope, np.zeros((rows, columns), np.float32))
        self.first, self.second = matrix(8, width), matrix(width)
    def __call__(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        return x @ self.first @ self.second
def scaled(x: tg.Operand[F32], units: int) -> tg.Operand[F32]:
    def dense(y: tg.Operand[F32]) -> tg.Operand[F32]:
        return y @ tg.Variable.create(scope, np.zeros((8, units), np.float32))
    return dense(x)
def later(x: tg.Operand[F32]) -> tg.Operand[F32]:
    w = tg.Variable.create(scope, np.zeros((8, 2), np.float32))
    def dense(y: tg.Operand[F32]) -> tg.Operand[F32]:
        return y @ w
    w = tg.Variable.create(scope, np.zeros((8, 3), np.float32))
    return dense(x)
model = Model(5)
reveal_type(model(x))  # R: Operand[TFloat32, tuple[Batch, Literal[2]]]
reveal_type(scaled(x, 4))  # R: Operand[TFloat32, tuple[Batch, Literal[4]]]
reveal_type(scaled(x, 6))  # R: Operand[TFloat32, tuple[Batch, Literal[6]]]
reveal_type(later(x))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
""",
    "functions that are passed": """
from collections.abc import Callable
from typegrad import activations
Function = Callable[[tg.Operand[F32]], tg.Operand[F32]]
def halves(y: tg.Operand[F32]) -> tg.Operand[F32]:
    return core.Split.create(scope, 1, y, 2)[0]
def twice(y: tg.Operand[F32]) -> tg.Operand[F32]:
    return core.Concat.create(scope, [y, y], 1)
def applied(f: Function, y: tg.Operand[F32]) -> tg.Operand[F32]:
    return f(y)
def act(f: Callable[[tg.Scope, tg.Operand[F32]], tg.Operand[F32]], y: tg.Operand[F32]) -> tg.Operand[F32]:
    return f(scope, y)
def inner(y: tg.Operand[F32], n: int) -> tg.Operand[F32]:
    def repeated(z: tg.Operand[F32]) -> tg.Operand[F32]:
        return core.Tile.create(scope, z, (1, n))
    return applied(repeated, y)
class Layer:
    def __init__(self, f: Function) -> None:
        self.f = f
    def __call__(self, y: tg.Operand[F32]) -> tg.Operand[F32]:
        return self.f(y)
class Changing:
    def __init__(self, f: Function) -> None:
        self.f = f
    def change(self, f: Function) -> None:
        self.f = f
    def __call__(self, y: tg.Operand[F32]) -> tg.Operand[F32]:
        return self.f(y)
reveal_type(applied(halves, x))  # R: Operand[TFloat32, tuple[Batch, Literal[4]]]
reveal_type(applied(twice, x))  # R: Operand[TFloat32, tuple[Batch, Literal[16]]]
reveal_type(act(activations.relu, x))  # R: Operand[TFloat32, tuple[Batch, Literal[8]]]
reveal_type(inner(x, 3))  # R: Operand[TFloat32, tuple[Batch, Any]]
layer, changing = Layer(halves), Changing(halves)
reveal_type(layer(x))  # R: Operand[TFloat32, tuple[Batch, Literal[4]]]
reveal_type(changing(x))  # R: Operand[TFloat32, tuple[Any, ...]]
applied(halves, x[:, :3])  # E: Split: dimension 1 of `value`, of shape [Batch, 3], cannot be split into 2 equal parts; value is 'y' from line 48; in halves, line 18, called in line 22  [typegrad-shape]
def of_any(f: Function) -> None:
    reveal_type(applied(f, x))  # R: Operand[TFloat32, tuple[Any, ...]]
""",
    "branches": """
def pooled(x: tg.Operand[F32], kind: Literal["sum", "max", "none"], keep: bool = False) -> tg.Operand[F32]:
    if kind == "sum":
        return core.Sum.create(scope, x, 1, keep_dims=True) if keep else core.Sum.create(scope, x, 1)
    if kind == "max":
        return core.Max.create(scope, x, 0)
    return x
def shorter(x: tg.Operand[F32], some: bool) -> tg.Operand[F32]:
    if some:
        return x[:, 9]  # E: StridedSlice: index 9 is out of range for dimension 1 of shape [Batch, 8]; input is 'x' from line 12; called in line 30  [typegrad-shape]
    return x
def power(x: tg.Operand[F32], n: int) -> tg.Operand[F32]:
    return x if n == 0 else power(x, n - 1) * x
def unknown(some: bool) -> None:
    reveal_type(shorter(x, some))  # R: Operand[TFloat32, tuple[Any, ...]]
reveal_type(pooled(x, "max"))  # R: Operand[TFloat32, tuple[Literal[8]]]
reveal_type(pooled(x, "none"))  # R: Operand[TFloat32, tuple[Batch, Literal[8]]]
shorter(x, True)
""",
    "what is left as it was": """
class Later:
    def __call__(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        return self.made(x, 8)
    def made(self, x: tg.Operand[F32], inputs: int) -> tg.Operand[F32]:
        w = tg.Variable.create(scope, np.zeros((inputs, 3), np.float32))
        reveal_type(w)  # R: Variable[TFloat32, tuple[Any, Literal[3]]]
        self.h = x @ w
        return self.h
    def read(self) -> None:
        reveal_type(self.h)  # R: Operand[TFloat32, tuple[Any, ...]]
later = Later()
reveal_type(later(x))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
later.made(x[0], 8)  # E: BatchMatMul: `x` must have rank 2 or more, but has shape [8]; functions.tensordot(scope, x, y, 1) multiplies by a vector; in Later.made, line 20  [typegrad-shape]
def wrong(x: tg.Operand[F32]) -> tg.Operand[F32]:
    y = core.Fill.create(scope, (2, 3), 1.0)
    return x + y @ y  # E: MatMul: inner dimensions differ: a is [2, 3], b is [2, 3]; linalg.MatMul with transpose_a=True or with transpose_b=True would fit  [typegrad-shape]
wrong(x)
def of_any_type(x: tg.Operand[Any]) -> tg.Operand[Any]:
    return math.Sin.create(scope, x)
of_any_type(core.Shape.create(scope, x))
class WithoutOperands:  # nor are they followed: to check their bodies call by call would take long
    def __init__(self) -> None:
        self.count = 0
    def add(self, n: int) -> None:
        self.count += n
        print(x @ core.Fill.create(scope, (n, 2), 1.0))
WithoutOperands().add(3)
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
