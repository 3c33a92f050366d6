"""Variables and attributes that are assigned several operations keep the element type and, at each point, the shape."""

from __future__ import annotations

from typing import Final

import pytest

from mypy_plugin.checking import disagreements
from support.mypy_cache import REDEFINITION

HEADER: Final = """\
from __future__ import annotations
import functools
import itertools
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
    "a property that is assigned, too": """
class Model:
    def __init__(self, w: Square) -> None:
        self._w = w
    @property
    def w(self) -> tg.Operand[tg.TFloat32]:
        return self._w
    @w.setter
    def w(self, value: Square) -> None:
        self._w = value
def program(x: Rows, model: Model) -> None:
    y = x
    y = model.w
    reveal_type(y)  # R: Operand[TFloat32, tuple[Any, ...]]
""",
    "arrays that are filled": """
def padded(n: int) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    rows = np.ones((n, 2))
    rows[:, 0] = 1.0
    reveal_type(rows)  # R: ndarray[tuple[int, int], dtype[float64]]
    return rows  # E: Incompatible return value type (got "ndarray[tuple[int, int], dtype[float64]]", expected "ndarray[tuple[int, int], dtype[floating[_32Bit]]]")  [return-value]
""",
    "in a comprehension": """
def program(scope: tg.Scope, x: Rows, layers: list[tg.Operand[tg.TFloat32]]) -> None:
    h = x * 1.0
    outputs = [h := h @ w for w in layers]
    reveal_type(h)  # R: Operand[TFloat32, tuple[Any, ...]]
    kept = x * 1.0
    print([each for each in layers if kept is not each])
    reveal_type(kept)  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
""",
    "of another element type, which mypy refuses": """
def program(scope: tg.Scope, session: tg.Session, x: Rows, n: Counts, w: Square) -> None:
    y = core.Sum.create(scope, n) + 2
    y = w  # E: Incompatible types in assignment (expression has type "Operand[TFloat32, tuple[Literal[3], Literal[3]]]", variable has type "Operand[TInt32, tuple[Any, ...]]")  [assignment]
    print(x @ y, y[:, 0], session.run(y) * 0.5)
    y = core.Sum.create(scope, n) * 3
    x @ y  # E: @ is the product of matrices, but its right side is a number; to multiply x by it, write *  [typegrad-shape]
""",
    "a sum that starts at zero": """
def program(scope: tg.Scope, loss: tg.Operand[tg.TFloat32], variables: list[tg.Variable[tg.TFloat32]]) -> tg.Operand[tg.TFloat32]:
    penalty = 0.0
    for each in variables:
        penalty = penalty + core.Sum.create(scope, each * each)
    total = 0
    for each in variables:
        total += nn.L2Loss.create(scope, each)
    reveal_type(total)  # R: int | Operand[TFloat32, tuple[()]]
    count = 0
    for each in variables:
        count += 1
    reveal_type(count)  # R: int
    return loss + 0.1 * penalty + total / count
class Layer:
    def penalty(self) -> tg.Operand[tg.TFloat32]:
        raise NotImplementedError
def of_layers(loss: tg.Operand[tg.TFloat32], layers: list[Layer]) -> tg.Operand[tg.TFloat32]:
    total = 0.0
    for each in layers:
        total += each.penalty()
    return loss + total
class Model:
    def __init__(self, scope: tg.Scope, variables: list[tg.Variable[tg.TFloat32]]) -> None:
        self.penalty = 0.0
        for each in variables:
            self.penalty += core.Sum.create(scope, each)
""",
    "a parameter first": """
def program(scope: tg.Scope, x: Rows, w: Square) -> Rows:
    h = x
    for _ in range(2):
        h = nn.Relu.create(scope, h @ w)
    reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
    return h
""",
    "two at once": """
def program(scope: tg.Scope, x: Rows, w: Square) -> None:
    c, h = x, w
    for _ in range(2):
        h = nn.Relu.create(scope, h)
        c = c @ h
    reveal_type(h.dtype)  # R: type[TFloat32]
""",
    "a tuple": """
