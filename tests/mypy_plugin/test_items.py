"""Items of displays, and arrays that a user's functions return, are followed to what makes them."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """
from typing import Any, NewType
import numpy as np
import typegrad as tg
from typegrad.op import core, math
Batch = NewType("Batch", int)
Floats = np.ndarray[Any, np.dtype[np.float32]]
rng = np.random.default_rng(0)
scope: tg.Scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, (Batch, 8))
session = tg.Session(scope.graph)
"""
_DIFFER: Final = "E: MatMul: inner dimensions differ: a is [Batch, 4], b is [8, 4]; linalg.MatMul with transpose_b=True would fit  [typegrad-shape]"
_COLUMNS: Final = "E: run: the feed of x has shape [?, 4], which does not fit [Batch, 8]  [typegrad-shape]"
PROGRAMS: Final = {
    "of lists": f"""
weights = [np.zeros((8, 4), np.float32), np.zeros((8, 4), np.float32)]
x @ weights[0]
x @ weights[0] @ weights[-1]  # {_DIFFER}
""",
    "of dicts": f"""
arrays = {{"in": np.zeros((8, 4), np.float32), "out": np.zeros((8, 4), np.float32)}}
x @ arrays["in"] @ arrays["out"]  # {_DIFFER}
variables = {{"in": tg.Variable.create(scope, arrays["in"]), "out": tg.Variable.create(scope, np.zeros((3, 2), np.float32))}}
reveal_type(variables["out"])  # R: Variable[TFloat32, tuple[Literal[3], Literal[2]]]
""",
    "of displays that change": """
weights = [np.zeros((8, 4), np.float32), np.zeros((8, 4), np.float32)]
weights[1] = np.zeros((4, 2), np.float32)
reveal_type(x @ weights[0] @ weights[1])  # R: Operand[TFloat32, tuple[Batch, Any]]
""",
    "of merged dicts, and of tuples of several shapes": """
w = tg.Variable.create(scope, np.zeros((8, 3), np.float32))
base = {"a": x, "b": x[0]}
spread, merged = {**base, "c": w, "a": x[:, 0]}, base | {"c": x[:, :3]}
reveal_type(spread["a"])  # R: Operand[TFloat32, tuple[Batch]]
reveal_type(merged["b"])  # R: Operand[TFloat32, tuple[Literal[8]]]
reveal_type(merged["c"])  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
reveal_type(({"a": x} | {"b": x[0]})["a"])  # R: Placeholder[TFloat32, tuple[Batch, Literal[8]]]
triples = [("a", x[0], 1), ("b", x[:, 1:], 2)]
reveal_type(triples[1][1])  # R: Operand[TFloat32, tuple[Batch, Literal[7]]]
grown = {"a": x, "b": x[0]}
def grow(key: str) -> None:
    grown[key] = x[:, :2]
grow("a")
reveal_type({**grown, "c": x[0]}["c"])  # R: Operand[TFloat32, tuple[Any, ...]]
reveal_type((grown | {"c": x[0]})["a"])  # R: Operand[TFloat32, tuple[Batch | Literal[8], ...]]
""",
    "of gradients of any number of operands": """
import random
parameters = [tg.Variable.create(scope, np.zeros((8, 8), np.float32)) for _ in range(random.randrange(1, 4))]
y = core.Sum.create(scope, x @ parameters[0])
reveal_type(tg.gradients(scope, y, parameters))  # R: tuple[Operand[TFloat32, tuple[Literal[8], Literal[8]]] | None, ...]
reveal_type(tg.gradients(scope, y, parameters, unconnected_gradients="zero")[0])  # R: Operand[TFloat32, tuple[Literal[8], Literal[8]]]
""",
    "of functions": f"""
def noise(count: int) -> Floats:
    return rng.standard_normal((count, 4), dtype=np.float32)

def batch(count: int) -> tuple[Floats, Floats]:
    data = rng.normal(size=(count, 5)).astype(np.float32)
    return data, data[:, :1]

def either(count: int) -> Floats:
    if count:
        return noise(2)
    return np.zeros((2, 8), np.float32)

session.run(x, {{x: noise(3)}})  # {_COLUMNS.replace("?", "3")}
first, second = batch(3)
session.run(x, {{x: first}})  # {_COLUMNS.replace("4", "5")}
session.run(x, {{x: either(3)}})
""",
    "of objects that class methods make": """
