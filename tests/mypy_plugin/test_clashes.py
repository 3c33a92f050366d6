"""Where the same two sizes, element types or classes clash about one value, that is one error; about two, two."""

from __future__ import annotations

from typing import Final

import pytest

from mypy_plugin.checking import disagreements

HEADER: Final = """\
from typing import Literal, NewType
import numpy as np
import typegrad as tg
from typegrad.op import core, linalg, math
Batch = NewType("Batch", int)
Other = NewType("Other", int)
scope = tg.Scope(tg.Graph())
session = tg.Session(scope.graph)
x = core.Placeholder.create(scope, tg.TFloat32, (None, 4))
h = x @ np.zeros((4, 3), np.float32)
w = tg.Variable.create(scope, np.zeros((3, 5), np.float32))
"""
FIVE: Final = "AddV2: shapes [?, 3] and [5] do not broadcast: 3 and 5 are neither equal nor 1{}  [typegrad-shape]"
KEY: Final = "outputs has no key 'yy'; its keys are 'y'  [typegrad-call]"
INT: Final = "MatMul: a is int32 but b is float32; cast one with dtypes.Cast  [typegrad-dtype]"
PROGRAMS: Final = {
    "sizes of what an operation makes": f"""
h + np.zeros(5, np.float32)  # E: {FIVE.format("")}
(h * 2.0) - np.zeros((5,), np.float32)
h - np.zeros(7, np.float32)  # E: Sub: shapes [?, 3] and [7] do not broadcast: 3 and 7 are neither equal nor 1  [typegrad-shape]
other = x @ np.ones((4, 3), np.float32)
other + np.zeros(5, np.float32)  # E: {FIVE.format("")}
""",
    "numbers of dimensions": """
rows = core.Sum.create(scope, h, 1)
core.Concat.create(scope, [rows, h], 0)  # E: Concat: `values` differ in rank: [?], [?, 3]  [typegrad-shape]
core.Concat.create(scope, [h, rows], 0)
""",
    "element types of what an operation makes": f"""
ids = math.ArgMax.create(scope, h, 1, tg.TInt32)
hot = core.OneHot.create(scope, ids, 3, 1, 0)
hot @ w  # E: {INT}
linalg.MatMul.create(scope, hot * 2, w)
""",
    "two placeholders, or one that is used in two wrong calls": """
narrow, other = np.zeros((6, 2), np.float32), np.zeros((6, 2), np.float32)
x @ narrow  # E: MatMul: inner dimensions differ: a is [?, 4], b is [6, 2]  [typegrad-shape]
x @ other  # E: MatMul: inner dimensions differ: a is [?, 4], b is [6, 2]  [typegrad-shape]
""",
    "a placeholder that fits neither its use nor its feed": """
z = core.Placeholder.create(scope, tg.TFloat32, (None, 7))
y = z @ w[:, :2]  # E: MatMul: inner dimensions differ: a is [?, 7], b is [3, 2]; declare z as float32 [?, 3], which line 15 feeds  [typegrad-shape]
session.run(z, {z: np.zeros((2, 3), np.float32)})
""",
    "a placeholder of another size of numbers, used repeatedly": """
wide = core.Placeholder.create(scope, tg.TFloat64, (None, 3))
wide @ w  # E: MatMul: a is float64 but b is float32; cast one with dtypes.Cast  [typegrad-dtype]
wide - h
""",
    "a placeholder whose element type an operation does not take": """
ids = core.Placeholder.create(scope, tg.TFloat32, (None,))
core.Gather.create(scope, w, ids, 0)  # E: Gather: indices is float32, but must be int16, int32 or int64; cast it with dtypes.Cast  [typegrad-dtype]
math.Equal.create(scope, math.ArgMax.create(scope, h, 1, tg.TInt32), ids)
""",
    "an argument that is refused, and used in the body": """
def layer(v: tg.Operand[tg.TFloat32, tuple[int, Literal[3]]]) -> tg.Operand[tg.TFloat32]:
    return v @ w
layer(x)  # E: Argument 1 to "layer" has incompatible type "Placeholder[TFloat32, tuple[Any, Literal[4]]]"; expected "Operand[TFloat32, tuple[int, Literal[3]]]"  [arg-type]
""",
    "an attribute in several methods": """
class Layer:
    def __init__(self) -> None:
        self.b = tg.Variable.create(scope, np.zeros(5, np.float32))
    def __call__(self, v: tg.Operand[tg.TFloat32, tuple[Batch, Literal[3]]]) -> tg.Op:
        return v + self.b  # E: AddV2: shapes [Batch, 3] and [5] do not broadcast: 3 and 5 are neither equal nor 1  [typegrad-shape]
    def inverse(self, v: tg.Operand[tg.TFloat32, tuple[Batch, Literal[3]]]) -> tg.Op:
        return v - self.b
""",
    "an attribute of several objects": f"""
class Layer:
    def __init__(self) -> None:
        self.b = tg.Variable.create(scope, np.zeros(5, np.float32))
    def __call__(self, v: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
        return v + self.b
first, second = Layer(), Layer()
first(h)  # E: {FIVE.format("; in Layer.__call__, line 17")}
first(h[:2])
second((x @ np.ones((4, 3), np.float32))[None])
""",
    "two calls of one statement, of which the run makes the first one": """
class Model:
    def __init__(self) -> None:
        self.start = tg.Variable.create(scope, np.zeros(5, np.float32))
    def one(self, v: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
        return v + self.start
    def two(self, v: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
        return v * self.start
model = Model()
model.two(h) - model.one(h)  # E: Mul: shapes [?, 3] and [5] do not broadcast: 3 and 5 are neither equal nor 1; in Model.two, line 19  [typegrad-shape]
""",
    "the use that the run comes to first": """
class Model:
    def __init__(self) -> None:
        self.start = tg.Variable.create(scope, np.zeros(3))
    def one(self, v: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
        return v + self.start
    def two(self, v: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
        return v * self.start  # E: Mul: x is float32 but y is float64; cast one with dtypes.Cast, or create self.start from an array.astype(np.float32)  [typegrad-dtype]
model = Model()
model.two(h) - model.one(h)
""",
    "a value that is declared otherwise": """
v: tg.Operand[tg.TFloat32, tuple[Literal[3], Literal[6]]] = w * 2.0  # E: Incompatible types in assignment (expression has type "Operand[TFloat32, tuple[Literal[3], Literal[5]]]", variable has type "Operand[TFloat32, tuple[Literal[3], Literal[6]]]")  [assignment]
v + w
""",
    "what a refused call makes": """
padded = core.Pad.create(scope, h[:, :, None], [[0, 0], [1, 1]])  # E: Pad: `paddings` has 2 rows, but `input` has shape [?, 3, 1]  [typegrad-shape]
core.Concat.create(scope, [padded, padded], 2)
""",
    "arrays that a function makes": """
def pictures(count: int) -> np.ndarray:
    return np.zeros((count, 6), np.float32)
session.run(x, {x: pictures(3)})  # E: run: the feed of x has shape [3, 6], which does not fit [?, 4]  [typegrad-shape]
rows = pictures(4)
session.run(x, {x: rows})
""",
    "a key that is misspelt where the dict is made": f"""
outputs = {{"y": h}}
outputs["yy"] * 2.0  # E: {KEY}
session.run(outputs["yy"])
""",
    "what a run returns for an operation": """
step = core.NoOp.create(scope)
loss, value = session.run((step, core.Constant.create(scope, 1.0)))
print(1.0 - loss)  # E: Unsupported operand types for - ("float" and "None")  [operator]
print(float(loss))
""",
    "names that an unpacking lacks": """
def three() -> tuple[int, int, int]:
    return 1, 2, 3
first, second = three()  # E: Too many values to unpack (2 expected, 3 provided)  [misc]
print(third, third)
print(fourth)  # E: Name "fourth" is not defined  [name-defined]
""",
    "code behind an operand that has no truth value": """
def active(f: None) -> object:
    return h > 0 and f(h)  # E: the operand has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
""",
    "arguments of the program's own function": """
def made(name: str, size: int) -> None:
    print(name, size)
made(3, "a")  # E: made(): `name` is int and `size` is str; swap them  [typegrad-call]
made(3, 4)  # E: Argument 1 to "made" has incompatible type "int"; expected "str"  [arg-type]
""",
    "what is no variable": """
session.assign(h, np.zeros(3))  # E: Session.assign(): `variable` must be a Variable, not an operand  [typegrad-call]
""",
}


@pytest.fixture(scope="module")
def different(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    return disagreements(tmp_path_factory.mktemp("programs"), PROGRAMS, HEADER)


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