def program(x: Rows) -> None:
    state = (x, x)
    for _ in range(2):
        a, b = state
        state = (a + b, a)
    reveal_type(state)  # R: tuple[Operand[TFloat32, tuple[Batch, Literal[3]]], Operand[TFloat32, tuple[Batch, Literal[3]]]]
    state = (x, x, x)  # E: Incompatible types in assignment (expression has type "tuple[Operand[TFloat32, tuple[Batch, Literal[3]]], Operand[TFloat32, tuple[Batch, Literal[3]]], Operand[TFloat32, tuple[Batch, Literal[3]]]]", variable has type "tuple[Operand[TFloat32, tuple[Any, ...]], Operand[TFloat32, tuple[Any, ...]]]")  [assignment]
""",
    "an annotated attribute": """
class Model:
    def __init__(self, scope: tg.Scope, x: Rows, w: Square) -> None:
        self.h: Rows = nn.Relu.create(scope, x)
        self.h = w  # E: Incompatible types in assignment (expression has type "Operand[TFloat32, tuple[Literal[3], Literal[3]]]", variable has type "Operand[TFloat32, tuple[Batch, Literal[3]]]")  [assignment]
        self.variables: list[tg.Variable] = []
        self.variables.append(tg.Variable.create(scope, 1.0))
        reveal_type(self.variables)  # R: list[Variable[Any, tuple[Any, ...]]]
""",
    "variables in one name": """
def made(scope: tg.Scope, rows: int) -> tg.Variable[tg.TFloat32]:
    return tg.Variable.create(scope, np.zeros((rows, 4), np.float32))
def program(scope: tg.Scope, flag: bool) -> tg.Variable[tg.TFloat32]:
    v = tg.Variable.create(scope, np.zeros((3, 4), np.float32))
    if flag:
        v = tg.Variable.create(scope, np.zeros((5, 4), np.float32))
    reveal_type(v.read(scope))  # R: Operand[TFloat32, tuple[Any, Literal[4]]]
    u = made(scope, 3)
    if flag:
        u = made(scope, 4)
    u.read(scope)
    return v
class Model:
    def __init__(self, scope: tg.Scope, flag: bool) -> None:
        self.w = tg.Variable.create(scope, np.zeros((3, 4), np.float32))
        if flag:
            self.w = tg.Variable.create(scope, np.zeros((5, 4), np.float32))
    def __call__(self, scope: tg.Scope) -> tg.Operand[tg.TFloat32]:
        return self.w.read(scope)
""",
    "an attribute": """
class Model:
    def __init__(self, scope: tg.Scope, x: Rows) -> None:
        self.h = nn.Relu.create(scope, x)
        self.h = math.Tanh.create(scope, self.h)
        reveal_type(self.h)  # R: Tanh[TFloat32, tuple[Batch, Literal[3]]]
        self.once = nn.Relu.create(scope, x)

    def step(self, scope: tg.Scope) -> None:
        reveal_type(self.once)  # R: Relu[TFloat32, tuple[Batch, Literal[3]]]
        self.h = nn.Relu.create(scope, self.h)
        reveal_type(self.h)  # R: Relu[TFloat32, tuple[Any, ...]]
""",
    "another element type": """
def program(x: Rows, n: Counts) -> None:
    h = x
    h = x * 2.0
    h = n  # E: Incompatible types in assignment (expression has type "Operand[TInt32, tuple[Batch]]", variable has type "Operand[TFloat32, tuple[Any, ...]]")  [assignment]
""",
    "a conditional expression": """
def program(scope: tg.Scope, x: Rows, w: Square, *, is_deep: bool) -> None:
    y = nn.Relu.create(scope, x) if is_deep else math.Tanh.create(scope, x)
    reveal_type(y.shape)  # R: Shape
    y = w
    reveal_type(y)  # R: Operand[TFloat32, tuple[Literal[3], Literal[3]]]
""",
    "a loop variable": """
def program(rows: list[Rows], w: Square) -> None:
    for row in rows:
        row = row @ w
        reveal_type(row)  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
""",
    "a shape that grows": """
def program(scope: tg.Scope, x: Rows) -> None:
    h = x
    while h.rank == 2:
        h = core.Concat.create(scope, [h, x], 1)
    reveal_type(h.dtype)  # R: type[TFloat32]
""",
    "values that nobody reads": """
def program(scope: tg.Scope, x: Rows, n: Counts) -> None:
    _ = nn.Relu.create(scope, x)
    _ = n
    _ = "a"
_ = 3
_ = tg.Graph()
""",
    "no operands": """
