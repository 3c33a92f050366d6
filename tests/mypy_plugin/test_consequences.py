"""One mistake is one error: what follows from it is not told again."""

from __future__ import annotations

from typing import Final

import pytest

from mypy_plugin.checking import disagreements

HEADER: Final = """\
from collections.abc import Callable
from typing import Literal, NewType, TypeVar
import numpy as np
import typegrad as tg
from typegrad.op import core, linalg, math, nn
Batch = NewType("Batch", int)
F = TypeVar("F", bound=tg.TFloating)
S = TypeVar("S", bound=tuple[int, ...])
Four = tg.Operand[tg.TFloat32, tuple[Batch, Literal[4]]]
Eight = tg.Operand[tg.TFloat32, tuple[Batch, Literal[8]]]
scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, (Batch, 4))
"""
RETURNS: Final = (
    'Incompatible return value type (got "{}[TFloat32, tuple[Batch, Literal[4]]]", expected "Operand[TFloat32, '
    'tuple[Batch, Literal[8]]]")  [return-value]'
)
REFUSED: Final = (
    'has incompatible type "Placeholder[TFloat32, tuple[Batch, Literal[3]]]"; expected "Operand[TFloat32, '
    'tuple[Batch, Literal[4]]]"  [arg-type]'
)
KEY: Final = "`key` makes operands, which are not compared before the run; compare what session.run returns"
A_NAME: Final = "is a list of integers, but Batch is the name of a dimension; core.Shape.create(scope, x) has the sizes of x in a run"
FED: Final = (
    "the feed of 'x' (Placeholder, float32 [Batch, 4], line 12) has shape [2, 3], which does not fit [Batch, 4]; "
    "called in line 26  [typegrad-run]"
)
NOT_SINGLE: Final = (
    'Incompatible types in assignment (expression has type "Variable[TFloat64, tuple[Literal[4]]]", variable has type '
    '"Variable[TFloat32, tuple[Any, ...]] | None")  [assignment]'
)
STUBS: Final = (
    'Argument 2 to "savez" has incompatible type "**dict[str, ndarray[tuple[int], dtype[float64]]]"; expected "bool"'
    "  [arg-type]"
)
LACKS: Final = '"Config" has no attribute "{}"  [attr-defined]'
NO_SIZE: Final = 'Argument 1 to "size" has incompatible type "str"; expected "int"  [arg-type]'
HOLDS_TEXT: Final = (
    "Placeholder.create(): `shape` is a tuple of sizes, such as (3, 5) or (None, 5), but holds Text; the name of a size "
    "is a NewType of int  [typegrad-call]"
)
PROGRAMS: Final = {
    "sizes that disagree": """
from typing import Generic
N = TypeVar("N", bound=int)
M = TypeVar("M", bound=int)
class Linear(Generic[N, M]):
    def __init__(self, n: N, m: M) -> None: ...
    def __call__(self, x: tg.Operand[tg.TFloat32, tuple[Batch, N]]) -> tg.Operand[tg.TFloat32, tuple[Batch, M]]:
        raise NotImplementedError
class Actor(Generic[N, M]):
    def __init__(self, n: N, m: M) -> None:
        self.hidden, self.out = Linear(n, 8), Linear(n, m)
    def act(self, x: tg.Operand[tg.TFloat32, tuple[Batch, N]]) -> tg.Operand[tg.TFloat32, tuple[Batch, M]]:
        return self.out(self.hidden(x))  # E: Linear: N is N in n, but 8 in x  [typegrad-shape]
h: Eight = Linear(3, 4)(x)  # E: Linear: N is 3 in n, but 4 in x  [typegrad-shape]
""",
    "what a refused call returns is called": """
def energy(y: Four) -> tg.Operand[tg.TFloat32]:
    return core.Sum.create(scope, y * y)
tg.grad(energy)(x)  # E: grad(): argument `scope` must be a Scope, not a function; operands are differentiated, not functions: tg.grad(scope, f(x), x)  [typegrad-call]
""",
    "an assertion about what is refused": """
from typing import assert_type
y = x @ x  # E: MatMul: inner dimensions differ: a is [Batch, 4], b is [Batch, 4]; linalg.MatMul with transpose_a=True or with transpose_b=True would fit  [typegrad-shape]
assert_type(y, Four)
assert_type(x + 1, Eight)  # E: Expression is of type "Operand[TFloat32, tuple[Batch, Literal[4]]]", not "Operand[TFloat32, tuple[Batch, Literal[8]]]"  [assert-type]
""",
    "a lambda with another result": """
def twice(f: Callable[[Four], Four]) -> Four:
    return f(f(x))
w = tg.Variable.create(scope, np.zeros((4, 8), np.float32))
twice(lambda h: h @ w)  # E: Incompatible return value type (got "Operand[TFloat32, tuple[Batch, Literal[8]]]", expected "Operand[TFloat32, tuple[Batch, Literal[4]]]")  [return-value]
""",
    "a result that is wrong for all calls": f"""
def whole(parts: list[tg.Operand[tg.TFloat32]]) -> Eight:
    return core.Concat.create(scope, parts, 1).expect(tg.TFloat32, (Batch, 4))  # E: {RETURNS.format("Output")}
def doubled(h: tg.Operand[tg.TFloat32], h2: Four) -> Eight:
    return h2 * 2.0  # E: {RETURNS.format("Operand")}
class Layer:
    def __call__(self, h: tg.Operand[tg.TFloat32], h2: Four) -> Eight:
        return h2 * 2.0  # E: {RETURNS.format("Operand")}
def train() -> None:
    whole([x, x])
    doubled(x, x)
    Layer()(x, x)
whole([x, x])
whole([x, x * 2.0])
doubled(x, x)
Layer()(x, x)
""",
    "after what NumPy's stubs refuse": f"""
try:
    import contextlib as plot
except ImportError:
    plot = None  # E: Incompatible types in assignment (expression has type "None", variable has type Module)  [assignment]
def predict(rows: np.ndarray) -> None:
    session.run(x, {{x: rows}})  # E: {FED}
names, arrays = ["w"], [np.zeros(3)]
with tg.Session(scope.graph) as session:
    np.savez(
        "weights.npz",
        **dict(zip(names, arrays)),  # E: {STUBS}
    )
    predict(np.zeros((2, 3), np.float32))
""",
    "after what NumPy's stubs refuse, and a name takes": """
def predict(rows: np.ndarray) -> None:
    session.run(x, {x: rows})
with tg.Session(scope.graph) as session:
    names = np.array(["a", "b"], dtype=3)  # E: No overload variant of "array" matches argument types "list[str]", "int"  [call-overload]
    predict(np.zeros((2, 3), np.float32))
""",
    "a result that is wrong for one call": """
def whole(h: tg.Operand[tg.TFloat32]) -> Eight:
    return h * 2.0
whole(x)  # E: whole (line 14) returns an operand of shape [Batch, 4], but is declared to return [Batch, 8]  [typegrad-shape]
""",
    "what an operation makes that is refused": """
def leaky(x: tg.Operand[F, S]) -> tg.Operand[F, S]:
    return core.Select.create(scope, x, x > 0, core.ZerosLike.create(scope, x))  # E: Select: condition is F and t is bool; swap them  [typegrad-dtype]
def mean() -> float:
    return math.Mean.create(scope, x).item()  # E: 'Mean' object has no attribute 'item'; did you mean `session.run`?  [typegrad-call]
def plain(value: tg.Operand[tg.TFloat32]) -> float:
    return value.graph.operations[0].attrs["N"]  # E: Returning Any from function declared to return "float"  [no-any-return]
""",
    "shapes behind a refused call": """
def descend(start: tg.Operand[F, S], energy: Callable[[tg.Operand[F, S]], tg.Operand[F, tuple[()]]]) -> tg.Operand[F, S]:
    h = start
    for _ in range(3):
        h = h - tg.grad(scope, energy(h), scope)  # E: grad(): `x` must be an operand, not Scope  [typegrad-call]
    return h
""",
    "a sum whose start does not fit": """
class Model:
    def __init__(self, ws: list[tg.Variable[tg.TFloat32]]) -> None:
        self.penalty = sum((core.Sum.create(scope, w) for w in ws), core.Constant.create(scope, 0))  # E: AddV2: x is int32 but y is float32; cast one with dtypes.Cast  [typegrad-dtype]
        self.loss = 0.5 * self.penalty
        self.right = 0.5 * sum((core.Sum.create(scope, w) for w in ws), core.Constant.create(scope, 0.0))
""",
    "an argument in a loop": """
def doubled(h: Four) -> Four:
    return h * 2.0
h = core.Placeholder.create(scope, tg.TFloat32, (Batch, 3))
for _ in range(3):
    h = doubled(h)  # E: Argument 1 to "doubled" has incompatible type "Placeholder[TFloat32, tuple[Batch, Literal[3]]]"; expected "Operand[TFloat32, tuple[Batch, Literal[4]]]"  [arg-type]
""",
    "an error that only the program shows, above one of the types": """
def same(parts: list[tg.Operand[tg.TFloat32]]) -> list[tg.Operand[tg.TFloat32]]:
    return parts
stacked = core.Stack.create(scope, same([x, x, x]))
turned = linalg.Transpose.create(scope, stacked, (1, 0))  # E: Transpose: `perm` must name each of the 3 dimensions of `x` [3, Batch, 4] once, but has 2 elements; x is 'stacked' from line 16  [typegrad-shape]
math.ArgMax.create(scope, turned, 2)
math.ArgMax.create(scope, x, 2)  # E: ArgMax: `dimension` is 2, but must be in [-2, 2)  [typegrad-shape]
core.Reshape.create(scope, same([x])[1], (-1,))
""",
    "a declaration that fits no use and no feed": """
rows = core.Placeholder.create(scope, tg.TFloat32, (Batch, 13))
labels = core.Placeholder.create(scope, tg.TFloat32, (Batch,))
w, b = tg.Variable.create(scope, np.zeros((12, 4), np.float32)), tg.Variable.create(scope, np.zeros(4, np.float32))
def layer(h: tg.Operand[tg.TFloat32, tuple[Batch, Literal[12]]]) -> Four:
    return h @ w + b
y = rows @ w + b  # E: MatMul: inner dimensions differ: a is [Batch, 13], b is [12, 4]; declare rows as float32 [Batch, 12], which line 26 feeds  [typegrad-shape]
layer(rows)
layer(rows)
def classes() -> tg.Operand[tg.TFloat32]:
    return core.OneHot.create(scope, labels, 3, 1.0, 0.0)  # E: OneHot: indices is float32, but must be int8, int32, int64 or uint8; cast it with dtypes.Cast; declare labels as int32 [Batch], which line 26 feeds  [typegrad-dtype]
classes()
with tg.Session(scope.graph) as session:
    session.run(y, {rows: np.ones((8, 12), np.float32), labels: np.zeros(8, np.int32)})
    session.run(y, {rows: np.ones((4, 12), np.float32), labels: np.zeros(4, np.int32)})
""",
    "a variable of a layer": """
class Layer:
    def __init__(self) -> None:
        self.v = tg.Variable.create(scope, np.zeros((3, 5), np.float32))
    def __call__(self) -> tg.Operand[tg.TFloat32]:
        return x @ self.v  # E: MatMul: inner dimensions differ: a is [Batch, 4], b is [3, 5]; declare self.v as float32 [4, 5], which line 20 assigns  [typegrad-shape]
    def load(self, session: tg.Session) -> None:
        session.assign(self.v, np.ones((4, 5), np.float32))
""",
    "a feed that is a list": """
with tg.Session(scope.graph) as session:
    session.run(x, {x: np.array([[n, n] for n, _ in [(1.5, 2)]])})  # E: run: the feed of x has shape [1, 2], which does not fit [Batch, 4]  [typegrad-shape]
""",
    "what a run returns for a feed that does not fit": """
def train(data: np.ndarray[tuple[Literal[8], Literal[4]], np.dtype[np.float32]]) -> None:
    with tg.Session(scope.graph) as session:
        print(session.run(x, {x: data}) - np.ones((8, 3), np.float32))  # E: - of arrays of shapes [Batch, 4] and [8, 3]: the sizes do not fit each other  [typegrad-shape]
def test() -> None:
    data = np.ones((8, 3), np.float32)
    with tg.Session(scope.graph) as session:
        print(session.run(x, {x: data}))  # E: run: the feed of x has shape [8, 3], which does not fit [Batch, 4]  [typegrad-shape]
        print(session.run(x, {x: data}) - data)
""",
    "another mistake in a feed": """
rows = core.Placeholder.create(scope, tg.TFloat32, (Batch, 13))
y = rows @ np.ones((12, 4), np.float32)  # E: MatMul: inner dimensions differ: a is [Batch, 13], b is [12, 4]  [typegrad-shape]
tg.Session(scope.graph).run(x, {rows: np.ones((8, 11), np.float32)})  # E: run: the feed of rows has shape [8, 11], which does not fit [Batch, 13]  [typegrad-shape]
""",
    "an argument of several calls": f"""
class Batches:
    def __init__(self) -> None:
        self.x = core.Placeholder.create(scope, tg.TFloat32, (Batch, 3))
def doubled(h: Four) -> Four:
    return h * 2.0
def halved(h: Four) -> Four:
    return h * 0.5
wide = core.Placeholder.create(scope, tg.TFloat32, (Batch, 3))
other = core.Placeholder.create(scope, tg.TFloat32, (Batch, 3))
doubled(wide)  # E: Argument 1 to "doubled" {REFUSED}
doubled(wide)
halved(wide)
doubled(other)  # E: Argument 1 to "doubled" {REFUSED}
def step(batches: Batches) -> None:
    doubled(batches.x)  # E: Argument 1 to "doubled" {REFUSED}
    halved(batches.x)
def again(batches: Batches) -> None:
    halved(batches.x)
""",
    "a type variable of a refused call": """
b = core.Fill.create(scope, (4,), 1.0)
d = tg.Variable.create(scope, np.zeros(4))
tg.functions.batch_normalization(scope, x, b, b, d, None, 1e-3)  # E: batch_normalization: AddV2: input `x` is float32, but `y` is float64; cast one with dtypes.Cast  [typegrad-dtype]
""",
    "names whose types follow from what is refused": """
def attend(q: Four, k: Four) -> dict[str, Four]:
    return {"q": q, "k": k}
parts = attend(x)  # E: Missing positional argument "k" in call to "attend"  [call-arg]
found = tg.Session(scope.graph).run(parts["q"]); some = []  # E: Need type annotation for "some" (hint: "some: list[<type>] = ...")  [var-annotated]
late = [x * early]  # E: Name "early" is used before definition  [used-before-def]
early = x * 2.0
def turns(count: int) -> None:
    for _ in range(count):
        first = second  # E: Cannot determine type of "second"  [has-type]
        second = first * 2.0
""",
    "fields in an order that no constructor has": """
import attrs
from dataclasses import dataclass
@dataclass
class Plain:
    width: int = 3
    name: str  # E: Attributes without a default cannot follow attributes with one  [misc]
@attrs.frozen
class Frozen:
    width: int = 3
    name: str  # E: Non-default attributes not allowed after default attributes.  [misc]
@dataclass
class Other:
    name: str
Plain(width=4)
Frozen()
Other()  # E: Missing positional argument "name" in call to "Other"  [call-arg]
""",
    "class methods of which one lacks its decorator": """
class Layer:
    def __init__(self, width: int) -> None:
        self.width = width
    def create(cls, width: int) -> "Layer":
        return cls(width)  # E: "Layer" not callable; decorate create with @classmethod  [operator]
    def copied(self, width: int) -> "Layer":
        return self
Layer.create(3)
Layer.copied(3)  # E: Missing positional argument "width" in call to "copied" of "Layer"  [call-arg]
""",
    "values of another type than what may be None": f"""
class Bias:
    b: tg.Variable[tg.TFloat32] | None = None
    def built(self, y: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
        if self.b is None:
            self.b = tg.Variable.create(scope, np.zeros(4))  # E: {NOT_SINGLE}
        return nn.BiasAdd.create(scope, y, self.b) + self.b
    def perhaps(self, y: tg.Operand[tg.TFloat32], is_new: bool) -> tg.Operand[tg.TFloat32]:
        if is_new:
            self.b = tg.Variable.create(scope, np.zeros(4))  # E: {NOT_SINGLE}
        return nn.BiasAdd.create(scope, y, self.b)  # E: BiasAdd: bias may be None; check that it is not None first  [typegrad-dtype]
    def known(self, y: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
        self.b = tg.Variable.create(scope, np.zeros(4))  # type: ignore[assignment]
        return nn.BiasAdd.create(scope, y, self.b)  # E: BiasAdd: bias may be None; check that it is not None first  [typegrad-dtype]
    def given(self, made: tg.Variable[tg.TFloat64] | None) -> tg.Variable[tg.TFloat32]:
        self.b = made  # E: Incompatible types in assignment (expression has type "Variable[TFloat64, tuple[Any, ...]] | None", variable has type "Variable[TFloat32, tuple[Any, ...]] | None")  [assignment]
        return self.b  # E: Incompatible return value type (got "Variable[TFloat32, tuple[Any, ...]] | None", expected "Variable[TFloat32, tuple[Any, ...]]")  [return-value]
count: int | None = None
count = "a"  # E: Incompatible types in assignment (expression has type "str", variable has type "int | None")  [assignment]
count + 1
""",
    "the name of a dimension that is no string": f"""
Wide = NewType(int, "Wide")  # E: Argument 1 to NewType(...) must be a string literal  [misc]
Rows = tg.Operand[tg.TFloat32, tuple[Wide, Literal[4]]]
def doubled(rows: Rows) -> Rows:
    return rows * 2.0
core.Placeholder.create(scope, tg.TFloat32, (Wide, 4))
Text = NewType("Text", str)
core.Placeholder.create(scope, tg.TFloat32, (Text, 4))  # E: {HOLDS_TEXT}
""",
    "an operator of a call that is refused": """
rng = np.random.default_rng(0)
rng.normal(size=(3, 4)) @ rng.normal(size=(4, rng))  # E: Argument "size" to "normal" of "Generator" has incompatible type "tuple[int, Generator]"; expected "SupportsIndex | Sequence[SupportsIndex] | None"  [arg-type]
rng.normal(size=(3, 4)) @ "a"  # E: No overload variant of "__matmul__" of "ndarray" matches argument type "str"  [operator]
""",
    "the result of a function that returns what mypy does not know": """
from typing import Any
def played(scores: Any) -> tuple[float, float]:
    return np.abs(scores).max(axis=0)
def copied(scores: Any) -> int:
    return scores  # E: Returning Any from function declared to return "int"  [no-any-return]
least, most = played(np.zeros((2, 3)))  # E: ValueError: too many values to unpack (expected 2, got 3)  [typegrad-run]
""",
    "names of an unpacking that fails in the program": """
def updates() -> list[tg.Op]:
    return [tg.Variable.create(scope, 0.0).assign_add(scope, 1.0) for _ in range(3)]
step, seconds = updates()  # E: ValueError: too many values to unpack (expected 2, got 3)  [typegrad-run]
print(seconds > 0, round(seconds, 2))
late: float = seconds
count = 0
count + "a"  # E: Unsupported operand types for + ("int" and "str")  [operator]
""",
    "names that an unpacking lacks in the body of its loop": """
def made() -> list[list[int]]:
    return [[each] * 3 for each in range(2)]
for first, second in made():  # E: ValueError: too many values to unpack (expected 2, got 3)  [typegrad-run]
    print(first, second, third)
""",
    "results of a run in each other's place": """
each, total, feeds = x[:, 0], core.Sum.create(scope, x), {x: np.zeros((2, 4), np.float32)}
with tg.Session(scope.graph) as session:
    mean, rows = session.run((each, total), feeds)
    print(mean.item())  # E: ValueError: item() is for an array of one element; take one of its elements, or their mean  [typegrad-run]
    print(rows[0])
""",
    "results of a run of which neither has so many dimensions": """
each, total, feeds = x[:, 0], core.Sum.create(scope, x), {x: np.zeros((2, 4), np.float32)}
with tg.Session(scope.graph) as session:
    mean, rows = session.run((each, total), feeds)
    print(mean.item())  # E: ValueError: item() is for an array of one element; take one of its elements, or their mean  [typegrad-run]
    print(rows[0, 0])  # E: the array of shape [] has 0 dimensions, but 2 are indexed  [typegrad-shape]
""",
    "a name that is read where it gets its value, behind another mistake": """
def call(turned: bool) -> object:
    (kept,) = (x, x) if turned else (x, x)  # E: Too many values to unpack (1 expected, 2 provided)  [misc]
    changed = changed * x + kept  # E: Cannot determine type of "changed"  [has-type]
    return changed * 2.0
""",
    "keys": f"""
min([x, x * 2.0], key=lambda h: math.Mean.create(scope, h))  # E: min(): {KEY}  [typegrad-call]
max(x, x, key=lambda h: math.Mean.create(scope, h))  # E: max(): {KEY}  [typegrad-call]
sorted([x], key=lambda h: math.Mean.create(scope, h))  # E: sorted(): {KEY}  [typegrad-call]
[x].sort(key=lambda h: math.Mean.create(scope, h))  # E: sort(): {KEY}  [typegrad-call]
[x].sort(key=lambda h: h.name)
min([x, x * 2.0], key=lambda h: h.shape.rank or 0)
""",
    "the name of a dimension for a list": f"""
core.Reshape.create(scope, x, Batch)  # E: Reshape.create(): `shape` {A_NAME}  [typegrad-call]
core.Fill.create(scope, Batch, 1.0)  # E: Fill.create(): `dims` {A_NAME}  [typegrad-call]
""",
    "an element type that is no type": """
def both(a: tg.Operand[F], b: tg.Operand[F]) -> tg.Operand[F]:
    return a + b
def products() -> None:
    F32, I32 = tg.TFloat32, tg.TInt32
    def product(y: tg.Operand[F32, tuple[int, int]], n: tg.Operand[I32]) -> None:  # E: Variable "F32" is not valid as a type  [valid-type]  # E: Variable "I32" is not valid as a type  [valid-type]
        y @ tg.Variable.create(scope, np.zeros((3, 2), np.float32))
        both(x, y)
        both(y, x)
        core.Concat.create(scope, [x, y], 0)
        x + y
        math.Floor.create(scope, y)
        y / core.Constant.create(scope, 2.0)
        core.Constant.create(scope, 2) + n
        both(x, core.Constant.create(scope, np.zeros(3)))  # E: both: F is float32 in a, but float64 in b; cast one with dtypes.Cast  [typegrad-dtype]
""",
    "an argument in which there is an error": f"""
class Config:
    width, names = 3, ["a"]
config, w = Config(), tg.Variable.create(scope, np.zeros((8, 4), np.float32))
def size(a: int, b: int = 0) -> int:
    return a + b
tg.Variable.create(scope, np.zeros((8, config.n1), np.float32))  # E: {LACKS.format("n1")}
core.Constant.create(scope, np.zeros((8, config.n2), np.float32))  # E: {LACKS.format("n2")}
core.Placeholder.create(scope, tg.TFloat32, (None, config.n3))  # E: {LACKS.format("n3")}
math.Abs.create(scope, np.zeros((8, config.n4), np.float32))  # E: {LACKS.format("n4")}
w.assign(scope, np.zeros((8, config.n5), np.float32))  # E: {LACKS.format("n5")}
tg.Variable.create(scope, np.zeros((8, config.width()), np.float32))  # E: "int" not callable  [operator]
tg.Variable.create(scope, np.zeros((8, size()), np.float32))  # E: Missing positional argument "a" in call to "size"  [call-arg]
tg.Variable.create(scope, np.zeros((8, size("a")), np.float32))  # E: {NO_SIZE}
size("a", config.n6)  # E: {NO_SIZE}  # E: {LACKS.format("n6")}
rng = np.random.default_rng(0)
rng.normal(0.0, 0.3, config.n7).astype(np.float32)  # E: {LACKS.format("n7")}
rng.normal(0.0, 0.3, config.n8)[0]  # E: {LACKS.format("n8")}
rng.normal(0.0, config.width).astype(np.float32)  # E: "float" has no attribute "astype"  [attr-defined]
size(config.n9).real_part  # E: "int" has no attribute "real_part"  [attr-defined]  # E: {LACKS.format("n9")}
with tg.Session(scope.graph) as session:
    session.run([w.assign(scope, w), config.loss])  # E: {LACKS.format("loss")}
    session.run([w, w.assign(scope, w), config.y], {{config.x: 1.0}})  # E: {LACKS.format("y")}  # E: {LACKS.format("x")}
""",
}


@pytest.fixture(scope="module")
def different(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    return disagreements(tmp_path_factory.mktemp("programs"), PROGRAMS, HEADER)


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
