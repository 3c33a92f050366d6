"""After a loop or a branch, an operand has what its possible shapes have in common; only what fits none is an error.

How often a loop runs, and which branch, no checker knows.
"""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
from __future__ import annotations
from collections.abc import Sequence
from typing import Literal, NewType
import numpy as np
import typegrad as tg
from typegrad.op import core, dtypes, linalg, math, nn
Batch = NewType("Batch", int)
Rows = tg.Operand[tg.TFloat32, tuple[Batch, Literal[8]]]
Wide = tg.Operand[tg.TFloat32, tuple[Batch, Literal[16]]]
"""
PROGRAMS: Final = {
    "layers in a loop": """
def program(scope: tg.Scope, x: Rows, weights: Sequence[tg.Variable[tg.TFloat32, tuple[int, Literal[16]]]]) -> Wide:
    h = x
    for each in weights:
        h = nn.Relu.create(scope, h @ each)
    reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Any]]
    reveal_type(h @ np.zeros((16, 4), np.float32))  # R: Operand[TFloat32, tuple[Batch, Literal[4]]]
    reveal_type(h - np.zeros(16, np.float32))  # R: Operand[TFloat32, tuple[Batch, Literal[16]]]
    h[:, 12]
    h[0, 0, 0]  # E: StridedSlice: 3 dimensions are indexed, but `input` has shape [Batch, ?]  [typegrad-shape]
    h.expect(tg.TFloat32, (Batch, 16))
    h.expect(tg.TFloat32, (Batch,))  # E: expect: h has shape [Batch, ?], which is never [Batch]  [typegrad-shape]
    return h
""",
    "a declared operand in a loop": """
def program(scope: tg.Scope, x: Rows, square: tg.Variable[tg.TFloat32, tuple[Literal[8], Literal[8]]]) -> Wide:
    h: tg.Operand[tg.TFloat32] = x
    reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Literal[8]]]
    for _ in range(3):
        h = math.Tanh.create(scope, h @ square)
    reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Literal[8]]]
    h @ np.zeros((4, 8), np.float32)  # E: MatMul: inner dimensions differ: a is [Batch, 8], b is [4, 8]; linalg.MatMul with transpose_b=True would fit  [typegrad-shape]
    for rows in (8, 16):
        h = nn.Relu.create(scope, h @ tg.Variable.create(scope, np.zeros((rows, 16), np.float32)))
    return h
""",
    "a declared operand keeps its class in a list": """
def summed(hs: list[tg.Operand[tg.TFloat32]]) -> None:
    pass
def program(scope: tg.Scope, x: Rows) -> None:
    h: tg.Operand[tg.TFloat32] = math.Tanh.create(scope, x)
    summed([h])
    hs = [h]
    summed(hs)
    total: tg.Operand[tg.TFloat32, tuple[int, int]] = x
    reveal_type(total)  # R: Operand[TFloat32, tuple[Batch, Literal[8]]]
""",
    "branches": """
def program(scope: tg.Scope, x: Rows, w: tg.Variable[tg.TFloat32, tuple[Literal[8], Literal[16]]], deep: bool) -> None:
    h = x
    if deep:
        h = nn.Relu.create(scope, h @ w)
    reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Any]]
    h @ np.zeros((16 if deep else 8, 4), np.float32)
    k = x
    try:
        k = x @ w
    except ValueError:
        pass
    k @ np.zeros((16, 4), np.float32)
""",
    "what fits none of the shapes": """
