"""Where a value is one of several, it has what these have in common: mypy's types keep the numbers of the first."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
from __future__ import annotations
import numpy as np
import typegrad as tg
from typegrad.op import core, dtypes, math, nn
"""
PROGRAMS: Final = {
    "a loop over tuples in place": """
def program(scope: tg.Scope) -> None:
    for sizes in ((3, 4), (4, 5)):
        reveal_type(core.Fill.create(scope, sizes, 1.0))  # R: Fill[TFloat32, tuple[Any, Any]]
    made = [core.Fill.create(scope, each, 1.0) for each in ((3, 4), (4, 5))]
    reveal_type(made)  # R: list[Fill[TFloat32, tuple[Any, Any]]]
""",
    "one of two tuples": """
def program(scope: tg.Scope, flag: bool) -> None:
    reveal_type(core.Fill.create(scope, (2, 3) if flag else (2, 4), 1.0))  # R: Fill[TFloat32, tuple[Literal[2], Any]]
    reveal_type(core.Fill.create(scope, ((2, 3), (3, 2))[flag], 1.0))  # R: Fill[TFloat32, tuple[Any, Any]]
    reveal_type(core.Fill.create(scope, ((2, 3), (3, 2))[1], 1.0))  # R: Fill[TFloat32, tuple[Literal[3], Literal[2]]]
    reveal_type(core.Fill.create(scope, max((2, 3), (3, 2)), 1.0))  # R: Fill[TFloat32, tuple[Any, Any]]
    rows, columns = (2, 3) if flag else (3, 2)
    reveal_type(core.Fill.create(scope, (rows, columns), 1.0))  # R: Fill[TFloat32, tuple[Any, Any]]
""",
    "one of two windows": """
def program(scope: tg.Scope, down: bool) -> None:
    image = core.Placeholder.create(scope, tg.TFloat32, (None, 8, 8, 1))
    strides = (1, 2, 2, 1) if down else (1, 1, 1, 1)
    pooled = nn.MaxPool.create(scope, image, (1, 2, 2, 1), strides, "SAME")
    pooled + np.zeros((8, 8, 1), np.float32)
    nn.MaxPool.create(scope, image, (1, 2, 2, 1), (1, 2, 2, 1) if down else (1, 1, 1, 1), "SAME") + pooled
""",
    "operands of several element types": """
def program(scope: tg.Scope, session: tg.Session) -> None:
    x, n = core.Fill.create(scope, (3, 4), 1.0), core.Fill.create(scope, (4,), 1)
    fetches = {"loss": math.Mean.create(scope, x), "count": core.Sum.create(scope, n), "x": x}
    values = session.run(fetches)
    print(values["loss"])
    reveal_type(fetches["loss"] * 2.0)  # R: Operand[TFloat32, tuple[()]]
    for each in [x, n]:
        print(each.name, each * 2, core.Sum.create(scope, each))
    sums = [core.Sum.create(scope, each) for each in [x, n]]
    listed = [x, n]
    first, second = session.run(listed)
    reveal_type(listed[1])  # R: Operand[TInt32, tuple[Literal[4]]]
    long = core.Fill.create(scope, (4,), np.int64(1))
    math.AddN.create(scope, listed)  # E: AddN: inputs[0] is float32 but inputs[1] is int32; cast one with dtypes.Cast  [typegrad-dtype]
    core.Stack.create(scope, [x, long])  # E: Stack: values[0] is float32 but values[1] is int64; cast one with dtypes.Cast  [typegrad-dtype]
    reveal_type([x, x * 2.0])  # R: list[Operand[TFloat32, tuple[Literal[3], Literal[4]]]]
""",
    "operands of several element types beside a star": """
def program(scope: tg.Scope, session: tg.Session) -> None:
    x, n = core.Fill.create(scope, (3, 4), 1.0), core.Fill.create(scope, (4,), 1)
    more, pair, step = [x, x], (x, n), core.NoOp.create(scope)
    for value in (x, n, *more):
        print(session.run(value))
    for value in [n, *more, *pair]:
        print(session.run(value))
    for fetch in (step, *more):
        session.run(fetch)
    print([session.run(each) for each in (n, *more)])
    names = (n, *more, *{"x": x}.values())
    names[0] + "a"  # E: AddV2: y is the Python str 'a', but must be an operand or a value that the operation takes  [typegrad-dtype]
    reveal_type((n, *pair))  # R: tuple[Fill[TInt32, tuple[Literal[4]]], Fill[TFloat32, tuple[Literal[3], Literal[4]]], Fill[TInt32, tuple[Literal[4]]]]
    for other in (x, *more):
        reveal_type(other)  # R: Fill[TFloat32, tuple[Literal[3], Literal[4]]]
    for wrong in (n, *more, "x"):
        wrong + 1  # E: Unsupported operand types for + ("object" and "int")  [operator]
""",
    "one of several element types": """
def program(scope: tg.Scope, flag: bool) -> None:
    x, n = core.Placeholder.create(scope, tg.TFloat32, (None, 5)), core.Placeholder.create(scope, tg.TInt32, (None, 5))
    for each in (x, n):
        reveal_type(core.Sum.create(scope, each, 1))  # R: Sum[Any, tuple[Any]]
        reveal_type(dtypes.Cast.create(scope, each, tg.TFloat32) * 2.0)  # R: Operand[TFloat32, tuple[Any, Literal[5]]]
        core.Sum.create(scope, each, 2)  # E: Sum: `axis` is 2, but must be in [-2, 2)  [typegrad-shape]
    casts = [dtypes.Cast.create(scope, each, tg.TFloat32) for each in (x, n)]
    core.Concat.create(scope, [dtypes.Cast.create(scope, each, tg.TFloat32) for each in (x, n)], 1)
    picked = x if flag else n
    reveal_type(math.Square.create(scope, picked))  # R: Square[Any, tuple[Any, Literal[5]]]
""",
    "operations of a comprehension": """
def program(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32, (None, 5))
    functions = {"sin": math.Sin.create, "cos": math.Cos.create}
    made = {name: each(scope, x) for name, each in functions.items()}
    reveal_type(made["sin"])  # R: Sin[TFloat32, tuple[Any, Literal[5]]]
    reveal_type(made["sin"] - made["cos"])  # R: Operand[TFloat32, tuple[Any, Literal[5]]]
    ys = [each(scope, x) for each in [nn.Relu.create, math.Tanh.create]]
    reveal_type(math.AddN.create(scope, ys))  # R: AddN[TFloat32, tuple[Any, Literal[5]]]
    zs = {name: each(scope, x) for name, each in [("a", nn.Relu.create), ("b", math.Tanh.create)]}
    reveal_type(zs["a"] + zs["b"])  # R: Operand[TFloat32, tuple[Any, Literal[5]]]
""",
    "containers of other shapes": """
def program(scope: tg.Scope) -> None:
    w = tg.Variable.create(scope, np.ones((4, 4), np.float32))
    v, b = tg.Variable.create(scope, np.ones((4, 2), np.float32)), tg.Variable.create(scope, np.zeros(4, np.float32))
    layers = [{"w": w, "b": b}, {"w": v}]
    for layer in layers:
        reveal_type(layer["w"])  # R: Variable[TFloat32, tuple[Any, ...]]
    encoder, decoder = [w, w], [v]
    first, second = [w, w], [v]
    reveal_type(first)  # R: list[Variable[TFloat32, tuple[Literal[4], Literal[4]]]]
    groups = {"encoder": encoder, "decoder": decoder}
    reveal_type(groups)  # R: dict[str, list[Variable[TFloat32, tuple[Any, ...]]]]
    print({"encoder": {w}, "decoder": {v}}["encoder"] | {b})
    deep = {"a": {"x": [w, v], "y": [b]}, "z": {"x": [b], "y": [b]}}
    reveal_type(deep["a"]["x"][0])  # R: Variable[TFloat32, tuple[Any, ...]]
    for variables in [[w, w], [v]]:
        reveal_type(variables)  # R: list[Variable[TFloat32, tuple[Any, ...]]]
    for variables, rate in [([w], 0.1), ([b], 0.01)]:
        reveal_type(variables)  # R: list[Variable[TFloat32, tuple[Any, ...]]]
    reveal_type([[b], [b]])  # R: list[list[Variable[TFloat32, tuple[Literal[4]]]]]
""",
    "objects of other shapes": """
from dataclasses import dataclass
from typing import Generic, TypeVar
T = TypeVar("T")
S = TypeVar("S", bound=tuple[int, ...])
@dataclass(frozen=True)
class Layer(Generic[T]):
    w: T
class Average(Generic[S]):
    def __init__(self, of: tg.Variable[tg.TFloat32, S]) -> None:
        self.of = of
def program(scope: tg.Scope) -> None:
    w, b = tg.Variable.create(scope, np.ones((4, 2), np.float32)), tg.Variable.create(scope, np.zeros(2, np.float32))
    x = core.Fill.create(scope, (3, 4), 1.0)
    for layer in [Layer(w), Layer(b)]:
        reveal_type(layer.w)  # R: Variable[TFloat32, tuple[Any, ...]]
    layers = {"a": Layer(w), "b": Layer(b)}
    reveal_type(layers["b"].w)  # R: Variable[TFloat32, tuple[Any, ...]]
    reveal_type([Layer(w), Layer(w)][0].w)  # R: Variable[TFloat32, tuple[Literal[4], Literal[2]]]
    averages = {"w": Average(w), "b": Average(b)}
    reveal_type(averages["w"].of)  # R: Variable[TFloat32, tuple[Any, ...]]
    for states in [[x], [x * 1.0, x * 2.0]]:
        reveal_type(states)  # R: list[Operand[TFloat32, tuple[Any, ...]]]
    getters = {"w": lambda: w, "b": lambda: b}
    reveal_type(getters["b"]())  # R: Variable[TFloat32, tuple[Any, ...]]
""",
    "methods of the facade": """
def program(tf: tg.Ops) -> None:
    x = tf.constant([[1.0, 2.0]])
    activations = {"relu": tf.nn.relu, "tanh": tf.math.tanh}
    print(activations["relu"](x).name)
    activations["gelu"](x)  # E: activations has no key 'gelu'; its keys are 'relu', 'tanh'  [typegrad-call]
    {"x": x}["y"]  # E: the dict has no key 'y'; its keys are 'x'  [typegrad-call]
""",
    "results of runs in dicts": """
def program(scope: tg.Scope, session: tg.Session) -> None:
    x, y = core.Fill.create(scope, (3, 4), 1.0), core.Fill.create(scope, (4,), 1.0)
    results = {"train": {"x": session.run(x)}, "test": {"y": session.run(y)}}
    print(results["train"]["x"].shape)
""",
    "a generic object whose methods take other values": """
from typing import Generic, TypeVar
T = TypeVar("T")
class Cell(Generic[T]):
    def __init__(self, value: T) -> None:
        self.value = value
    def set(self, value: T) -> None:
        self.value = value
def program(scope: tg.Scope) -> None:
    x: tg.Operand[tg.TFloat32] = core.Fill.create(scope, (1, 3), 1.0)
    cell = Cell(x)
    cell.set(x @ np.ones((3, 5), np.float32))
""",
    "a shape for a function of shapes": """
from typing import TypeVar
S = TypeVar("S", bound=tuple[int, ...])
def zeros(scope: tg.Scope, shape: S) -> tg.Operand[tg.TFloat32, S]:
    raise NotImplementedError
def beside(x: tg.Operand[tg.TFloat32, S], shape: S) -> None: ...
def program(scope: tg.Scope, flag: bool, n: int) -> None:
    x = zeros(scope, (2, 3))
    reveal_type(x)  # R: Operand[TFloat32, tuple[Literal[2], Literal[3]]]
    reveal_type(zeros(scope, (2, 3) if flag else (3, 2)) + 1.0)  # R: Operand[TFloat32, tuple[Any, Any]]
    reveal_type(zeros(scope, (2, n)) + 1.0)  # R: Operand[TFloat32, tuple[Any, Any]]
    beside(x, (2, 3))
    beside(x, (3, 2))  # E: beside: S is [3, 2] in shape, but [2, 3] in x  [typegrad-shape]
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