from typing import NamedTuple
class Table(NamedTuple):
    values: Floats
    other: Floats
    @classmethod
    def fixed(cls, rows: int) -> "Table":
        return cls(np.zeros((8, 4), np.float32), np.zeros((rows, 4), np.float32))
    @classmethod
    def either(cls, rows: int) -> "Table":
        if rows:
            return cls(np.zeros((8, 4), np.float32), np.zeros((rows, 4), np.float32))
        return cls(np.zeros((8, 5), np.float32), np.zeros((rows, 4), np.float32))
fixed, either = Table.fixed(3), Table.either(3)
reveal_type(x @ fixed.values)  # R: Operand[TFloat32, tuple[Batch, Literal[4]]]
reveal_type(core.Constant.create(scope, fixed.other))  # R: Constant[TFloat32, tuple[Any, Literal[4]]]
reveal_type(core.Constant.create(scope, either.values))  # R: Constant[TFloat32, tuple[Any, ...]]
""",
    "of functions of NumPy": """
session.run(x, {x: np.broadcast_to(np.zeros(8, np.float32), (3, 8))})
session.run(x, {x: np.broadcast_to(np.zeros(4, np.float32), (3, 4))})  # E: run: the feed of x has shape [3, 4], which does not fit [Batch, 8]  [typegrad-shape]
session.run(x, {x: np.repeat(np.zeros((1, 8), np.float32), 3, axis=0)})
reveal_type(core.Constant.create(scope, np.cumsum(np.zeros((2, 3), np.float32))))  # R: Constant[TFloat32, tuple[Literal[6]]]
reveal_type(core.Constant.create(scope, np.cumprod(np.zeros((2, 3), np.float32), axis=1)))  # R: Constant[TFloat32, tuple[Literal[2], Literal[3]]]
session.run(x, {x: np.repeat(np.zeros((1, 8), np.float32), 3, axis=1)})  # E: run: the feed of x has shape [1, 24], which does not fit [Batch, 8]  [typegrad-shape]
""",
    "element types": """
ids = core.Shape.create(scope, x)
core.Stack.create(scope, [ids[0], core.Size.create(scope, x, tg.TInt64)])  # E: Stack: values[0] is int32 but values[1] is int64; cast one with dtypes.Cast  [typegrad-dtype]
tables = {"a": tg.Variable.create(scope, np.zeros((8, 4), np.float32))}
math.AddN.create(scope, [x[0], *tables.values()])  # E: AddN: `inputs` must have one shape: shapes [8] and [8, 4] differ in rank  [typegrad-shape]
reveal_type(tg.Variable.create(scope, np.float32(2.0)))  # R: Variable[TFloat32, tuple[()]]
""",
    "NumPy's integers": """
count = core.Shape.create(scope, x, tg.TInt64)[0]
reveal_type(core.Range.create(scope, np.int64(0), count, np.int64(1)))  # R: Range[TInt64, tuple[Batch]]
reveal_type(core.Range.create(scope, 0, np.int64(5), 1))  # R: Range[TInt64, tuple[Literal[5]]]
reveal_type(core.Range.create(scope, 0, 1, 0.25))  # R: Range[TFloat32, tuple[Literal[4]]]
reveal_type(core.Range.create(scope, core.Constant.create(scope, 0.0), 1, 0.1))  # R: Range[TFloat32, tuple[Literal[10]]]
core.Range.create(scope, 0.0, 1.0, -0.1)  # E: Range: `delta` is -0.1, which does not lead from `start` 0.0 to `limit` 1.0  [typegrad-shape]
reveal_type(core.LinSpace.create(scope, 0.0, 1.0, 7))  # R: LinSpace[TFloat32, tuple[Literal[7]]]
reveal_type(core.Range.create(scope, 0, np.float64(5), 1))  # R: Range[TFloat64, tuple[Any]]
core.Range.create(scope, 0, count, 0.5)  # E: Range: limit is int64 but delta is the Python float 0.5; cast limit with dtypes.Cast, or write an int  [typegrad-dtype]
reveal_type(core.Range.create(scope, 0, 5, 1))  # R: Range[TInt32, tuple[Literal[5]]]
""",
    "chained comparisons": """
0 < x < 1  # E: the operand has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
0 < session.run(x)[0, 0] < 1
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