def program(scope: tg.Scope, x: Rows, w: tg.Variable[tg.TFloat32, tuple[Literal[8], Literal[16]]], deep: bool) -> None:
    h = x
    if deep:
        h = nn.Relu.create(scope, h @ w)
    square = np.zeros((4, 4), np.float32)
    h @ square  # E: MatMul: inner dimensions differ: a is [Batch, 16], b is [4, 4]; here h is [Batch, 16] or [Batch, 8], and no shape fits  [typegrad-shape]
    linalg.MatMul.create(scope, h, square[:3])  # E: MatMul: inner dimensions differ: a is [Batch, 16], b is [3, 4]; here h is [Batch, 16] or [Batch, 8], and no shape fits  [typegrad-shape]
    core.Concat.create(scope, [x[:, 1:], h], 0)  # E: Concat: `values` must agree in all dimensions but 0: [Batch, 7], [Batch, 16]: dimensions 7 and 16 differ; here h is [Batch, 16] or [Batch, 8], and no shape fits  [typegrad-shape]
    h[:, 16]  # E: StridedSlice: index 16 is out of range for dimension 1 of shape [Batch, 16]; here h is [Batch, 16] or [Batch, 8], and no shape fits  [typegrad-shape]
    h[:, 8]
    k = x
    if not deep:
        k = x[:, :4]
    h + k
    h @ k  # E: MatMul: inner dimensions differ: a is [Batch, 16], b is [Batch, 4]; linalg.MatMul with transpose_a=True would fit; here h is [Batch, 16] or [Batch, 8] and k is [Batch, 4] or [Batch, 8], and no shape fits  [typegrad-shape]
    h = nn.Relu.create(scope, h)
    h @ square
""",
    "of three branches": """
def program(scope: tg.Scope, x: Rows, kind: str) -> None:
    h = x
    if kind == "narrow":
        h = x[:, :4]
    elif kind == "wide":
        h = core.Concat.create(scope, [x, x], 1)
    h @ np.zeros((5, 2), np.float32)  # E: MatMul: inner dimensions differ: a is [Batch, 4], b is [5, 2]; here h is [Batch, 4], [Batch, 16] or [Batch, 8], and no shape fits  [typegrad-shape]
    h @ np.zeros((16, 2), np.float32)
""",
    "conditional expressions": """
def program(scope: tg.Scope, x: Rows, deep: bool) -> None:
    h = x[:, :4] if deep else x[:, :3]
    h @ np.zeros((5, 2), np.float32)  # E: MatMul: inner dimensions differ: a is [Batch, 4], b is [5, 2]; here h is [Batch, 4] or [Batch, 3], and no shape fits  [typegrad-shape]
    h + x  # E: AddV2: shapes [Batch, 4] and [Batch, 8] do not broadcast: 4 and 8 are neither equal nor 1; here h is [Batch, 4] or [Batch, 3], and no shape fits  [typegrad-shape]
    h @ np.zeros((3, 2), np.float32)
    h + x[:, :4]
    h * h
""",
    "branches in branches": """
def program(scope: tg.Scope, x: Rows, one: bool, other: bool) -> None:
    h = x
    if one:
        if other:
            h = x[:, :1]
        else:
            h = x[:, :2]
    else:
        if other:
            h = x[:, :3]
        else:
            h = x[:, :4]
    h @ np.zeros((1, 2), np.float32)
    h @ np.zeros((4, 2), np.float32)
    for _ in range(int(one)):
        h @ np.zeros((5, 2), np.float32)
        if other:
            h = x[:, :5]
        else:
            h = x[:, :6]
    h @ np.zeros((6, 2), np.float32)
""",
    "an attribute of two shapes": """
class Model:
    def __init__(self, scope: tg.Scope, x: Rows, deep: bool) -> None:
        self.h = x
        if deep:
            self.h = x[:, :4]
        linalg.MatMul.create(scope, self.h, np.zeros((3, 5), np.float32))  # E: MatMul: inner dimensions differ: a is [Batch, 4], b is [3, 5]; here self.h is [Batch, 4] or [Batch, 8], and no shape fits  [typegrad-shape]
        linalg.MatMul.create(scope, self.h, np.zeros((4, 4), np.float32))
""",
    "one shape": """
def program(scope: tg.Scope, x: Rows, deep: bool) -> Rows:
    h = x
    if deep:
        h = nn.Relu.create(scope, h)
    h @ np.zeros((16, 4), np.float32)  # E: MatMul: inner dimensions differ: a is [Batch, 8], b is [16, 4]  [typegrad-shape]
    return h
""",
    "a loop that runs again": """
def program(scope: tg.Scope, x: Rows, w: tg.Variable[tg.TFloat32, tuple[Literal[8], Literal[16]]]) -> None:
    h = x
    for _ in range(3):
        h = nn.Relu.create(scope, h @ w)  # E: MatMul: inner dimensions differ: a is [Batch, 16], b is [8, 16]; linalg.MatMul with transpose_b=True would fit  [typegrad-shape]
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
