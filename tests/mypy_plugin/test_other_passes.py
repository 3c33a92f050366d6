"""What other passes of a loop, parts of one assignment, and functions assign: an error says what surely fails."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
from __future__ import annotations
import numpy as np
import typegrad as tg
from typegrad.op import core, math, nn
scope = tg.Scope(tg.Graph())
a = core.Placeholder.create(scope.with_name("a"), tg.TFloat32, (2, 3))
b = core.Placeholder.create(scope.with_name("b"), tg.TFloat32, (4, 2))
def f(rows: int, columns: int) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    return np.zeros((rows, columns), np.float32)
"""
DIFFER: Final = "inner dimensions differ"

ROLLED: Final = """from typing import Literal, NewType
Batch = NewType("Batch", int)
def rolled(market: tg.Operand[tg.TFloat32, tuple[Batch, Literal[20], Literal[5]]], weights: tg.Operand[tg.TFloat32, tuple[Batch, Literal[5]]]) -> None:
    total: tg.Operand[tg.TFloat32] = core.ZerosLike.create(scope, market[:, 0, 0])
    for t in range(8, 12):
"""
ROLL: Final = """market = core.Placeholder.create(scope, tg.TFloat32, (Batch, 20, 5))
weights = core.Placeholder.create(scope, tg.TFloat32, (Batch, 5))
rolled(market, weights)
"""
MUL: Final = (
    "Mul: shapes [Batch, 5] and [Batch, 8, 5] do not broadcast: "
    "8 and Batch are neither equal nor 1; [Batch, 1, 5] would fit: "
    "keep_dims=True in a reduction over axis 1 gives it, or core.ExpandDims with axis 1; "
    "x is 'weights' from line {}; called in line {}  [typegrad-shape]"
)
PROGRAMS: Final = {
    "a branch of later passes": """
h: tg.Operand[tg.TFloat32] = a
for i in range(4):
    if i == 0:
        h = h @ f(3, 8)
    else:
        h = h + nn.Relu.create(scope, h @ f(8, 8))
h @ f(8, 1)
""",
    "a case of later passes": """
h: tg.Operand[tg.TFloat32] = a
for i in range(4):
    match i:
        case 0:
            h = h @ f(3, 8)
        case _:
            h = h + nn.Relu.create(scope, h @ f(8, 8))
h @ f(8, 1)
""",
    "names for what a pass takes over, in branches": f"""
def sizes() -> list[int]:
    return [8, 4, 2]
h: tg.Operand[tg.TFloat32] = a
made: list[tg.Variable[tg.TFloat32]] = []
for s in sizes():
    (k,) = h.shape[-1:].as_ints()
    v = tg.Variable.create(scope, np.zeros((k, s), np.float32))
    made.append(v)
    doubled = v * 2.0
    if s == 4:
        f(1, 8) @ v
        f(1, 8) @ doubled
    h = h @ v
f(1, 8) @ made[1]
f(1, 4) @ v
g, i = a @ f(3, 3), 0
while i < len(sizes()):
    rows = g.shape[-1]
    w = core.Fill.create(scope, [rows, sizes()[i]], 0.5)
    if i == 1:
        f(1, 8) @ w
    g = g @ w
    i += 1
f(1, 4) @ w
for s in sizes():
    (n,) = a.shape[-1:].as_ints()
    u = tg.Variable.create(scope, np.zeros((n, s), np.float32))
    if s == 4:
        f(1, 8) @ u  # E: MatMul: {DIFFER}: a is [1, 8], b is [3, ?]  [typegrad-shape]
    h = h * 2.0
""",
    "names for what a pass takes over, in each pass": f"""
h: tg.Operand[tg.TFloat32] = a
for s in [int(each) for each in input()]:
    (k,) = h.shape[-1:].as_ints()
    v = tg.Variable.create(scope, np.zeros((k, s), np.float32))
    f(1, 8) @ v  # E: MatMul: {DIFFER}: a is [1, 8], b is [3, ?]  [typegrad-shape]
    h = h @ v
""",
    "a function in a loop": """
h: tg.Operand[tg.TFloat32] = a
for i in range(4):
    def layer() -> tg.Operand[tg.TFloat32]:
        return h @ f(8, 8)
    if i == 0:
        h = h @ f(3, 8)
    else:
        h = layer()
""",
    "a pass that goes on early": """
h: tg.Operand[tg.TFloat32] = a
for name in ("first", "second"):
    if name == "first":
        h = h @ f(3, 8)
        continue
    z = h @ f(8, 8)
    h = z if len(name) < 3 else nn.Relu.create(scope, z)
""",
    "an attribute in a loop": """
class Net:
    def __init__(self) -> None:
        self.h: tg.Operand[tg.TFloat32] = a
        for i in range(3):
            if i:
                self.h = self.h @ f(8, 8)
            else:
                self.h = self.h @ f(3, 8)
Net()
""",
    "what surely fails in a loop": f"""
def program(steps: int, is_deep: bool) -> None:
    h: tg.Operand[tg.TFloat32] = a
    for _ in range(steps):
        h = h @ f(4, 3)  # E: MatMul: {DIFFER}: a is [2, 3], b is [4, 3]; linalg.MatMul with transpose_b=True would fit  [typegrad-shape]
        if is_deep:
            z = a @ f(3, 5)
            z @ f(6, 1)  # E: MatMul: {DIFFER}: a is [2, 5], b is [6, 1]  [typegrad-shape]
""",
    "what follows from an error of the first pass": """
import itertools
h: tg.Operand[tg.TFloat32] = core.Reshape.create(scope, a, (-1, 1, 6, 1))
for i, (left, (before, after)) in enumerate(zip((1, 2, 4), itertools.pairwise([1] + [8] * 3))):
    kernel = tg.Variable.create(scope, np.zeros((1, 2, before, after), np.float32))
    padded = core.Pad.create(scope, h, [[0, 0], [left, 0], [0, 0]])  # E: Pad: `paddings` has 3 rows, but `input` has shape [1, 1, 6, 1]  [typegrad-shape]
    h = math.Tanh.create(scope, nn.Conv2d.create(scope, padded, kernel, (1, 1, 1, 1), "VALID", dilations=(1, 1, left, 1)))
""",
    "two names that are exchanged": f"""
a, b = b, a
a @ b
b @ f(4, 1)  # E: MatMul: {DIFFER}: a is [2, 3], b is [4, 1]  [typegrad-shape]
""",
    "names that move on": """
x, y = a, a @ f(3, 4)
x, y = y, x @ f(3, 7)
x @ f(4, 1)
y @ f(7, 1)
""",
    "attributes that are exchanged": """
class Pair:
    def __init__(self) -> None:
        self.a, self.b = a, b
    def exchanged(self) -> tg.Operand[tg.TFloat32]:
        self.a, self.b = self.b, self.a
        return self.a @ self.b
Pair().exchanged()
""",
    "a name that an inner function assigns": """
def tower() -> tg.Operand[tg.TFloat32]:
    h: tg.Operand[tg.TFloat32] = a
    def dense(rows: int, columns: int) -> None:
        nonlocal h
        h = h @ f(rows, columns)
    dense(3, 4)
    dense(4, 5)
    return h @ f(5, 1)
tower()
""",
    "a name that a function assigns for all": """
h: tg.Operand[tg.TFloat32] = a
def dense(rows: int, columns: int) -> None:
    global h
    h = h @ f(rows, columns)
dense(3, 4)
h @ f(4, 1)
""",
    "the first operation that fails in a loop, of which only the program knows": f"""
{ROLLED}        earned = core.Sum.create(scope, weights * market[:, :t], 1)  # E: {MUL.format(19, 20)}
        total = total + math.Log1p.create(scope, earned)
{ROLL}""",
    "the operation that fails first in a line": f"""
{ROLLED}        total = total + core.Sum.create(scope, weights * market[:, :t], 1)  # E: {MUL.format(18, 19)}
{ROLL}""",
    "a sum that a loop makes": f"""
{ROLLED}        earned = core.Sum.create(scope, weights * market[:, t], 1)
        total = total + math.Log1p.create(scope, earned)
        total = total + core.Sum.create(scope, weights[:, None] * market[:, :t], (1, 2))
{ROLL}""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
