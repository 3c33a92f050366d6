"""A loop whose number of passes is known is checked pass by pass, if a pass changes the shape of a name."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
from __future__ import annotations
from typing import Literal, NewType
import numpy as np
import typegrad as tg
from typegrad.op import core, linalg, math, nn, random
Batch = NewType("Batch", int)
Rows = tg.Operand[tg.TFloat32, tuple[Batch, Literal[8]]]
Wide = tg.Operand[tg.TFloat32, tuple[Batch, Literal[16]]]
Widening = tg.Variable[tg.TFloat32, tuple[Literal[8], Literal[16]]]
Narrowing = tg.Variable[tg.TFloat32, tuple[Literal[16], Literal[4]]]
"""
PROGRAMS: Final = {
    "a part that the last pass has not": """
Steps = tg.Operand[tg.TFloat32, tuple[Batch, Literal[4], Literal[8]]]
def program(x: Rows, steps: Steps) -> None:
    h: tg.Operand[tg.TFloat32] = x
    for t in range(5):
        h = h + steps[:, t]  # E: StridedSlice: index 4 is out of range for dimension 1 of shape [Batch, 4, 8]  [typegrad-shape]
    for t in range(4):
        h = h + steps[:, t + 1]  # E: StridedSlice: index 4 is out of range for dimension 1 of shape [Batch, 4, 8]  [typegrad-shape]
    for t in reversed(range(4)):
        h = h + steps[:, t] + steps[:, t - 1]
    for t in range(8):
        if t == 4:
            break
        h = h + steps[:, t]
    for t in range(8):
        h = h + steps[:, t % 4]
""",
    "a state that grows": """
def program(scope: tg.Scope, x: Rows) -> None:
    h = x
    for _ in range(2):
        h = core.Concat.create(scope, [h, x], 1)
    reveal_type(h)  # R: Concat[TFloat32, tuple[Batch, Literal[24]]]
    h @ np.zeros((16, 8), np.float32)  # E: MatMul: inner dimensions differ: a is [Batch, 24], b is [16, 8]  [typegrad-shape]
    for _ in range(1):
        h = h[:, 1:]
    reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Literal[23]]]
    for _ in range(0):
        h = h[:, 1:]
    reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Any]]
""",
    "a call that mypy checks with several shapes": """
Any32 = tg.Operand[tg.TFloat32]
def sample(scope: tg.Scope, p: Any32, sizes: tuple[int, int]) -> Any32:
    u = random.RandomUniform.create(scope, sizes, tg.TFloat32)
    return core.Select.create(scope, u < p, 1.0, 0.0)
def back(scope: tg.Scope, h: Any32, w: tg.Variable[tg.TFloat32, tuple[Literal[12], Literal[5]]]) -> Any32:
    return linalg.MatMul.create(scope, h, w, transpose_b=True)
def program(scope: tg.Scope, w: tg.Variable[tg.TFloat32, tuple[Literal[12], Literal[5]]]) -> None:
    v: Any32 = core.Placeholder.create(scope, tg.TFloat32, (16, 12))
    for _ in range(2):
        h = sample(scope, v @ w, (16, 5))
        v = sample(scope, back(scope, h, w), (16, 5))  # E: Less: shapes [16, 5] and [16, 12] do not broadcast: 5 and 12 are neither equal nor 1; in sample, line 15  [typegrad-shape]
""",
    "a sum that starts at zero": """
class Model:
    def __init__(self, scope: tg.Scope, variables: list[tg.Variable[tg.TFloat32]]) -> None:
        self.scope = scope
        self.variables = variables
def program(scope: tg.Scope, session: tg.Session, x: Rows, w: Widening, b: tg.Variable[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    adam = tg.optimizers.Adam(scope.graph)
    total = 0
    for i in range(3):
        total += math.Mean.create(scope, x * float(i))
    reveal_type(total)  # R: Operand[TFloat32, tuple[()]]
    adam.minimize(total)
    session.run([total, {"total": total}])
    penalty = 0.0
    for _, each in enumerate((w, b)):
        for _ in range(2):
            penalty = penalty + nn.L2Loss.create(scope, each)
    adam.minimize(penalty + 0.1 * sum(nn.L2Loss.create(scope, each) for each in [w, b]))
    of_dict, by_name = 0.0, {"w": w, "b": b}
    for each in by_name.values():
        of_dict += nn.L2Loss.create(scope, each)
    adam.minimize(of_dict)
    return total
def unknown(scope: tg.Scope, session: tg.Session, x: Rows, model: Model, n: int, flag: bool) -> None:
    adam = tg.optimizers.Adam(scope.graph)
    never, skipped, left, some = 0.0, 0.0, 0.0, 0.0
    for _ in range(0):
        never += math.Mean.create(scope, x)
    reveal_type(never)  # R: float | Operand[TFloat32, tuple[()]]
    for _ in range(3):
        if flag:
            skipped += math.Mean.create(scope, x)
    reveal_type(skipped)  # R: float | Operand[TFloat32, tuple[()]]
    for _ in range(3):
        if flag:
            break
        left += math.Mean.create(scope, x)
    reveal_type(left)  # R: float | Operand[TFloat32, tuple[()]]
    for each in model.variables:
        some += nn.L2Loss.create(scope, each)
    adam.minimize(some)  # E: Adam.minimize(): `loss` may be a number, for the sum of no operands is 0; math.AddN.create(scope, [...]) adds a list of operands  [typegrad-call]
    adam.minimize(2 * some)  # E: Adam.minimize(): `loss` may be a number, for the sum of no operands is 0; math.AddN.create(scope, [...]) adds a list of operands  [typegrad-call]
    session.run([x, some])  # E: Session.run(): `fetches` may be a number, for the sum of no operands is 0; math.AddN.create(scope, [...]) adds a list of operands  [typegrad-call]
    session.run({"x": x, "some": some})  # E: Session.run(): `fetches` may be a number, for the sum of no operands is 0; math.AddN.create(scope, [...]) adds a list of operands  [typegrad-call]
    adam.minimize(math.Mean.create(scope, x) + some)
""",
    "a second pass that fails": """
def program(scope: tg.Scope, x: Rows, w: Widening) -> None:
    h = x
    for _ in range(2):
        h = linalg.MatMul.create(scope, h, w)  # E: MatMul: inner dimensions differ: a is [Batch, 16], b is [8, 16]; linalg.MatMul with transpose_b=True would fit  [typegrad-shape]
    k = x
    for _ in range(1):
        k = linalg.MatMul.create(scope, k, w)
""",
    "a number that a pass leaves to the next": """
def variable(scope: tg.Scope, rows: int, columns: int) -> tg.Operand[tg.TFloat32]:
    return tg.Variable.create(scope, np.zeros((rows, columns), np.float32))
def program(scope: tg.Scope, x: Rows) -> None:
    h = x
    width = 8
    for units in (16, 4):
        h = linalg.MatMul.create(scope, h, variable(scope, width, units))
        width = units
    reveal_type(h)  # R: MatMul[TFloat32, tuple[Batch, Literal[4]]]
    k = x
    rows = 9
    for units in (16, 4):
        k = linalg.MatMul.create(scope, k, variable(scope, rows, units))  # E: MatMul: inner dimensions differ: a is [Batch, 8], b is [9, 16]  [typegrad-shape]
        rows = units
def unknown(scope: tg.Scope, x: Rows, y: Wide, is_wide: bool) -> None:
    h = y if is_wide else x
    width = 8
    if is_wide:
        width = 16
    for units in (16, 4):
        h = linalg.MatMul.create(scope, h, variable(scope, width, units))
        width = units
    z = x
    size = 8
    for _ in range(2):
        for units in (16,):
            z = linalg.MatMul.create(scope, z, variable(scope, size, units))
            size = units
    first = 8
    def change() -> None:
        nonlocal first
        first = 16
    change()
    v = y
    for units in (16, 4):
        v = linalg.MatMul.create(scope, v, variable(scope, first, units))
        first = units
""",
    "a shape that settles": """
def program(scope: tg.Scope, x: Rows, w: Widening) -> Wide:
    h = x
    for _ in range(1000):
        h = nn.Relu.create(scope, linalg.MatMul.create(scope, h[:, :8], w))
    reveal_type(h)  # R: Relu[TFloat32, tuple[Batch, Literal[16]]]
    return h
""",
    "many passes": """
def program(scope: tg.Scope, x: Rows) -> None:
    h = x
    for _ in range(1000):
        h = core.Concat.create(scope, [h, x], 1)
    reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Any]]
""",
    "one pass of an operator": """
def program(scope: tg.Scope, x: Rows, w: Widening) -> None:
    h: tg.Operand[tg.TFloat32] = x
    for each in (w,):
        h = h @ each
    reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Literal[16]]]
""",
    "an unknown number of passes": """
def program(scope: tg.Scope, x: Rows, w: Widening, count: int) -> None:
    h = x
    for _ in range(count):
        h = linalg.MatMul.create(scope, h, w)
    reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Any]]
""",
    "layers": """
def program(scope: tg.Scope, x: Rows, widening: Widening, narrowing: Narrowing) -> None:
    h = x
    for each in (widening, narrowing):
        h = nn.Relu.create(scope, h @ each)
    reveal_type(h)  # R: Relu[TFloat32, tuple[Batch, Literal[4]]]
    layers = [widening, narrowing]
    biases = [np.zeros(16, np.float32), np.zeros(4, np.float32)]
    k = x
    for weight, bias in zip(layers, biases):
        k = nn.Relu.create(scope, k @ weight + bias)
    reveal_type(k)  # R: Relu[TFloat32, tuple[Batch, Literal[4]]]
    y = x
    for weight, rate in [(narrowing, 0.1), (widening, 0.2)]:
        y = rate * linalg.MatMul.create(scope, y, weight)  # E: MatMul: inner dimensions differ: a is [Batch, 8], b is [16, 4]  [typegrad-shape]
    z = x
    for rows in (8, 16):
        z = nn.Relu.create(scope, z @ tg.Variable.create(scope, np.zeros((rows, 16), np.float32)))
    reveal_type(z)  # R: Relu[TFloat32, tuple[Batch, Literal[16]]]
""",
    "a size that depends on the pass": """
def program(scope: tg.Scope, x: tg.Operand[tg.TFloat32, tuple[Literal[4], Literal[8]]]) -> None:
    h = x
    for _ in range(2):
        columns = core.Shape.create(scope, h)[1]
        zeros = core.Fill.create(scope, core.Stack.create(scope, [4, columns]), np.float32(0))
        h = core.Concat.create(scope, [h, h + zeros], 1)
    reveal_type(h)  # R: Concat[TFloat32, tuple[Literal[4], Literal[32]]]
""",
    "a loop in a loop": """
def program(scope: tg.Scope, x: Rows) -> None:
    h = x
    for _ in range(2):
        for _ in range(2):
            h = core.Concat.create(scope, [h, x], 1)
        h = h[:, 1:]
    reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Literal[38]]]
""",
    "passes that differ": """
def program(scope: tg.Scope, x: Rows, widening: Widening, square: tg.Variable[tg.TFloat32, tuple[Literal[16], Literal[16]]]) -> None:
    h = x
    for i in range(3):
        if i == 0:
            h = linalg.MatMul.create(scope, h, widening)
        h = linalg.MatMul.create(scope, h, square)
    k = x
    for i in range(3):
        k = linalg.MatMul.create(scope, k, widening) if i == 0 else k
    y = x
    for i in range(3):
        y = linalg.MatMul.create(scope, y, widening)
        if i == 0:
            break
    z = x
    for i in range(3):
        try:
            z = linalg.MatMul.create(scope, z, widening)
        except tg.ShapeError:
            pass
    reveal_type(z)  # R: Operand[TFloat32, tuple[Batch, Any]]
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
