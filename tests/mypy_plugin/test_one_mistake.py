"""A mistake that shows in several places is one error, at the first; a second mistake beside it is told, too."""

from __future__ import annotations

from typing import Final

import pytest

from mypy_plugin.checking import disagreements

HEADER: Final = """\
from typing import Literal, NewType, TypedDict
import numpy as np
import typegrad as tg
from typegrad.op import core, linalg, math, nn
Batch = NewType("Batch", int)
scope = tg.Scope(tg.Graph())
session = tg.Session(scope.graph)
x = core.Placeholder.create(scope, tg.TFloat32, (Batch, 4))
h = x @ np.zeros((4, 3), np.float32)
w = tg.Variable.create(scope, np.zeros((3, 5), np.float32))
"""
LABELS: Final = (
    "SparseSoftmaxCrossEntropyWithLogits: `labels` must have rank 1, but has shape [Batch, 1]  [typegrad-shape]"
)
COLUMN: Final = (
    'has incompatible type "{}[TInt32, tuple[Batch, Literal[1]]]"; expected "Operand[TInt32, tuple[Batch]]"  [arg-type]'
)
APPENDED: Final = (
    'Argument 1 to "append" of "list" has incompatible type "list[Operand[TFloat32, tuple[Batch, Literal[3]]]]"; '
    'expected "Operand[TFloat32, tuple[Any, ...]]"  [arg-type]'
)
RETURNED: Final = 'Incompatible return value type (got "{}", expected "{}")  [return-value]'
SEVEN: Final = RETURNED.format("Fill[TFloat32, tuple[Literal[7]]]", "Operand[TFloat32, tuple[Literal[8]]]")
AN_INT: Final = (
    'Incompatible types in assignment (expression has type "Sum[TFloat32, tuple[()]]", variable has type "int"); '
    "session.run gives its value  [assignment]"
)
NO_FETCH: Final = (
    "Session.run(): a fetch is an operand, an operation or a name, or a list, tuple, mapping or dataclass of fetches, "
    "not int  [typegrad-call]"
)
LONG: Final = "an array of int64; convert it with astype(np.int32)  [typegrad-dtype]"
AXIS: Final = "Sum: `axis` is 2, but must be in [-2, 2); in {}, line {}  [typegrad-shape]"
STACKS: Final = (
    "BatchMatMul: inner dimensions differ: x is [5, 2, 6], y is [5, 2, 6]; train.BatchMatMul with adj_x=True or with "
    "adj_y=True would fit  [typegrad-shape]"
)
GRADIENTS: Final = (
    "grad(): argument `x` must be an Operand, not a list of operands; tg.gradients takes several  [typegrad-call]"
)
NO_FLOW: Final = (
    "grad: no gradient flows from {0} to n: n is int32, and only floats and complex numbers have gradients"
    "  [typegrad-dtype]"
)
MUST_FED: Final = (
    "'x' (Placeholder, float32 [Batch, 4], line 8) must be fed, because 'h' depends on it; pass its value with the feeds"
    "  [typegrad-run]"
)
UNFETCHED: Final = "{} has no value before the run; session.run gives an array  [typegrad-call]"
TRUTH: Final = (
    "the operand has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask "
    "whether there is an operand  [typegrad-truth]"
)
DOUBLE: Final = "Mul: x is float32 but y is float64; cast one with dtypes.Cast  [typegrad-dtype]"
NO_SCOPE: Final = "Sum.create(): argument `scope` must be a Scope, not Operand; it is called as Sum.create(scope, input, axis=None, keep_dims=False)"
CALLABLE: Final = '"Callable[{}]" has no attribute "{}"'
ITEM: Final = 'List item {} has incompatible type "{}"; expected "Layer"  [list-item]'
PROGRAMS: Final = {
    "parts of an expression, which are computed before the whole": """
def gram(x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    return linalg.MatMul.create(scope, x, x, transpose_a=True)
wide = tg.Variable.create(scope, np.zeros((6, 2)))
linalg.MatMul.create(scope, wide, gram(wide))  # E: Argument 1 to "gram" has incompatible type "Variable[TFloat64, tuple[Literal[6], Literal[2]]]"; expected "Operand[TFloat32, tuple[Any, ...]]"  [arg-type]
def square(x: tg.Operand[tg.TFloat32, tuple[Batch, Literal[4]]]) -> tg.Operand[tg.TFloat32, tuple[Literal[4], Literal[4]]]:
    return linalg.MatMul.create(scope, x, x, transpose_a=True)
def update(rows: tg.Operand[tg.TFloat32, tuple[Batch, Literal[4]]], columns: tg.Operand[tg.TFloat32, tuple[Literal[4], Literal[4]]]) -> tg.Operand[tg.TFloat32]:
    return square(x / columns) / rows  # E: RealDiv: shapes [Batch, 4] and [4, 4] do not broadcast: Batch and 4 are neither equal nor 1  [typegrad-shape]
""",
    "a placeholder with two named sizes in each other's place": """
Time = NewType("Time", int)
Frame = tg.Operand[tg.TFloat32, tuple[Batch, Literal[3]]]
def first(xs: tg.Operand[tg.TFloat32, tuple[Time, Batch, Literal[3]]]) -> Frame:
    return xs[0]
def add(frame: Frame, other: Frame) -> Frame:
    return frame + other
frames = core.Placeholder.create(scope, tg.TFloat32, (Batch, Time, 3))
last = first(frames)  # E: Argument 1 to "first" has incompatible type "Placeholder[TFloat32, tuple[Batch, Time, Literal[3]]]"; expected "Operand[TFloat32, tuple[Time, Batch, Literal[3]]]"  [arg-type]
again = add(frames[1], last)
others = core.Placeholder.create(scope, tg.TFloat32, (Batch, Time, 3))
add(h, others[1])  # E: Argument 2 to "add" has incompatible type "Operand[TFloat32, tuple[Time, Literal[3]]]"; expected "Operand[TFloat32, tuple[Batch, Literal[3]]]"  [arg-type]
""",
    "a value of another rank, in a record and an operation": f"""
class Output(TypedDict):
    labels: tg.Operand[tg.TInt32, tuple[Batch]]
    loss: tg.Operand[tg.TFloat32]
labels = core.Placeholder.create(scope, tg.TInt32, (Batch, 1))
def output(logits: tg.Operand[tg.TFloat32, tuple[Batch, Literal[3]]]) -> Output:
    loss = nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, logits, labels).loss  # E: {LABELS}
    return Output(labels=labels, loss=loss)
def others(short: tg.Operand[tg.TInt32, tuple[()]]) -> Output:
    return Output(labels=short, loss=w @ h)  # E: Incompatible types (expression has type "Operand[TInt32, tuple[()]]", TypedDict item "labels" has type "Operand[TInt32, tuple[Batch]]")  [typeddict-item]  # E: MatMul: inner dimensions differ: a is [3, 5], b is [Batch, 3]; b times a would fit  [typegrad-shape]
""",
    "a variable of another element type than a session assigns": """
noise = tg.Variable.create(scope, np.zeros(4), trainable=False)
noisy = x + noise  # E: AddV2: x is float32 but y is float64; cast one with dtypes.Cast; create noise as float32 [4], which line 14 assigns  [typegrad-dtype]
session.assign(noise, np.zeros(4, np.float32))
""",
    "a number that is no literal beside integers": """
def schedule(count: tg.Operand[tg.TInt32, tuple[()]], peak: float) -> None:
    step = count + 1
    warm = peak * step  # E: Mul: y is int32 but x is a Python float; cast y with dtypes.Cast, or write an int  [typegrad-dtype]
    rest = (step - 3) / 5
    other = count + 2
    row = other - [peak]  # E: Sub: x is int32 but y holds a Python float; cast x with dtypes.Cast, or write an int  [typegrad-dtype]
    half = other / 2
schedule(core.Constant.create(scope, 1), 0.3)
""",
    "names of what is refused": f"""
n = core.Placeholder.create(scope, tg.TInt32, (Batch,))
def takes(v: tg.Operand[tg.TFloat32]) -> None: ...
both = tg.grad(scope, core.Sum.create(scope, w), [w, x])  # E: {GRADIENTS}
print(list(both))
takes(both)
more = -tg.grad(scope, core.Sum.create(scope, h), n)  # E: {NO_FLOW.format("the operand")}
takes(more)
takes(core.Placeholder.create(scope, tg.TInt64, ()))  # E: Argument 1 to "takes" has incompatible type "Placeholder[TInt64, tuple[()]]"; expected "Operand[TFloat32, tuple[Any, ...]]"  [arg-type]
print(list(w))  # E: w cannot be iterated while the graph is built; core.Unstack makes a list of operands  [typegrad-call]
""",
    "a callable that lacks a feed": f"""
call = session.callable(h, [])  # E: {MUST_FED}
call(np.zeros((2, 4), np.float32))
""",
    "a callable that takes no values": """
call = session.callable(w, [])
call(np.zeros((2, 4), np.float32))  # E: no values are needed, but there is 1  [typegrad-call]
""",
    "an attribute of what a run that lacks a feed returns": f"""
values = session.run({{"h": h}})  # E: {MUST_FED}
print(values.shape)
""",
    "an operand of a rank that is too low, which is indexed": """
def takes(v: tg.Operand[tg.TFloat32, tuple[Batch, Literal[1]]]) -> None: ...
column = x[:, 0]
takes(column)
print(column[:, 0])  # E: StridedSlice: 2 dimensions are indexed, but `input` has shape [Batch]  [typegrad-shape]
h[0][:, 0]  # E: StridedSlice: 2 dimensions are indexed, but `input` has shape [3]  [typegrad-shape]
""",
    "an operand of a rank that is too low, which is indexed behind a call that was not followed": """
class Layer:
    def __init__(self, w: tg.Operand[tg.TFloat32]) -> None:
        self.w = w
    def takes(self, v: tg.Operand[tg.TFloat32, tuple[Batch, Literal[1]]]) -> None:
        print(v @ self.w)
def program(layer: Layer, v: tg.Operand[tg.TFloat32, tuple[Batch, Literal[4]]]) -> None:
    column = v[:, 0]
    layer.takes(column)  # E: Argument 1 to "takes" of "Layer" has incompatible type "Operand[TFloat32, tuple[Batch]]"; expected "Operand[TFloat32, tuple[Batch, Literal[1]]]"  [arg-type]
    print(column[:, 0])
""",
    "arrays of a function that declares others": """
def data() -> tuple[np.ndarray[tuple[int, int], np.dtype[np.float32]], int]:
    return np.zeros((2, 4)), 3  # E: Incompatible return value type (got "tuple[ndarray[tuple[int, int], dtype[float64]], int]", expected "tuple[ndarray[tuple[int, int], dtype[floating[_32Bit]]], int]")  [return-value]
def open_data() -> tuple[np.ndarray, int]:
    return np.zeros((2, 4)), 3
rows, _ = data()
session.run(x, {x: rows})
session.run(x, {x: rows[:, :3]})  # E: run: the feed of x has shape [2, 3], which does not fit [Batch, 4]  [typegrad-shape]
others, _ = open_data()
session.run(h, {x: others})  # E: run: the feed of x is an array of float64, but must be float32; convert it with astype(np.float32)  [typegrad-dtype]
""",
    "an operand that two runs feed": """
count = tg.Variable.create(scope, np.zeros(2, np.int64))
more = core.Placeholder.create(scope, tg.TInt32, (2,))
add = count.assign_add(scope, more)  # E: Variable.assign_add: the variable is int64 but value is int32; cast one with dtypes.Cast; declare more as int64 [2], which line 15 feeds  [typegrad-dtype]
session.run(count, {more: np.array([1, 2])})
session.run(add, {more: np.array([3, 4])})
""",
    "the rank that an input must have": f"""
labels = core.Placeholder.create(scope, tg.TInt32, (Batch, 1))
other = core.Placeholder.create(scope, tg.TInt32, (Batch, 1))
first = nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, h, labels).loss  # E: {LABELS}
second = nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, h * 2.0, labels).loss
third = nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, h, other).loss  # E: {LABELS}
""",
    "two results in each other's place, one of which is indexed": """
def model(v: tg.Operand[tg.TFloat32, tuple[Batch, Literal[3]]]) -> tuple[tg.Operand[tg.TFloat32, tuple[Batch, Literal[5]]], tg.Operand[tg.TFloat32, tuple[Batch]]]:
    return v @ w, core.Sum.create(scope, v, 1)
value, logits = model(h)
core.Gather.create(scope, logits, math.ArgMax.create(scope, h, 1), 1, batch_dims=1)  # E: Gather: `batch_dims` is 1, but must be less than the rank of `params`, which has shape [Batch]  [typegrad-shape]
rows = session.run(logits, {x: np.zeros((2, 4), np.float32)})
print(rows[0, 1])
sums = session.run(core.Sum.create(scope, w, 1))
print(sums[0, 1])  # E: the array of shape [3] has 1 dimension, but 2 are indexed  [typegrad-shape]
""",
    "a variable and its value": """
centres = tg.Variable.create(scope, np.zeros((2, 60), np.float32))
centres.expect(tg.TFloat32, (60, 2))  # E: expect: centres has shape [2, 60], which is never [60, 2]  [typegrad-shape]
points = core.Placeholder.create(scope, tg.TFloat32, (None, 2))
found = session.value(centres)
session.run(points, {points: found})
more = core.Placeholder.create(scope, tg.TFloat32, (None, 2))
session.run(more, {more: np.zeros((2, 60), np.float32)})  # E: run: the feed of more has shape [2, 60], which does not fit [?, 2]  [typegrad-shape]
""",
    "a placeholder that its feed does not fit, nor is what it makes of the declared shape": f"""
action = core.Placeholder.create(scope, tg.TInt32, (Batch, 1))
reward = core.Placeholder.create(scope, tg.TInt32, (Batch, 1))
def cost(v: tg.Operand[tg.TInt32, tuple[Batch]]) -> None: ...
cost(action * 2)
session.run(action, {{action: np.zeros(3, np.int32)}})  # E: run: the feed of action has shape [3], which does not fit [Batch, 1]; declare action as int32 [Batch]  [typegrad-shape]
cost(reward)  # E: Argument 1 to "cost" {COLUMN.format("Placeholder")}
session.run(x, {{x: np.zeros(4, np.float32)}})  # E: run: the feed of x has shape [4], which does not fit [Batch, 4]  [typegrad-shape]
""",
    "a list to which a list is appended": f"""
parts: list[tg.Operand[tg.TFloat32]] = [h]
others: list[tg.Operand[tg.TFloat32]] = [h]
parts.append([h, h])  # E: {APPENDED}
others.append([h, h])  # E: {APPENDED}
core.Concat.create(scope, parts, 1)
core.Concat.create(scope, [h, [h, h]], 1)  # E: Concat: values[1] is a list of operands; core.Stack makes one operand of several  [typegrad-dtype]
""",
    "a function whose result is refused, in the body of another one": f"""
Three = tg.Operand[tg.TFloat32, tuple[Batch, Literal[3]]]
def code(v: Three) -> tg.Operand[tg.TFloat32, tuple[Batch, Literal[5]]]:
    return core.Concat.create(scope, [v, v], 1)  # E: {RETURNED.format("Concat[TFloat32, tuple[Batch, Literal[6]]]", "Operand[TFloat32, tuple[Batch, Literal[5]]]")}
def layer(v: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    return v @ np.zeros((6, 2), np.float32)
def net(v: Three) -> tg.Operand[tg.TFloat32]:
    return layer(code(v))
b = core.Placeholder.create(scope, tg.TFloat32, (Batch, 3))
net(b)
layer(core.Placeholder.create(scope, tg.TFloat32, (Batch, 5)))  # E: MatMul: inner dimensions differ: a is [Batch, 5], b is [6, 2]; in layer, line 16  [typegrad-shape]
""",
    "a number that is not the size that is declared": f"""
COUNT = 7
SIZE = 7
Eight = tg.Operand[tg.TFloat32, tuple[Literal[8]]]
def zeros() -> Eight:
    return core.Fill.create(scope, [COUNT], 0.0)  # E: {SEVEN}
def ones() -> Eight:
    return core.Fill.create(scope, (COUNT,), 1.0)
def twos() -> Eight:
    return core.Fill.create(scope, (SIZE,), 2.0)  # E: {SEVEN}
""",
    "an operand that is declared as a number, and fetched": f"""
cost: int = core.Sum.create(scope, w)  # E: {AN_INT}
size: int = core.Sum.create(scope, w)  # E: {AN_INT}
session.run({{"cost": cost}})
session.run([w, 3])  # E: {NO_FETCH}
""",
    "an array beside operands": f"""
n = core.Placeholder.create(scope, tg.TInt32, (3,))
data, more = np.arange(3), np.arange(3)
n * data  # E: Mul: x is int32 but y is {LONG}
n + data[::-1]
n + more  # E: AddV2: x is int32 but y is {LONG}
(n + 1) * np.arange(3)  # E: Mul: x is int32 but y is {LONG}
n * np.arange(3, dtype=np.int32)
""",
    "two calls of a wrong function, in one expression": f"""
def distance(a: tg.Operand[tg.TFloat32], b: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    return core.Sum.create(scope, a * b, 2)
def length(a: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    return core.Sum.create(scope, a * a, 2)
half = 0.5 * (
    distance(h, h)  # E: {AXIS.format("distance", 13)}
    + distance(h, h)
    + length(h)  # E: {AXIS.format("length", 15)}
)
""",
    "two calls of a right function, in one expression": """
def shifted(a: tg.Operand[tg.TFloat32], b: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    return a + b
shifted(h, h)
seven = tg.Variable.create(scope, np.zeros(7, np.float32))
half = 0.5 * (
    shifted(h, w[0])  # E: AddV2: shapes [Batch, 3] and [5] do not broadcast: 3 and 5 are neither equal nor 1; in shifted, line 13  [typegrad-shape]
    + shifted(h, seven)  # E: AddV2: shapes [Batch, 3] and [7] do not broadcast: 3 and 7 are neither equal nor 1; in shifted, line 13  [typegrad-shape]
)
""",
    "a body that is wrong for the arguments of each call of which the shapes are known": """
def shifted(a: tg.Operand[tg.TFloat32], b: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    return a @ b + x
def program(any_shape: tg.Operand[tg.TFloat32]) -> None:
    shifted(any_shape, w)
shifted(h, w)  # E: AddV2: shapes [Batch, 5] and [Batch, 4] do not broadcast: 5 and 4 are neither equal nor 1; in shifted, line 13  [typegrad-shape]
shifted(h[:2], w)
""",
    "operands that are bound together in the place of what a run returns": f"""
total, most, least = core.Sum.create(scope, w), core.Max.create(scope, w), core.Min.create(scope, w)
first, second = total, most
print(f"{{first:.3f}} {{second:.3f}}", float(second))  # E: {UNFETCHED.format("first")}
assert abs(first - 2.0) < second
third = least
print(float(third))  # E: {UNFETCHED.format("third")}
if core.Sum.create(scope, w) > 3: ...  # E: {TRUTH}
""",
    "operands that get other names together in the place of what a run returns": f"""
total, rows, columns = core.Sum.create(scope, w), core.Sum.create(scope, w, 1), core.Sum.create(scope, w, 0)
first, second, third = total, rows, columns
assert first < 3.0  # E: {TRUTH.replace("  [", "; session.run gives the values of what line 13 binds  [")}
print(len(second), third.sum())
least, most = core.Sum.create(scope, w, 0), core.Sum.create(scope, w, 1)
print(len(least))  # E: least has no length; its static size is .shape[0], and core.Shape has the size in a run  [typegrad-call]
print(most.sum())  # E: 'Sum' object has no attribute 'sum'; did you mean `core.Sum` (from typegrad.op import core)?  [typegrad-call]
""",
    "one of float32 beside parameters of float64": f"""
def learn(v: tg.Operand[tg.TFloat64, tuple[int]], u: tg.Operand[tg.TFloat64, tuple[int]], arm: tg.Operand[tg.TInt32, tuple[()]]) -> None:
    chosen, other = core.OneHot.create(scope, arm, 3, 1.0, 0.0), core.Fill.create(scope, [3], 1.0)
    print(chosen[:, None, None] * (v[:, None] * v))  # E: {DOUBLE}
    print(chosen[:, None] * v)
    print(other * v)  # E: {DOUBLE}
""",
    "a name that is declared with another element type": """
logits: tg.Operand[tg.TInt32, tuple[Batch, Literal[3]]] = h * 2.0  # E: Incompatible types in assignment (expression has type "Operand[TFloat32, tuple[Batch, Literal[3]]]", variable has type "Operand[TInt32, tuple[Batch, Literal[3]]]")  [assignment]
labels = core.Placeholder.create(scope, tg.TInt32, (Batch,))
nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, logits, labels)
ids = core.Placeholder.create(scope, tg.TInt32, (Batch, 3))
nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, ids, labels)  # E: SparseSoftmaxCrossEntropyWithLogits: features is int32, but must be bfloat16, float16, float32 or float64; cast it with dtypes.Cast  [typegrad-dtype]
""",
    "two names that are bound to each other's values": f"""
def plan(cost: tg.Operand[tg.TFloat32, tuple[int, int]]) -> tg.Operand[tg.TFloat32]:
    kernel, inner = scope.with_name("plan"), -cost / 3.0
    f = core.Sum.create(inner, cost, 1)  # E: {NO_SCOPE}; inner and kernel of line 13 are in each other's place  [typegrad-call]
    print(sums(inner, cost))
    return kernel + f
def sums(scope: tg.Scope, v: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    own, other = scope, v * 2.0
    core.Sum.create(other, v)  # E: {NO_SCOPE}  [typegrad-call]
    return core.Sum.create(other, own)  # E: {NO_SCOPE}  [typegrad-call]
""",
    "a function that returns an operand of another rank in each call": """
def kernel(a: tg.Operand[tg.TFloat32], b: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32, tuple[int, int]]:
    return a[:, None] * b
kernel(h, h)  # E: kernel (line 12) returns an operand of shape [Batch, Batch, 3], but is declared to return [?, ?]  [typegrad-shape]
kernel(h[:2], h[:2])
""",
    "a method that is not called": f"""
class Model:
    def pooled(self) -> tg.Operand[tg.TFloat32, tuple[Batch, Literal[3]]]:
        return h * 2.0
    def size(self) -> int:
        return 3
model = Model()
output = model.pooled
(size,) = output.shape[-1:].as_ints()  # E: {CALLABLE.format("[], Operand[TFloat32, tuple[Batch, Literal[3]]]", "shape")}; output of line 18 is the function pooled; call it there  [attr-defined]
print(output * 2.0, nn.Relu.create(scope, output))
late, other = model.pooled, model.pooled
print(model.pooled.shape)  # E: {CALLABLE.format("[], Operand[TFloat32, tuple[Batch, Literal[3]]]", "shape")}; call it: model.pooled(...)  [attr-defined]
nn.Relu.create(scope, late)  # E: Relu.create(): `features` must be an operand or a value, not a function; call it: late(...)  [typegrad-call]
late.dtype
print(model.size.real)  # E: {CALLABLE.format("[], int", "real")}; call it: model.size(...)  [attr-defined]
print(model.size.shape)  # E: {CALLABLE.format("[], int", "shape")}  [attr-defined]
print(model.size.__name__, output.__name__, other)
""",
    "the items of a list": f"""
class Layer: ...
def trained(layers: list[Layer]) -> None:
    print(layers)
trained([w, w])  # E: {ITEM.format(0, "Variable[TFloat32, tuple[Literal[3], Literal[5]]]")}
trained([w, 3])  # E: {ITEM.format(0, "Variable[TFloat32, tuple[Literal[3], Literal[5]]]")}  # E: {ITEM.format(1, "int")}
trained([Layer(), w])  # E: {ITEM.format(1, "Variable[TFloat32, tuple[Literal[3], Literal[5]]]")}
""",
    "a product of stacks": f"""
stack = tg.Variable.create(scope, np.zeros((5, 2, 6), np.float32)) * 2.0
other = tg.Variable.create(scope, np.zeros((5, 2, 6), np.float32)) * 2.0
y = stack @ stack  # E: {STACKS}
z = (stack * 2.0) @ stack
v = other @ other  # E: {STACKS}
""",
    "an argument in a line of its own, which fails in the function": """
def dense(x: tg.Operand[tg.TFloat32], units: int) -> tg.Operand[tg.TFloat32]:
    sizes = {"in": 4, "out": units}
    return x @ tg.Variable.create(scope, np.zeros((sizes["in"], sizes["out"]), np.float32))
dense(
    x,
    units=4 / 2,  # E: Argument "units" to "dense" has incompatible type "float"; expected "int"  [arg-type]
)
""",
    "a call that fails above a mistake in another one": """
sizes = {"in": 5}
def dense(x: tg.Operand[tg.TFloat32], units: int) -> tg.Operand[tg.TFloat32]:
    return x @ np.zeros((sizes["in"], units), np.float32)
dense(  # E: MatMul: inner dimensions differ: a is [Batch, 4], b is [5, 2]; in dense, line 14  [typegrad-shape]
    x,
    units=2,
)
dense(
    x,
    units="2",  # E: Argument "units" to "dense" has incompatible type "str"; expected "int"  [arg-type]
)
""",
    "a record beside operands, and in the place of one": """
class Parameter:
    def __init__(self) -> None:
        self.value = tg.Variable.create(scope, np.zeros(3, np.float32))
def program(mean: Parameter, scale: Parameter) -> None:
    y = h * 2.0
    print(y / mean)  # E: Unsupported operand types for / ("Operand[TFloat32, tuple[Batch, Literal[3]]]" and "Parameter")  [operator]
    print(math.Log.create(scope, mean))
    print(mean * y)
    print(y - scale)  # E: - takes an operand, a number or an array beside an operand, not Parameter  [typegrad-call]
    print(math.Log.create(scope, scale))
    print(y * Parameter())  # E: * takes an operand, a number or an array beside an operand, not Parameter  [typegrad-call]
""",
    "what is made of operands of which some may be None": """
def takes(several: list[tg.Operand[tg.TFloat32]]) -> None: ...
def program(parts: list[tg.Operand[tg.TFloat32] | None], words: list[str]) -> None:
    halves = [(each / 2.0, 3) for each in parts]  # E: Unsupported operand types for / ("None" and "float")  [operator]
    takes(halves)
    names = [each.upper() for each in words]
    takes(names)  # E: Argument 1 to "takes" has incompatible type "list[str]"; expected "list[Operand[TFloat32, tuple[Any, ...]]]"  [arg-type]
""",
    "results in the wrong order, which are appended": """
class State:
    def __init__(self, v: tg.Operand[tg.TFloat32]) -> None:
        self.v = v
def cell(v: tg.Operand[tg.TFloat32], state: State) -> tuple[tg.Operand[tg.TFloat32], State]:
    return v, state
state = State(h)
outputs = []
for _ in range(3):
    state, output = cell(h, state)  # E: Incompatible types in assignment (expression has type "Operand[TFloat32, tuple[Batch, Literal[3]]]", variable has type "State")  [assignment]
    outputs.append(output)
core.Stack.create(scope, outputs)
states = [State(h)]
core.Stack.create(scope, states)  # E: Stack.create(): `values` must hold operands or values, not State; take one of its operands: .v  [typegrad-call]
""",
    "a result that is no operand in the place of one": """
def model() -> tuple[tg.Operand[tg.TFloat32, tuple[int, int]], tuple[int, int]]:
    return h * 2.0, (3, 3)
size, logits = model()
print(math.ArgMax.create(scope, logits, 1))  # E: ArgMax: `dimension` is 1, but must be in [-1, 1)  [typegrad-shape]
print(core.Concat.create(scope, [logits, (3, 3)], 1))
v, other = model()
print(math.ArgMax.create(scope, v, 2))  # E: ArgMax: `dimension` is 2, but must be in [-2, 2)  [typegrad-shape]
print(core.Sum.create(scope, v, 3))  # E: Sum: `axis` is 3, but must be in [-2, 2)  [typegrad-shape]
""",
    "an operand that gets another name where a session runs": """
with tg.Session(scope.graph) as running:
    value = w
    print(np.exp(value))  # E: np.exp takes arrays, and value has no value before the run; did you mean `math.Exp` (from typegrad.op import math)?; session.run gives the values of what line 13 binds  [typegrad-call]
    print(value.reshape(-1), value.max())
weights = w
print(np.exp(weights))  # E: np.exp takes arrays, and weights has no value before the run; did you mean `math.Exp` (from typegrad.op import math)?  [typegrad-call]
print(weights.max())  # E: 'Variable' object has no attribute 'max'; did you mean `core.Max` (from typegrad.op import core)?  [typegrad-call]
""",
}


@pytest.fixture(scope="module")
def different(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    return disagreements(tmp_path_factory.mktemp("programs"), PROGRAMS, HEADER)


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