def program() -> None:
    n = 0
    n = "a"  # E: Incompatible types in assignment (expression has type "str", variable has type "int")  [assignment]
    pair = (1, 2)
    pair = (1, 2, 3)  # E: Incompatible types in assignment (expression has type "tuple[int, int, int]", variable has type "tuple[int, int]")  [assignment]
""",
    "an item of a variable": """
w = tg.Variable.create(tg.Scope(tg.Graph()), shape=(3, 3), dtype=tg.TFloat32)
w[0] = 1  # E: w is not written by index; core.Select makes a new value of two, and core.ResourceStridedSliceAssign writes a part of a variable  [typegrad-call]
def program(scope: tg.Scope, value: Square) -> None:
    w.assign(scope, value)
""",
    "functools.reduce": """
def program(scope: tg.Scope, x: Rows, w: Square) -> None:
    reveal_type(functools.reduce(lambda a, b: a + b, [x, x, x]))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
    reveal_type(functools.reduce(lambda a, b: core.Concat.create(scope, [a, b], 1), [x, x]))  # R: Operand[TFloat32, tuple[Any, ...]]
    reveal_type(functools.reduce(lambda a, b: a + b, [1, 2]))  # R: int
    def layer(h: Rows, v: tg.Variable[tg.TFloat32, tuple[Literal[3], Literal[3]]]) -> Rows:
        return nn.Relu.create(scope, h @ v)
    vs = [tg.Variable.create(scope, np.zeros((3, 3), np.float32)) for _ in range(2)]
    reveal_type(functools.reduce(layer, vs, nn.Relu.create(scope, x)))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
""",
    "itertools.accumulate": """
def program(scope: tg.Scope, x: Rows, w: Square) -> None:
    reveal_type(itertools.accumulate([x, x], lambda a, b: a + b))  # R: accumulate[Operand[TFloat32, tuple[Batch, Literal[3]]]]
    def step(h: tg.Operand[tg.TFloat32], w: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
        return math.Tanh.create(scope, h @ w)
    start = core.Placeholder.create(scope, tg.TFloat32, (4, 3))
    reveal_type(list(itertools.accumulate([w, w[:, :2]], step, initial=start)))  # R: list[Operand[TFloat32, tuple[int, int]]]
    grown = itertools.accumulate([w, w], lambda h, v: core.ExpandDims.create(scope, h, 0), initial=start)
    reveal_type(list(grown))  # R: list[Operand[TFloat32, tuple[Any, ...]]]
    itertools.accumulate([w], lambda h, v: h + v, initial=core.Fill.create(scope, (2, 3), 1.0))
""",
    "sum": """
def program(scope: tg.Scope, x: Rows, w: Square, n: Counts, rows: list[Rows], b: tg.Operand[tg.TBool]) -> tg.Operand[tg.TFloat32]:
    bias = core.Constant.create(scope, [1.0, 2.0, 3.0])
    reveal_type(sum(rows))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]] | Literal[0]
    reveal_type(sum(each * 2.0 for each in [x, x]))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
    reveal_type(sum([nn.L2Loss.create(scope, each) for each in rows]))  # R: Operand[TFloat32, tuple[()]] | Literal[0]
    reveal_type(sum([bias, x]))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
    tg.optimizers.Adam(scope.graph).minimize(0.5 * sum([x, x * 2.0])[0, 0])
    reveal_type(sum(rows, x))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
    reveal_type(sum((x * i for i in range(3)), start=bias))  # R: Operand[TFloat32, tuple[Any, ...]]
    reveal_type(sum([x, x], bias))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
    reveal_type(sum([1, 2]))  # R: int
    sum([x, n])  # E: AddV2: x is float32 but y is int32; cast one with dtypes.Cast  [typegrad-dtype]
    sum([x, w @ w[:, :2]])  # E: AddV2: shapes [Batch, 3] and [3, 2] do not broadcast: Batch and 3 are neither equal nor 1  [typegrad-shape]
    sum(rows, x[:, :2])  # E: AddV2: shapes [Batch, 2] and [Batch, 3] do not broadcast: 2 and 3 are neither equal nor 1  [typegrad-shape]
    sum([b, b])  # E: AddV2: x is bool, but must be numeric; cast it with dtypes.Cast, or write x | y for two bools  [typegrad-dtype]
    return sum([x, x], x)
