"""A declaration that other code contradicts in several places is one mistake; the error says how to declare it."""

from __future__ import annotations

from typing import Final

import pytest

from mypy_plugin.checking import disagreements

HEADER: Final = """\
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NewType, Protocol
import attrs
import numpy as np
import numpy.typing as npt
import typegrad as tg
from typegrad.op import core, linalg, math, nn
from typegrad.training.data import Dataset
Batch = NewType("Batch", int)
scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, (Batch, 4))
w = tg.Variable.create(scope, np.zeros((4, 3), np.float32))
v = tg.Variable.create(scope, np.zeros((3, 2), np.float32))
ids = core.Placeholder.create(scope, tg.TInt32, (Batch,))
session = tg.Session(scope.graph)
"""
RETURNED: Final = 'Incompatible return value type (got "{}", expected "{}"){}  [return-value]'
PASSED: Final = 'Argument {} to "{}" has incompatible type "{}"; expected "{}"{}  [arg-type]'
X: Final = "Placeholder[TFloat32, tuple[Batch, Literal[4]]]"
FIVE: Final = "MatMul: inner dimensions differ: a is [Batch, 5], b is [4, 3]"
DOUBLE: Final = "MatMul: a is float64 but b is float32; cast one with dtypes.Cast"
THREE: Final = (
    "MatMul: inner dimensions differ: a is [Batch, 3], b is [4, 3]; linalg.MatMul with transpose_b=True would fit"
    "  [typegrad-shape]"
)
PROGRAMS: Final = {
    "the shape of a parameter": f"""
def first(a: tg.Operand[tg.TFloat32, tuple[Batch, Literal[5]]]) -> tg.Operand[tg.TFloat32]:
    return a @ w  # E: {FIVE}; declare a of first as float32 [Batch, 4], which line 20 passes  [typegrad-shape]
first(x)
first(a=x)
""",
    "the element type of a parameter, which two lines of a method use": f"""
class Layer:
    def __call__(self, units: int, a: tg.Operand[tg.TFloat64]) -> tg.Operand[tg.TFloat32]:
        h = a @ w  # E: {DOUBLE}; declare a of Layer.__call__ as float32, which line 23 passes  [typegrad-dtype]
        return h + a @ w
layer = Layer()
layer(8, x)
""",
    "a placeholder of another rank, of whose feed a size is not known": """
data = np.zeros((12, int(input()), 128))
time = core.Placeholder.create(scope, tg.TFloat64, data.shape[1:])
a, b, c = time.shape  # E: the shape [?, 128] has 2 sizes, but is unpacked into 3 names; declare time as float64 [?, ?, 128], which line 21 feeds  [typegrad-shape]
session.run(time, {time: data})
""",
    "a placeholder of another rank": """
data = np.zeros((12, 8, 128))
time = core.Placeholder.create(scope, tg.TFloat64, data.shape[1:])
a, b, c = time.shape  # E: the shape [8, 128] has 2 sizes, but is unpacked into 3 names; declare time as float64 [12, 8, 128], which line 21 feeds  [typegrad-shape]
session.run(time, {time: data})
""",
    "the result of a function": f"""
def first(a: tg.Operand[tg.TFloat32, tuple[Batch, Literal[4]]]) -> tg.Operand[tg.TFloat32, tuple[Batch, Literal[7]]]:
    return a @ w  # E: {
        RETURNED.format(
            "Operand[TFloat32, tuple[Batch, Literal[3]]]",
            "Operand[TFloat32, tuple[Batch, Literal[7]]]",
            "; declare the result of first as float32 [Batch, 3]",
        )
    }
y = first(x) @ v
""",
    "an array that a function takes": """
def labelled(labels: npt.NDArray[np.float32]) -> None:
    session.run(ids, {ids: labels})  # E: run: the feed of ids is an array of float32, but must be int32; convert it with astype(np.int32); declare labels of labelled as an array of int32, which line 21 passes  [typegrad-dtype]
made = np.zeros(3, np.int32)
labelled(made)
""",
    "an array that a function returns with another result": """
def data() -> tuple[int, npt.NDArray[np.float32]]:
    labels = np.zeros(3, np.int32)
    return 3, labels  # E: Incompatible return value type (got "tuple[int, ndarray[tuple[int], dtype[signedinteger[_32Bit]]]]", expected "tuple[int, ndarray[tuple[Any, ...], dtype[floating[_32Bit]]]]"); declare the result of data as (_, an array of int32)  [return-value]
_, labels = data()
for some in Dataset.from_arrays(labels).batch(2):
    session.run(ids, {ids: some})
""",
    "an alias": f"""
Rows = tg.Operand[tg.TFloat32, tuple[Batch, Literal[5]]]
def first(a: Rows) -> tg.Operand[tg.TFloat32]:
    return a @ w  # E: {FIVE}; declare Rows as float32 [Batch, 4], which line 23 passes  [typegrad-shape]
def second(a: Rows) -> tg.Operand[tg.TFloat32]:
    return 2.0 * (a @ w)
first(x)
second(x)
""",
    "an alias of a container": """
Weights = Mapping[str, tg.Variable[tg.TFloat64]]
def first(a: tg.Operand[tg.TFloat32], p: Weights) -> tg.Operand[tg.TFloat32]:
    return a @ p["w"]  # E: MatMul: a is float32 but b is float64; cast one with dtypes.Cast; declare Weights as Mapping of float32 [...], which line 22 passes  [typegrad-dtype]
made = {"w": w}
first(x, made)
first(x * 2.0, made)
""",
    "a field of a dataclass": """
@dataclass
class Layer:
    w: tg.Variable[tg.TFloat32, tuple[Literal[5], Literal[3]]]
    def __call__(self, a: tg.Operand[tg.TFloat32, tuple[Batch, Literal[4]]]) -> tg.Operand[tg.TFloat32]:
        return a @ self.w  # E: MatMul: inner dimensions differ: a is [Batch, 4], b is [5, 3]; declare Layer.w as float32 [4, 3], which line 23 passes  [typegrad-shape]
Layer(w)(x)
""",
    "a field of an attrs class": """
@attrs.frozen
class Layer:
    b: tg.Variable[tg.TFloat64, tuple[Literal[3]]]
    def __call__(self, a: tg.Operand[tg.TFloat32, tuple[Batch, Literal[3]]]) -> tg.Operand[tg.TFloat32]:
        return a * self.b  # E: Mul: x is float32 but y is float64; cast one with dtypes.Cast; declare Layer.b as float32 [3], which line 23 passes  [typegrad-dtype]
Layer(b=tg.Variable.create(scope, np.zeros(3, np.float32)))(x @ w)
""",
    "two annotations": f"""
def first(a: tg.Operand[tg.TFloat32, tuple[Batch, Literal[5]]]) -> tg.Operand[tg.TFloat32, tuple[Batch, Literal[3]]]:
    return a @ w  # E: {FIVE}; declare a of first as float32 [Batch, 4], which line 22 passes  [typegrad-shape]
def second(a: tg.Operand[tg.TFloat64]) -> tg.Operand[tg.TFloat32]:
    return a @ v  # E: {DOUBLE}; declare a of second as float32, which line 23 passes  [typegrad-dtype]
h = first(x)
second(h)
""",
    "an annotation, and another mistake in the body": f"""
def first(a: tg.Operand[tg.TFloat32, tuple[Batch, Literal[5]]]) -> tg.Operand[tg.TFloat32]:
    h = a @ w  # E: {FIVE}; declare a of first as float32 [Batch, 4], which line 21 passes  [typegrad-shape]
    return h + v @ w  # E: MatMul: inner dimensions differ: a is [3, 2], b is [4, 3]; b times a would fit  [typegrad-shape]
first(x)
""",
    "an annotation, and another mistake at its caller": f"""
def first(a: tg.Operand[tg.TFloat32, tuple[Batch, Literal[5]]]) -> tg.Operand[tg.TFloat32]:
    return a @ w  # E: {FIVE}; declare a of first as float32 [Batch, 4], which line 20 passes  [typegrad-shape]
first(x)
x @ v  # E: MatMul: inner dimensions differ: a is [Batch, 4], b is [3, 2]  [typegrad-shape]
""",
    "a placeholder of another rank, which is passed and fed": f"""
row = core.Placeholder.create(scope, tg.TFloat32, (Batch,))
def first(a: tg.Operand[tg.TFloat32, tuple[Batch, Literal[4]]]) -> tg.Operand[tg.TFloat32]:
    return a @ w
y = first(row)  # E: {PASSED.format(1, "first", "Placeholder[TFloat32, tuple[Batch]]", "Operand[TFloat32, tuple[Batch, Literal[4]]]", "; declare row as float32 [Batch, 4], which line 22 feeds")}
session.run(y, {{row: np.zeros((3, 4), np.float32)}})
""",
    "a placeholder of another element type, which two functions take": f"""
def program() -> None:
    row = core.Placeholder.create(scope, tg.TFloat64, (Batch, 4))
    print(row @ w)  # E: {DOUBLE}; declare row as float32 [Batch, 4], which line 21 takes  [typegrad-dtype]
    first(row)
def first(a: tg.Operand[tg.TFloat32, tuple[Batch, Literal[4]]]) -> tg.Operand[tg.TFloat32]:
    return a @ w
program()
""",
    "a placeholder, and another mistake beside it": f"""
row = core.Placeholder.create(scope, tg.TFloat64, (Batch, 4))
def first(a: tg.Operand[tg.TFloat32, tuple[Batch, Literal[4]]]) -> tg.Operand[tg.TFloat32]:
    return a @ w
first(row)  # E: {PASSED.format(1, "first", "Placeholder[TFloat64, tuple[Batch, Literal[4]]]", "Operand[TFloat32, tuple[Batch, Literal[4]]]", "; declare row as float32 [Batch, 4], which line 22 feeds")}
session.run(row, {{row: np.zeros((3, 4), np.float32)}})
x @ v  # E: MatMul: inner dimensions differ: a is [Batch, 4], b is [3, 2]  [typegrad-shape]
""",
    "a placeholder that is fed as it is declared, and two calls that take others": f"""
row = core.Placeholder.create(scope, tg.TFloat64, (Batch, 4))
def first(a: tg.Operand[tg.TFloat32, tuple[Batch, Literal[4]]]) -> tg.Operand[tg.TFloat32]:
    return a @ w
def second(a: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    return a @ w
first(row)  # E: {PASSED.format(1, "first", "Placeholder[TFloat64, tuple[Batch, Literal[4]]]", "Operand[TFloat32, tuple[Batch, Literal[4]]]", "")}
second(row)
session.run(row, {{row: np.zeros((3, 4))}})
""",
    "a placeholder that is used as it is declared, and fed and passed as another one": f"""
row = core.Placeholder.create(scope, tg.TFloat32, (Batch, 4))
def first(a: tg.Operand[tg.TFloat32, tuple[Batch, Literal[3]]]) -> tg.Operand[tg.TFloat32]:
    return a @ v
print(row @ w)
first(row)  # E: {PASSED.format(1, "first", X, "Operand[TFloat32, tuple[Batch, Literal[3]]]", "")}
session.run(row, {{row: np.zeros((3, 3), np.float32)}})
""",
    "methods of a protocol": """
class Distribution(Protocol):
    def log_prob(self, a: tg.Operand[tg.TFloat32, tuple[Literal[4]]]) -> tg.Operand[tg.TFloat32]: ...
class Normal:
    def log_prob(self, a: tg.Operand[tg.TFloat32, tuple[Literal[4]]]) -> tg.Operand[tg.TFloat32]:
        return -0.5 * a * a
def program(prior: Distribution) -> None:
    at = core.Placeholder.create(scope, tg.TFloat32, (5,))
    print(at * w[:, 0])  # E: Mul: shapes [5] and [4] do not broadcast: 5 and 4 are neither equal nor 1; declare at as float32 [4], which line 26 takes  [typegrad-shape]
    prior.log_prob(at)
priors: dict[str, Distribution] = {"normal": Normal()}
program(priors["normal"])
""",
    "a graph in the place of a scope": """
graph = tg.Graph()
inner = graph
print(inner.with_name("a"))  # E: 'Graph' object has no attribute 'with_name'; a scope has it: tg.Scope(graph) makes one; inner of line 19 is meant to be of class Scope  [attr-defined]
y = core.Placeholder.create(inner.with_sub_scope("b"), tg.TFloat32, ())
math.Square.create(inner, y)
""",
    "a number in the place of a generator": f"""
def filled(random: np.random.Generator) -> object:
    return random.normal(size=3)
rng = 5
filled(rng)  # E: {PASSED.format(1, "filled", "int", "Generator", "; rng of line 20 is meant to be of class Generator")}
print(rng.normal(size=3), rng.random())
""",
    "an object whose constructor is missing": """
class Vocabulary:
    def __init__(self, text: str) -> None:
        self.words = sorted(text.split())
        self.counts = {word: text.count(word) for word in self.words}
def program(text: str) -> None:
    vocabulary = text
    print(vocabulary.words)  # E: "str" has no attribute "words"; vocabulary of line 23 is meant to be of class Vocabulary  [attr-defined]
    print(len(vocabulary.counts))
program("a b")
""",
    "a graph that is also used as a graph": """
graph = tg.Graph()
inner = graph
print(inner.with_name("a"))  # E: 'Graph' object has no attribute 'with_name'; a scope has it: tg.Scope(graph) makes one  [attr-defined]
tg.Session(inner)
print(inner.with_sub_scope("b"))  # E: 'Graph' object has no attribute 'with_sub_scope'; a scope has it: tg.Scope(graph) makes one  [attr-defined]
""",
    "attributes that no class of the program has": """
row = x
print(row.first_part)  # E: "Placeholder[TFloat32, tuple[Batch, Literal[4]]]" has no attribute "first_part"  [attr-defined]
print(row.other_part)  # E: "Placeholder[TFloat32, tuple[Batch, Literal[4]]]" has no attribute "other_part"  [attr-defined]
""",
    "attributes of two classes": """
class Counted:
    def __init__(self) -> None:
        self.counts = 1
class Named:
    def __init__(self) -> None:
        self.label = "a"
text = "a"
print(text.counts)  # E: "str" has no attribute "counts"; maybe "count"?  [attr-defined]
print(text.label)  # E: "str" has no attribute "label"  [attr-defined]
""",
    "the result of a function that returns a call, of which mypy expects it": """
def weights(start: tg.Operand[tg.TFloat32]) -> tg.Variable[tg.TInt32]:
    return tg.Variable.create(scope, start)  # E: Argument 2 to "create" of "Variable" has incompatible type "Operand[TFloat32, tuple[Any, ...]]"; expected "Operand[TInt32, tuple[Any, ...]]"; declare the result of weights as float32  [arg-type]
x @ weights(core.Fill.create(scope, (4, 2), 1.0))
def others(start: tg.Operand[tg.TFloat32]) -> tg.Variable[tg.TInt32]:
    return tg.Variable.create(scope, start)  # E: Argument 2 to "create" of "Variable" has incompatible type "Operand[TFloat32, tuple[Any, ...]]"; expected "Operand[TInt32, tuple[Any, ...]]"  [arg-type]
ids * others(core.Fill.create(scope, (1,), 1.0))
v @ v  # E: MatMul: inner dimensions differ: a is [3, 2], b is [3, 2]; linalg.MatMul with transpose_a=True or with transpose_b=True would fit  [typegrad-shape]
""",
    "a number in the place of a generator that no function takes": """
rng = 0
centers = rng.normal(size=(6, 16))  # E: "int" has no attribute "normal"; rng of line 18 is meant to be of class Generator  [attr-defined]
print(centers[rng.integers(0, 6, 3)])
seed = 0
print(seed.misspelt)  # E: "int" has no attribute "misspelt"  [attr-defined]
""",
    "a class in the place of an object": f"""
class Net:
    def __init__(self, scope: tg.Scope) -> None:
        self.scope = scope
    def __call__(self, a: tg.Operand[tg.TFloat32, tuple[Batch, Literal[4]]]) -> tg.Operand[tg.TFloat32]:
        return a @ w
net = Net
y = net(x)
z = 0.5 * net(x) + 0.5 * net(x * 2.0)  # E: Unsupported operand types for * ("float" and "Net"); net of line 23 is the class Net; call it there  [operator]
first = Net(scope)
first(x @ w)  # E: {PASSED.format(1, "__call__", "Operand[TFloat32, tuple[Batch, Literal[3]]]", "Operand[TFloat32, tuple[Batch, Literal[4]]]", "").replace('"__call__"', '"__call__" of "Net"')}
""",
    "another name of a class, and two wrong calls": f"""
class Net:
    def __init__(self, scope: tg.Scope) -> None:
        self.scope = scope
    def __call__(self, a: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
        return a @ w
Layer = Net
Layer(x)  # E: {PASSED.format(1, "Net", X, "Scope", "")}
Layer(3)  # E: {PASSED.format(1, "Net", "int", "Scope", "")}
""",
    "a function in the place of its result": """
def cost() -> tg.Operand[tg.TFloat32, tuple[()]]:
    return core.Sum.create(scope, w)
loss, other = cost(), cost()
late = cost
tg.optimizers.Adam(scope.graph).minimize(late)  # E: Adam.minimize(): `loss` must be an operand, not a function; call it: late(...); late of line 21 is the function cost; call it there  [typegrad-call]
session.run([late, loss])
""",
    "a scope in the place of a placeholder": f"""
def first(a: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    return a @ w
rows = scope.with_name("rows")
y = first(rows)  # E: {PASSED.format(1, "first", "Scope", "Operand[TFloat32, tuple[Any, ...]]", "; rows of line 20 is a Scope, which no use of it takes")}
print(rows * 2.0)
session.run(y, {{rows: np.zeros((3, 4), np.float32), x: np.zeros((3, 4), np.float32)}})
first(scope.with_name("other"))  # E: {PASSED.format(1, "first", "Scope", "Operand[TFloat32, tuple[Any, ...]]", "")}
""",
    "an element type in the place of a placeholder, and one that is used as such": f"""
def first(a: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    return a @ w
rows = tg.TFloat32
session.run(first(rows), {{rows: np.zeros((3, 4), np.float32)}})  # E: {PASSED.format(1, "first", "type[TFloat32]", "Operand[TFloat32, tuple[Any, ...]]", "; rows of line 20 is the element type TFloat32, which no use of it takes")}
first(rows)
real = tg.TFloat32
core.Placeholder.create(scope, real, (3, 4))
first(real)  # E: {PASSED.format(1, "first", "type[TFloat32]", "Operand[TFloat32, tuple[Any, ...]]", "")}
""",
    "a scope in two wrong calls, and in a right one": f"""
inner = scope.with_name("inner")
core.Gather.create(scope, w, inner)  # E: Gather.create(): `indices` must be an operand or a value, not Scope  [typegrad-call]
def first(a: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    return a @ w
first(inner)  # E: {PASSED.format(1, "first", "Scope", "Operand[TFloat32, tuple[Any, ...]]", "")}
math.Square.create(inner, x)
""",
    "callers that agree with the annotation": f"""
def first(a: tg.Operand[tg.TFloat32, tuple[Batch, Literal[5]]]) -> tg.Operand[tg.TFloat32]:
    return a @ w  # E: {FIVE}  [typegrad-shape]
first(core.Placeholder.create(scope, tg.TFloat32, (Batch, 5)))
first(x)  # E: {PASSED.format(1, "first", X, "Operand[TFloat32, tuple[Batch, Literal[5]]]", "")}
""",
    "callers of which one fits neither the annotation nor the body": f"""
def first(a: tg.Operand[tg.TFloat32, tuple[Batch, Literal[5]]]) -> tg.Operand[tg.TFloat32]:
    return a @ w  # E: {FIVE}; declare a of first as float32 [Batch, 4], which line 20 passes  [typegrad-shape]
first(x)
first(x @ w)  # E: {PASSED.format(1, "first", "Operand[TFloat32, tuple[Batch, Literal[3]]]", "Operand[TFloat32, tuple[Batch, Literal[5]]]", "")}
""",
    "a body that agrees with the annotation, and callers that do not": f"""
def first(a: tg.Operand[tg.TFloat32, tuple[Batch, Literal[3]]]) -> tg.Operand[tg.TFloat32]:
    return a @ v
other = core.Placeholder.create(scope, tg.TFloat32, (Batch, 4))
first(x)  # E: {PASSED.format(1, "first", X, "Operand[TFloat32, tuple[Batch, Literal[3]]]", "")}
first(other)  # E: {PASSED.format(1, "first", X, "Operand[TFloat32, tuple[Batch, Literal[3]]]", "")}
""",
    "a body that takes any shape, and callers that pass another one than declared": f"""
def first(a: tg.Operand[tg.TFloat32, tuple[Batch, Literal[3]]]) -> tg.Operand[tg.TFloat32]:
    return math.Tanh.create(scope, a)
other = core.Placeholder.create(scope, tg.TFloat32, (Batch, 4))
first(x)  # E: {PASSED.format(1, "first", X, "Operand[TFloat32, tuple[Batch, Literal[3]]]", "")}
first(other)  # E: {PASSED.format(1, "first", X, "Operand[TFloat32, tuple[Batch, Literal[3]]]", "")}
""",
    "a mistake in a body and another one in the call": f"""
def first(a: tg.Operand[tg.TFloat32, tuple[Batch, Literal[5]]]) -> tg.Operand[tg.TFloat32]:
    return a @ v  # E: MatMul: inner dimensions differ: a is [Batch, 5], b is [3, 2]  [typegrad-shape]
first(x)  # E: {PASSED.format(1, "first", X, "Operand[TFloat32, tuple[Batch, Literal[5]]]", "")}
""",
    "a result that another body returns, and its wrong use": f"""
def first(a: tg.Operand[tg.TFloat32, tuple[Batch, Literal[4]]]) -> tg.Operand[tg.TFloat32, tuple[Batch, Literal[2]]]:
    return a @ w  # E: {
        RETURNED.format(
            "Operand[TFloat32, tuple[Batch, Literal[3]]]", "Operand[TFloat32, tuple[Batch, Literal[2]]]", ""
        )
    }
first(x) @ w  # E: MatMul: inner dimensions differ: a is [Batch, 2], b is [4, 3]  [typegrad-shape]
""",
    "two uses of one alias that are wrong by themselves": """
Matrix = tg.Operand[tg.TFloat32, tuple[int, int]]
def first(a: Matrix, b: tg.Operand[tg.TFloat64, tuple[int, int]]) -> None:
    a + b  # E: AddV2: x is float32 but y is float64; cast one with dtypes.Cast  [typegrad-dtype]
def second(a: Matrix) -> Matrix:
    return a
def third(b: tg.Operand[tg.TFloat64]) -> None:
    second(b)  # E: Argument 1 to "second" has incompatible type "Operand[TFloat64, tuple[Any, ...]]"; expected "Operand[TFloat32, tuple[int, int]]"  [arg-type]
""",
    "an alias that some use as it is declared": f"""
Rows = tg.Operand[tg.TFloat32, tuple[Batch, Literal[3]]]
def first(a: Rows) -> tg.Operand[tg.TFloat32]:
    return a @ w  # E: {THREE}
def second(a: Rows) -> tg.Operand[tg.TFloat32]:
    return a @ v
first(x)  # E: {PASSED.format(1, "first", X, "Operand[TFloat32, tuple[Batch, Literal[3]]]", "")}
second(x @ w)
""",
    "a field that another object has as it is declared": f"""
@dataclass
class Layer:
    w: tg.Variable[tg.TFloat32, tuple[Literal[3], Literal[2]]]
    def __call__(self, a: tg.Operand[tg.TFloat32, tuple[Batch, Literal[4]]]) -> tg.Operand[tg.TFloat32]:
        return a @ self.w  # E: MatMul: inner dimensions differ: a is [Batch, 4], b is [3, 2]  [typegrad-shape]
Layer(v)
Layer(w)(x)  # E: {PASSED.format(1, "Layer", "Variable[TFloat32, tuple[Literal[4], Literal[3]]]", "Variable[TFloat32, tuple[Literal[3], Literal[2]]]", "")}
""",
    "a class in the place of an object, as an argument": f"""
def build() -> None:
    graph = tg.Graph
    own = tg.Scope(graph)  # E: {PASSED.format(1, "Scope", "type[Graph]", "Graph", "; graph of line 19 is the class Graph; call it there")}
    with tg.Session(graph) as running:
        running.run(tg.Variable.create(own, 1.0))
""",
    "a class in the place of an object, whose methods are called": """
class Model:
    def __init__(self) -> None:
        self.session = tg.Session
    def value(self) -> None:
        print(self.session.value(w))  # E: Missing positional argument "variable" in call to "value" of "Session"; self.session of line 20 is the class Session; call it there  [call-arg]
        print(self.session.run(w))
Model().value()
""",
    "functions in the place of their results": """
def drawn():  # type: ignore[no-untyped-def]
    return np.zeros(3)
def made() -> np.ndarray:
    return np.zeros(3)
other, more = drawn, drawn
first = drawn
print(first.min())  # E: "Callable[[], Any]" has no attribute "min"; first of line 23 is the function drawn; call it there  [attr-defined]
print(first.max(), first.std())
second = made
print(second.min())  # E: "Callable[[], ndarray[tuple[Any, ...], dtype[Any]]]" has no attribute "min"; second of line 26 is the function made; call it there  [attr-defined]
print(second.max())
drawn.count = 0  # E: "Callable[[], Any]" has no attribute "count"  [attr-defined]
""",
}


@pytest.fixture(scope="module")
def different(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    return disagreements(tmp_path_factory.mktemp("programs"), PROGRAMS, HEADER)


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
