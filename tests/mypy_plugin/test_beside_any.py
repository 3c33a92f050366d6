"""What mypy takes for Any beside an operand leaves its element type known, and its shape if it is a number."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
from __future__ import annotations
from typing import Any, Literal, NewType
import numpy as np
import typegrad as tg
from typegrad.op import core, linalg, math, nn
Batch = NewType("Batch", int)
Rows = tg.Operand[tg.TFloat32, tuple[Batch, Literal[3]]]
Square = tg.Operand[tg.TFloat32, tuple[Literal[3], Literal[3]]]
Counts = tg.Operand[tg.TInt32, tuple[Batch]]
"""

PROGRAMS: Final = {
    "numbers": """
def program(scope: tg.Scope, x: Rows, n: int) -> Rows:
    reveal_type(x * (1.0 / np.sqrt(8)))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
    reveal_type(x * n**-0.5)  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
    scale = 1 / np.sqrt(n)
    reveal_type(-scale * x + scale)  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
    reveal_type(math.Mul.create(scope, x, 1 / np.sqrt(8)))  # R: Mul[TFloat32, tuple[Batch, Literal[3]]]
    return x * (1.0 / np.sqrt(8))
""",
    "a gradient of unknown element type": """
scope = tg.Scope(tg.Graph())
w = tg.Variable.create(scope, np.ones((2, 1), np.float32))
gradients = core.Gradients.create(scope, core.Sum.create(scope, math.Square.create(scope, w)), [w])
dw = gradients.dy(0)
assert dw is not None
w.assign_sub(scope, core.Constant.create(scope, 0.1) * dw)
rate = core.Constant.create(scope, 1)
step = rate * dw  # E: Mul: input `x` is int32, but `y` is float32; cast one with dtypes.Cast; x is 'rate' from line 17, y is 'dw' from line 13  [typegrad-dtype]
w.assign_sub(scope, -step)
def update(v: tg.Variable[tg.TFloat32], n: tg.Operand[tg.TInt32], dv: tg.Operand) -> None:
    v.assign_sub(scope, n * dv)
""",
    "counts beside what is known": """
def update(v: tg.Variable[tg.TFloat32], scope: tg.Scope, n: tg.Operand[tg.TInt32]) -> None:
    v.assign_sub(scope, n * 2)  # E: Variable.assign_sub: the variable is float32 but value is int32; cast one with dtypes.Cast  [typegrad-dtype]
""",
    "shapes": """
tf = tg.Ops.create()
def drawn(shape: Any) -> tg.Operand[tg.TFloat32]:
    return tf.random.truncated_normal(shape)
def zeros(shape: Any) -> tg.Operand[tg.TFloat32]:
    return tf.zeros(shape)
def fed(shape: Any) -> tg.Operand[tg.TFloat32]:
    return tf.placeholder(tg.TFloat32, shape)
def misspelt(*shape: int) -> tg.Variable[tg.TFloat32]:
    return tf.variable(tf.random.truncated_normal(tf.array(*shape)))  # E: 'Ops' object has no attribute 'array'; did you mean `tf.constant`?  [typegrad-call]
def program(shape: Any) -> None:
    reveal_type(drawn(shape))  # R: Operand[TFloat32, tuple[Any, ...]]
    reveal_type(zeros(shape))  # R: Operand[TFloat32, tuple[Any, ...]]
    reveal_type(fed(shape))  # R: Operand[TFloat32, tuple[Any, ...]]
    reveal_type(misspelt(5, 5, 1, 8))  # R: Variable[TFloat32, tuple[Any, ...]]
    reveal_type(drawn((2, 3)))  # R: Operand[TFloat32, tuple[Literal[2], Literal[3]]]
""",
    "arrays beside numbers": """
def program(scope: tg.Scope, x: Rows, rng: np.random.Generator, n: int) -> None:
    scale = np.sqrt(2.0 / 3)
    reveal_type(tg.Variable.create(scope, rng.normal(size=(3, 4)) / np.sqrt(n)))  # R: Variable[TFloat64, tuple[Literal[3], Literal[4]]]
    w = tg.Variable.create(scope, (scale * rng.normal(size=(3, 4))).astype(np.float32))
    reveal_type(x @ w)  # R: Operand[TFloat32, tuple[Batch, Literal[4]]]
    reveal_type(tg.Variable.create(scope, np.ones(2, np.float32) * -np.log(n)))  # R: Variable[TFloat64, tuple[Literal[2]]]
    weights = (rng.normal(size=(3, 4)) / np.sqrt(n)).astype(np.float32)
    reveal_type(x @ weights)  # R: Operand[TFloat32, tuple[Batch, Literal[4]]]
    reveal_type(x / (np.ones((1, 3)) / np.sqrt(n)).astype(np.float32))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
    x @ (np.ones((4, 3)) / np.sqrt(n)).astype(np.float32)  # E: MatMul: inner dimensions differ: a is [Batch, 3], b is [4, 3]; linalg.MatMul with transpose_b=True would fit  [typegrad-shape]
    x @ (np.ones((3, 4)) / np.sqrt(n))  # E: MatMul: a is float32 but b is an array of float64; convert it with astype(np.float32)  [typegrad-dtype]
""",
    "arrays whose elements are Any": """
turn = np.array([[1.0, 0.5], [0.0, 1.0]])
class Filter:
    def __init__(self) -> None:
        self.noise = np.array([0.5, 2.0])
    def step(self, state: tg.Operand[tg.TFloat64, tuple[Literal[2], Batch]], x: Rows) -> None:
        reveal_type(turn @ state)  # R: Operand[TFloat64, tuple[Literal[2], Batch]]
        reveal_type(turn.T * state[:, :2])  # R: Operand[TFloat64, tuple[Literal[2], Literal[2]]]
        reveal_type(self.noise * state[:, 0] + 1.0)  # R: Operand[TFloat64, tuple[Literal[2]]]
        turn @ x  # E: MatMul: b is float32 but a is an array of float64; convert it with astype(np.float32)  [typegrad-dtype]
        turn + (state[:, :1] - np.ones((1, 3)))  # E: AddV2: shapes [2, 2] and [2, 3] do not broadcast: 2 and 3 are neither equal nor 1  [typegrad-shape]
def program(matrix: np.ndarray, x: Rows, number: np.float32) -> int:
    reveal_type(matrix @ x)  # R: Operand[TFloat32, tuple[Any, ...]]
    reveal_type(matrix > x)  # R: Operand[TBool, tuple[Any, ...]]
    reveal_type(number >= x)  # R: Operand[TBool, tuple[Batch, Literal[3]]]
    bounds = np.array([[1.0, 2.0]], np.float32)
    reveal_type(bounds < x[:, :2])  # R: Operand[TBool, tuple[Batch, Literal[2]]]
    if number > x:  # E: the operand has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
        return 1
    reveal_type(matrix > 1)  # R: ndarray[tuple[Any, ...], dtype[bool[bool]]]
    return 0
""",
    "anything": """
def program(x: Rows, n: Counts, anything: Any) -> None:
    reveal_type(x * anything)  # R: Operand[TFloat32, tuple[Any, ...]]
    reveal_type(anything + n)  # R: Operand[TInt32, tuple[Any, ...]]
    x * anything + n  # E: AddV2: x is float32 but y is int32; cast one with dtypes.Cast  [typegrad-dtype]
    reveal_type(anything + 1)  # R: Any

def scaled(x: Rows, **options: Any) -> Rows:
    reveal_type(x * options.get("scale", 1.0))  # R: Operand[TFloat32, tuple[Any, ...]]
    return x * options["scale"]
""",
    "drawn numbers": """
from typegrad import functions
from typegrad.functions.random import Generator
def program(scope: tg.Scope, n: int, scale: float, x: Rows, sizes: list[int], numbers: Generator, anything: Any) -> None:
    reveal_type(functions.truncated_normal(scope, (n, 3), stddev=n**-0.5))  # R: Operand[TFloat32, tuple[Any, Literal[3]]]
    reveal_type(functions.truncated_normal(scope, (n, n), stddev=n**-0.5))  # R: Operand[TFloat32, tuple[Any, Any]]
    reveal_type(functions.normal(scope, (4,), stddev=scale**0.5))  # R: Operand[TFloat32, tuple[Literal[4]]]
    reveal_type(functions.normal(scope, (4, 3), 0.0, scale**0.5, tg.TFloat64))  # R: Operand[TFloat64, tuple[Literal[4], Literal[3]]]
    reveal_type(functions.normal(scope, (3, 4), stddev=np.sqrt(2 / n)))  # R: Operand[TFloat32, tuple[Literal[3], Literal[4]]]
    reveal_type(functions.normal(scope, sizes, stddev=scale**0.5))  # R: Operand[TFloat32, tuple[Any, ...]]
    reveal_type(functions.normal(scope, (4, 3), stddev=anything))  # R: Operand[TFloat32, tuple[Any, ...]]
    reveal_type(functions.normal(scope, (4, 3), stddev=anything, dtype=anything))  # R: Operand[Any, tuple[Any, ...]]
    reveal_type(functions.uniform(scope, (4, 3), -(n**-0.5), n**-0.5))  # R: Operand[TFloat32, tuple[Literal[4], Literal[3]]]
    reveal_type(functions.uniform(scope, (4, 3), 0, anything, tg.TInt32))  # R: Operand[TInt32, tuple[Any, ...]]
    reveal_type(numbers.normal(scope, (4, 3), stddev=n**-0.5))  # R: Operand[TFloat32, tuple[Literal[4], Literal[3]]]
    x @ functions.normal(scope, (4, 3), stddev=n**-0.5)  # E: MatMul: inner dimensions differ: a is [Batch, 3], b is [4, 3]; linalg.MatMul with transpose_b=True would fit  [typegrad-shape]
    x @ functions.normal(scope, (3, 4), stddev=n**-0.5, dtype=tg.TFloat64)  # E: MatMul: a is float32 but b is float64; cast one with dtypes.Cast  [typegrad-dtype]
""",
    "a size that no dimension has": """
def program(y: tg.Operand[tg.TFloat32, tuple[Literal[-1], Literal[3]]]) -> None:
    reveal_type(y * 2.0)  # R: Operand[TFloat32, tuple[Any, Literal[3]]]
    y.expect(tg.TFloat32, (4, 3))
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