""",
    "an array of another dtype": """
def program(session: tg.Session, x: tg.Operand[tg.TFloat32]) -> None:
    images = np.zeros((10, 28), np.uint8)
    images = images / 255.0
    session.run(x, {x: images})  # E: run: the feed of x is an array of float64, but must be float32; convert it with astype(np.float32)  [typegrad-dtype]
    images = images.astype(np.float32)
    session.run(x, {x: images})
""",
    "an array": """
def program(scope: tg.Scope, session: tg.Session, n: Counts, name: str) -> None:
    y = np.random.default_rng(0).integers(0, 3, size=300)
    session.run(n, {n: y})  # E: run: the feed of n is an array of int64, but must be int32; convert it with astype(np.int32)  [typegrad-dtype]
    y = y.astype(np.int32)
    session.run(n, {n: y})
    for _ in range(2):
        y = y.astype(name)
    session.run(n, {n: y})
""",
    "what may be an array": """
class Model:
    def __init__(self, start: Any, rows: list[float] | None = None) -> None:
        self.start = start
        if hasattr(start, "__iter__"):
            self.start = np.asarray(self.start)
        made = None
        if rows:
            made = np.asarray(rows)
        made.sum()  # E: Item "None" of "ndarray[tuple[Any, ...], dtype[Any]] | None" has no attribute "sum"  [union-attr]
    def build(self, scope: tg.Scope) -> None:
        reveal_type(self.start)  # R: Any
        scope.with_name(self.start)
""",
    "none first": """
def program(rows: list[Rows]) -> None:
    total = None
    for row in rows:
        total = row if total is None else total + row
""",
}

REDEFINED: Final = {
    "redefined: a name": """
def program(scope: tg.Scope, x: Rows, w: Square, n: Counts) -> None:
    h = x
    h = h[:, 0]
    reveal_type(h)  # R: Operand[TFloat32, tuple[Batch]]
    h = core.ExpandDims.create(scope, h, 1)
    h += 2.0
    reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Literal[1]]]
    h = n
    reveal_type(h)  # R: Operand[TInt32, tuple[Batch]]
    h @ w  # E: MatMul: a is int32 but b is float32; cast one with dtypes.Cast  [typegrad-dtype]
""",
    "redefined: branches": """
def program(scope: tg.Scope, x: Rows, w: Square, *, is_deep: bool) -> None:
    if is_deep:
        h = nn.Relu.create(scope, x @ w)
    else:
        h = math.Tanh.create(scope, x)
    linalg.MatMul.create(scope, w, h)  # E: MatMul: inner dimensions differ: a is [3, 3], b is [Batch, 3]; linalg.MatMul with transpose_b=True, or b times a would fit  [typegrad-shape]
    for _ in range(2):
        h = h @ w
    rows: Rows = h
""",
    "redefined: a state": """
def program(scope: tg.Scope, x: Rows, w: Square) -> None:
    state = (x, x * 2.0)
    for _ in range(2):
        state = (state[1] @ w, state[0])
    w @ state[0]  # E: MatMul: inner dimensions differ: a is [3, 3], b is [Batch, 3]; linalg.MatMul with transpose_b=True, or b times a would fit  [typegrad-shape]
""",
    "redefined: an attribute": """
class Model:
    def __init__(self, scope: tg.Scope, x: Rows, w: Square) -> None:
        self.h = nn.Relu.create(scope, x)
        self.h = math.Tanh.create(scope, self.h)
        w @ self.h  # E: MatMul: inner dimensions differ: a is [3, 3], b is [Batch, 3]; linalg.MatMul with transpose_b=True, or b times a would fit  [typegrad-shape]
""",
}
"""With mypy's option for it, a name may hold anything in turn; the types at each point are the same."""
OPTION: Final = f"# mypy: {', '.join(REDEFINITION).replace('_', '-')}\n"
HEADERS: Final = dict.fromkeys(PROGRAMS, HEADER) | dict.fromkeys(REDEFINED, OPTION + HEADER)


@pytest.fixture(scope="module")
def different(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What mypy says of each program that it should not, from a single run."""
    programs = {name: HEADERS[name] + program for name, program in {**PROGRAMS, **REDEFINED}.items()}
    return disagreements(tmp_path_factory.mktemp("programs"), programs, "")


@pytest.mark.parametrize("name", HEADERS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
