"""Functions over any shape `S`: reductions with keep_dims, and shapes that are put back."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """
from typing import Literal, TypeVar
import numpy as np
import typegrad as tg
from typegrad.op import core, linalg, math, random
F = TypeVar("F", bound=tg.TFloating)
S = TypeVar("S", bound=tuple[int, ...])
S2 = TypeVar("S2", bound=tuple[int, ...])
Rows = tg.Operand[tg.TFloat32, tuple[Literal[2], Literal[3]]]
scope = tg.Scope(tg.Graph())
"""
PROGRAMS: Final = {
    "softmax": """
def softmax(scope: tg.Scope, y: tg.Operand[F, S]) -> tg.Operand[F, S]:
    largest = core.Max.create(scope, y, -1, keep_dims=True)
    reveal_type(largest)  # R: Max[F, S | tuple[Literal[1], ...]]
    e = math.Exp.create(scope, y - largest)
    return e / core.Sum.create(scope, e, -1, keep_dims=True)
""",
    "beside what a function of it makes": """
def scaled(y: tg.Operand[F, S]) -> tg.Operand[F, S]:
    return y * 0.5
def residual(y: tg.Operand[F, S]) -> tg.Operand[F, S]:
    bounded = y > scaled(y)
    reveal_type(bounded)  # R: Operand[TBool, S]
    return y + 2.0 * scaled(y) - scaled(y)
""",
    "over several axes": """
def standardized(scope: tg.Scope, y: tg.Operand[F, S]) -> tg.Operand[F, S]:
    mean = math.Mean.create(scope, y, (0, -1), keep_dims=True)
    variance = math.Mean.create(scope, math.Square.create(scope, y - mean), (0, -1), keep_dims=True)
    return (y - mean) * math.Rsqrt.create(scope, math.Maximum.create(scope, variance, 1e-6))
""",
    "over all axes": """
def shares(scope: tg.Scope, y: tg.Operand[F, S]) -> tg.Operand[F, S]:
    return y / core.Sum.create(scope, y) + y / core.Sum.create(scope, y, keep_dims=True)
""",
    "over all axes, of an unknown rank": """
def scalar(scope: tg.Scope, y: tg.Operand[tg.TFloat32], flag: bool) -> tg.Operand[tg.TFloat32, tuple[()]]:
    reveal_type(math.Mean.create(scope, y))  # R: Mean[TFloat32, tuple[()]]
    reveal_type(core.Max.create(scope, y, keep_dims=True))  # R: Max[TFloat32, tuple[Any, ...]]
    reveal_type(core.Max.create(scope, y, keep_dims=flag))  # R: Max[TFloat32, tuple[Any, ...]]
    reveal_type(core.Max.create(scope, y, 1))  # R: Max[TFloat32, tuple[Any, ...]]
    reveal_type(linalg.Transpose.create(scope, y))  # R: Transpose[TFloat32, tuple[Any, ...]]
    return core.Sum.create(scope, y)
""",
    "reductions that are functions": """
from typegrad import functions
def log_softmax(scope: tg.Scope, y: tg.Operand[F, S]) -> tg.Operand[F, S]:
    return y - functions.logsumexp(scope, y, -1, keepdims=True)
def unit(scope: tg.Scope, y: tg.Operand[F, S]) -> tg.Operand[F, S]:
    return y / functions.norm(scope, y, axis=-1, keepdims=True) + functions.reduce_std(scope, y)
def standardized(scope: tg.Scope, y: tg.Operand[F, S]) -> tg.Operand[F, S]:
    mean, variance = functions.moments(scope, y, -1, keepdims=True)
    reveal_type(mean)  # R: Operand[F, S | tuple[Literal[1], ...]]
    reveal_type(functions.logsumexp(scope, y, -1))  # R: Operand[F, tuple[Any, ...]]
    return (y - mean) * math.Rsqrt.create(scope, variance + 1e-5)
""",
    "the shape of another operand": """
def noisy(scope: tg.Scope, y: tg.Operand[tg.TFloat32, S]) -> tg.Operand[tg.TFloat32, S]:
    return y + random.RandomStandardNormal.create(scope, core.Shape.create(scope, y), tg.TFloat32)

def flattened(scope: tg.Scope, y: tg.Operand[F, S]) -> tg.Operand[F, S]:
    flat = core.Reshape.create(scope, y, (-1,))
    return core.Reshape.create(scope, flat, core.Shape.create(scope, y))
""",
    "sizes of another operand": """
def ensured(scope: tg.Scope, y: tg.Operand[F, S], z: tg.Operand[F]) -> tg.Operand[F, S]:
    return core.EnsureShape.create(scope, z, y.shape)

def slot(scope: tg.Scope, variable: tg.Variable[tg.TFloat32, S]) -> tg.Variable[tg.TFloat32, S]:
    return tg.Variable.create(scope, np.zeros(variable.shape.as_ints(), np.float32), trainable=False)
""",
    "a dimension more and less": """
def spread(scope: tg.Scope, samples: list[tg.Operand[F, S]]) -> tg.Operand[F, S]:
    stack = core.Stack.create(scope, samples)
    return math.Mean.create(scope, math.Square.create(scope, stack - math.Mean.create(scope, stack, 0)), 0)

def turned(scope: tg.Scope, y: tg.Operand[F, S]) -> tg.Operand[F, S]:
    once = linalg.Transpose.create(scope, y)
    return linalg.Transpose.create(scope, once)

def added(scope: tg.Scope, y: tg.Operand[F, S]) -> tg.Operand[F, S]:
    return y + linalg.Transpose.create(scope, y)  # E: Incompatible return value type (got "Operand[F, tuple[Any, ...]]", expected "Operand[F, S]")  [return-value]
""",
    "attributes outlive the call that assigns them": """
class Model:
    def __init__(self, x: tg.Operand[tg.TFloat32, S]) -> None:
        self.x, self.y, self.pair = x, x * 2.0, (x + 1.0, 3)
        self.slots = [tg.Variable.create(scope, np.zeros(x.shape.as_ints(), np.float32))]
        self.slot = tg.Variable.create(scope, np.zeros(x.shape.as_ints(), np.float32))
        self.named = {"a": x + 1.0}
        self.maybe = None if x is None else x + 1.0
    def all(self) -> list[Rows]:
        return [self.x, self.y, self.pair[0], self.slots[0], self.slot, self.named["a"], self.x if self.maybe is None else self.maybe]
    def doubled(self) -> list[Rows]:
        return [each * 2.0 for each in self.slots]
    def replace(self, x: tg.Operand[tg.TFloat32, S]) -> tg.Operand[tg.TFloat32, S]:
        self.slot = tg.Variable.create(scope, np.zeros((2, 3), np.float32))
        self.slots.append(tg.Variable.create(scope, np.zeros(x.shape.as_ints(), np.float32)))
        self.y = core.EnsureShape.create(scope, self.y, x.shape)
        reveal_type(self.y)  # R: EnsureShape[TFloat32, S]
        self.y = x * 3.0
        return self.y + x

def used(x: tg.Operand[tg.TFloat32, S], row: Rows) -> Rows:
    model = Model(x)
    model.replace(row)
    return model.slots[0]
""",
    "names that hold one shape after the other": """
def changing(x: tg.Operand[tg.TFloat32, S], y: tg.Operand[tg.TFloat32, S2], rows: Rows, n: int) -> tg.Operand[tg.TFloat32, S]:
    h = y * 2.0
    h = rows
    h = x * 2.0
    for _ in range(n):
        h = h + x
    slot = tg.Variable.create(scope, np.zeros(y.shape.as_ints(), np.float32))
    slot = tg.Variable.create(scope, np.zeros((4, 5), np.float32))
    slot = tg.Variable.create(scope, np.zeros(x.shape.as_ints(), np.float32))
    mean = math.Mean.create(scope, core.Stack.create(scope, [y, y]), 0)
    mean = math.Mean.create(scope, core.Stack.create(scope, [x, h]), 0)
    reveal_type(mean)  # R: Mean[TFloat32, S]
    mean = mean + slot if n else h
    return h + slot + mean
""",
    "a reduction is not the shape": """
def mean(scope: tg.Scope, y: tg.Operand[F, S]) -> tg.Operand[F, S]:
    return math.Mean.create(scope, y, -1, keep_dims=True)  # E: Incompatible return value type (got "Mean[F, S | tuple[Literal[1], ...]]", expected "Operand[F, S]")  [return-value]
""",
    "a lost axis": """
def centered(scope: tg.Scope, y: tg.Operand[F, S]) -> tg.Operand[F, S]:
    return y - math.Mean.create(scope, y, -1)  # E: Incompatible return value type (got "Operand[F, tuple[Any, ...]]", expected "Operand[F, S]"); Mean drops a dimension of S; keep_dims=True keeps it  [return-value]
""",
    "another shape": """
def added(y: tg.Operand[F, S], z: tg.Operand[F, S2]) -> tg.Operand[F, S]:
    return y + z  # E: Incompatible return value type (got "Operand[F, tuple[Any, ...]]", expected "Operand[F, S]")  [return-value]
""",
    "joined reductions": """
def joined(scope: tg.Scope, y: tg.Operand[F, S]) -> None:
    least, most = core.Min.create(scope, y, 0, keep_dims=True), core.Max.create(scope, y, 0, keep_dims=True)
    reveal_type(most - least)  # R: Operand[F, S | tuple[Literal[1], ...]]
    reveal_type(core.Concat.create(scope, [least, most], 0))  # R: Concat[F, tuple[Any, ...]]
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
