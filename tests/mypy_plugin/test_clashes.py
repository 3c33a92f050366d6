"""Where the same two sizes, element types or classes clash about one value, that is one error; about two, two."""

from __future__ import annotations

from typing import Final

import pytest

from mypy_plugin.checking import disagreements

HEADER: Final = """\
from typing import Literal, NewType
import numpy as np
import typegrad as tg
from typegrad.op import core, linalg, math, nn
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
NOT_INT: Final = (
    "Sub: x is int32 but y is the Python float 0.5; cast x with dtypes.Cast, or write an int  [typegrad-dtype]"
)
NOT_BOOL: Final = (
    "SoftmaxCrossEntropyWithLogits: features is float32 but labels is bool; cast one with dtypes.Cast  [typegrad-dtype]"
)
STACK: Final = "BatchMatMul: inner dimensions differ: x is [?, 4], y is [4, 2, 2]  [typegrad-shape]"
NO_AXIS: Final = "{}: `axis` is 1, but must be in [-1, 1)  [typegrad-shape]"
KEPT: Final = (
    "RealDiv: shapes [Batch, 4] and [Batch] do not broadcast: 4 and Batch are neither equal nor 1; [Batch, 1] would "
    "fit: keep_dims=True in a reduction over axis 1 gives it, or core.ExpandDims with axis 1  [typegrad-shape]"
)
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
    "a placeholder of another size of numbers than a variable and its feed": """
z = core.Placeholder.create(scope, tg.TFloat32, (None, 3))
wide = tg.Variable.create(scope, np.zeros((3, 5)))
y = z @ wide  # E: MatMul: a is float32 but b is float64; cast one with dtypes.Cast; declare z as float64 [?, 3], which line 16 feeds  [typegrad-dtype]
session.run(y, {z: np.zeros((2, 3))})
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
    "an element type that an operation does not result in": """
ids = core.Placeholder.create(scope, tg.TInt32, (None,))
math.Equal.create(scope, math.ArgMax.create(scope, h, 1, tg.TFloat32), ids)  # E: ArgMax.create(): `output_type` is float32, but must be int16, int32, int64 or uint16  [typegrad-call]
""",
    "a list of integers and an operand, swapped": """
image = core.Placeholder.create(scope, tg.TFloat32, (None, 8, 8, 3))
filters = tg.Variable.create(scope, np.zeros((3, 3, 3, 4), np.float32))
nn.Conv2d.create(scope, image, (1, 1, 1, 1), filters, "SAME")  # E: Conv2d.create(): `strides` is a list of integers, not an operand  [typegrad-call]
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
    "arrays of several numbers of rows that a function makes": """
def points(count: int) -> np.ndarray:
    return np.stack([np.zeros(count), np.ones(count)], axis=0).astype(np.float32)
def others(count: int) -> np.ndarray:
    return np.stack([np.zeros(count), np.ones(count)], axis=0).astype(np.float32)
first, second = (core.Placeholder.create(scope, tg.TFloat32, (None, 2)) for _ in range(2))
session.run(first, {first: points(40)})  # E: run: the feed of first has shape [2, 40], which does not fit [?, 2]  [typegrad-shape]
session.run(second, {second: points(30)})
session.run(second, {second: others(20)})  # E: run: the feed of second has shape [2, 20], which does not fit [?, 2]  [typegrad-shape]
""",
    "a key that is misspelt where the dict is made": f"""
outputs = {{"y": h}}
outputs["yy"] * 2.0  # E: {KEY}
session.run(outputs["yy"])
""",
    "what a run returns for an operation": """
step = core.NoOp.create(scope)
loss, value = session.run((step, core.Constant.create(scope, 1.0)))
print(1.0 - loss)  # E: - of None: the operation step has no value; fetch the operand to show, such as the loss  [typegrad-call]
print(float(loss))
print(float(session.run(step)))  # E: float of None: the operation step has no value; fetch the operand to show, such as the loss  [typegrad-call]
""",
    "names that an unpacking lacks": """
def three() -> tuple[int, int, int]:
    return 1, 2, 3
first, second = three()  # E: Too many values to unpack (2 expected, 3 provided)  [misc]
print(third, third)
print(fourth)  # E: Name "fourth" is not defined  [name-defined]
""",
    "an attribute that a name is bound to, and one in several calls": """
strides, other = (1, 1, 1), (1, 1, 1)
image, window = np.zeros((2, 4, 4, 1), np.float32), np.zeros((3, 3, 1, 1), np.float32)
nn.Conv2d.create(scope, image, window, strides, "SAME")  # E: Conv2d: `strides` must be 4 positive numbers, one for each dimension, but is [1, 1, 1]  [typegrad-attribute]
nn.Conv2d.create(scope, image, window, strides, "VALID")
nn.Conv2d.create(scope, image, window, other, "SAME")  # E: Conv2d: `strides` must be 4 positive numbers, one for each dimension, but is [1, 1, 1]  [typegrad-attribute]
nn.Conv2d.create(scope, image, window, [1, 1, 1], "SAME")  # E: Conv2d: `strides` must be 4 positive numbers, one for each dimension, but is [1, 1, 1]  [typegrad-attribute]
nn.Conv2d.create(scope, image, window, [1, 1, 1], "VALID")  # E: Conv2d: `strides` must be 4 positive numbers, one for each dimension, but is [1, 1, 1]  [typegrad-attribute]
""",
    "attributes in each other's place, and a size in the place of the scope": """
class Net:
    def __init__(self, scope: tg.Scope, width: int) -> None:
        self.width, self.scope = scope, width
    def positive(self, v: tg.Op) -> tg.Op:
        return nn.Relu.create(self.scope, v)  # E: Relu.create(): argument `scope` must be a Scope, not int; it is called as Relu.create(scope, features)  [typegrad-call]
    def between(self, v: tg.Op) -> tg.Op:
        scope, half = self.scope, self.width // 2
        with self.scope:
            return math.Tanh.create(scope, v)
size = 3
nn.Relu.create(size, h)  # E: Relu.create(): argument `scope` must be a Scope, not int; it is called as Relu.create(scope, features)  [typegrad-call]
math.Tanh.create(size, h)  # E: Tanh.create(): argument `scope` must be a Scope, not int; it is called as Tanh.create(scope, x)  [typegrad-call]
""",
    "results in each other's place that are fed twice": """
def task() -> tuple[np.ndarray[tuple[int, int], np.dtype[np.float32]], np.ndarray[tuple[int], np.dtype[np.int32]]]:
    return np.zeros((2, 4), np.float32), np.zeros(2, np.int32)
labels = core.Placeholder.create(scope, tg.TInt32, (None,))
classes, points = task()
session.run([x, labels], {x: points, labels: classes})  # E: run: the feeds of x and labels are swapped  [typegrad-dtype]
session.run([labels, x], {x: points, labels: classes})
classes, points = task()
session.run([x, labels], {x: points, labels: classes})  # E: run: the feeds of x and labels are swapped  [typegrad-dtype]
""",
    "a placeholder whose element type an operation does not take, fed by position": """
state, other = (core.Placeholder.create(scope, tg.TFloat32, (None,)) for _ in range(2))
mean = core.Placeholder.create(scope, tg.TFloat32, (None,))
labels = core.Placeholder.create(scope, tg.TFloat32, (None, None))
rows = core.Gather.create(scope, np.zeros((4, 3), np.float32), labels)  # E: Gather: indices is float32, but must be int16, int32 or int64; cast it with dtypes.Cast; declare labels as int32 [?, ?], which line 19 feeds  [typegrad-dtype]
values, means = session.callable(rows, [labels]), session.callable(mean, [mean])
values([[1, 2]])
values(np.zeros((2, 2), np.int32))
session.run(mean, {mean: np.zeros(2, np.float32)})
means(np.zeros(2, np.int32))  # E: run: the feed of mean is an array of int32, but must be float32; convert it with astype(np.float32)  [typegrad-dtype]
""",
    "a variable of integers that is differentiated": """
mean = tg.Variable.create(scope, np.zeros(3, np.int64))
count = tg.Variable.create(scope, np.zeros(3, np.int64))
loss = math.Mean.create(scope, h + mean)  # E: AddV2: x is float32 but y is int64; cast one with dtypes.Cast  [typegrad-dtype]
squares = math.Mean.create(scope, h * h)
tg.grad(scope, squares, mean)
tg.grad(scope, squares, count)  # E: grad: no gradient flows from squares to count: count is int64, and only floats and complex numbers have gradients  [typegrad-dtype]
""",
    "two arguments that a comprehension makes": """
def joined(a: tg.Operand[tg.TFloat32, tuple[Batch, Literal[1]]], b: tg.Operand[tg.TFloat32, tuple[Batch, Literal[1]]]) -> None:
    print(a, b)
first, second = (core.Placeholder.create(scope, tg.TFloat32, (Batch,)) for _ in range(2))
third = core.Placeholder.create(scope, tg.TFloat32, (Batch,))
joined(first, second)  # E: Argument 1 to "joined" has incompatible type "Placeholder[TFloat32, tuple[Batch]]"; expected "Operand[TFloat32, tuple[Batch, Literal[1]]]"  [arg-type]
joined(third, h[:, :1])  # E: Argument 1 to "joined" has incompatible type "Placeholder[TFloat32, tuple[Batch]]"; expected "Operand[TFloat32, tuple[Batch, Literal[1]]]"  [arg-type]
""",
    "names that an unpacking lacks, which are bound below": """
values = {"a": (1.0, 2.0)}
first, = 1, 2  # E: Too many values to unpack (1 expected, 2 provided)  [misc]
print(first, second)
print(other)  # E: Name "other" is used before definition  [used-before-def]
second, other = 3, 4
def program() -> None:
    (left,) = core.Unstack.create(scope, x, 2)  # E: Unstack: num is 2; the outputs are unpacked into 1 name, but there are 2 outputs  [typegrad-shape]
    left, right = (each * 2.0 for each in (left, right))
""",
    "names in each other's place, of which one is unpacked": """
pairs = [(1.0, 2.0), (3.0, 4.0)]
for (a, b), index in enumerate(pairs):  # E: "int" object is not iterable  [misc]
    print(a + b)
    if index < len(pairs) - 1:
        print(index)
for (axis, reverse), name in {"down": (0, True)}.items():  # E: Unpacking a string is disallowed  [str-unpack]
    print(["a"][axis], name + "s")
print(len(pairs) < "2")  # E: Unsupported operand types for < ("int" and "str")  [operator]
""",
    "names that an unpacking gives no type": """
first, second = 1, 2, 3  # E: Too many values to unpack (2 expected, 3 provided)  [misc]
third, fourth, fifth = 1, 2  # E: Need more than 2 values to unpack (3 expected)  [misc]
print(first + second, third)
tg.Variable.create(scope, np.zeros((first, 4), np.float32))
h @ np.zeros((second, 3), np.float32)
def sized(columns: int) -> int:
    return columns * fourth
h @ np.zeros((5, 3), np.float32)  # E: MatMul: inner dimensions differ: a is [?, 3], b is [5, 3]; linalg.MatMul with transpose_b=True would fit  [typegrad-shape]
(first + second).real.misspelt
x.misspelt  # E: "Placeholder[TFloat32, tuple[Any, Literal[4]]]" has no attribute "misspelt"  [attr-defined]
""",
    "names that an unpacking lacks in its function or comprehension": """
def pair() -> int:
    first, second = 1, 2, 3  # E: Too many values to unpack (2 expected, 3 provided)  [misc]
    return third
def other() -> int:
    return unknown  # E: Name "unknown" is not defined  [name-defined]
def columns(sizes: dict[str, int]) -> object:
    return {name: size for name, in sizes.items()}, missing  # E: Too many values to unpack (1 expected, 2 provided)  [misc]  # E: Name "missing" is not defined  [name-defined]
left, right = core.Unstack.create(scope, np.zeros((3, 2), np.float32), 3)  # E: Unstack: num is 3; the outputs are unpacked into 2 names, but there are 3 outputs  [typegrad-shape]
print(last)
""",
    "names that an unpacking of sizes or of pairs in pairs lacks": """
def layers(sizes: tuple[int, ...]) -> None:
    for index, in enumerate(zip(sizes[:-1], sizes[1:])):  # E: Too many values to unpack (1 expected, 2 provided)  [misc]
        print(index, rows * columns, rows)
        print(columns, beyond)  # E: Name "beyond" is not defined  [name-defined]
def flat(v: tg.Operand[tg.TFloat32, tuple[int, int]]) -> tg.Operand[tg.TFloat32]:
    (height,) = v.shape.as_ints()  # E: the shape [?, ?] has 2 sizes, but is unpacked into 1 name  [typegrad-shape]
    return core.Reshape.create(scope, v, (height * width + unknown,))  # E: Name "unknown" is not defined  [name-defined]
""",
    "arguments of names that an unpacking gives no type": """
rows, columns = 40, 25, 3  # E: Too many values to unpack (2 expected, 3 provided)  [misc]
u, v = np.meshgrid(np.arange(rows), np.arange(columns), indexing="ij")
def named(name: str, size: int) -> None:
    print(name, size)
named(3, "a")  # E: named(): `name` is int and `size` is str; swap them  [typegrad-call]
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
    "an element type that no operation takes": """
hits, other = h > 0.0, h < 0.0
died = hits
core.Sum.create(scope, died)  # E: Sum: input is bool, but must be numeric; cast it with dtypes.Cast  [typegrad-dtype]
math.Mean.create(scope, died)
math.Mean.create(scope, other)  # E: Mean: input is bool, but must be numeric; cast it with dtypes.Cast  [typegrad-dtype]
""",
    "a learning rate of integers": """
rate = tg.Variable.create(scope, 1, trainable=False)
tg.optimizers.Momentum(scope.graph, rate, momentum=0.9).minimize(h * w[:, 0])  # E: learning_rate must be floating point, but is 'rate' (Variable, int32 [], line 13)  [typegrad-dtype]
session.assign(rate, 0.01)
session.assign(rate, 0.1)
""",
    "a tuple of gradients": """
slopes = tg.gradients(scope, h, [x])
math.Square.create(scope, slopes - x)  # E: Sub: x is of type tuple[Operand[TFloat32, tuple[Any, Literal[4]]] | None], but must be an operand or a value that the operation takes; take one gradient with [0], or write tg.grad for one x  [typegrad-dtype]
core.Sum.create(scope, slopes[:, 0])
""",
    "an integer where floating-point numbers are": f"""
n, other = core.Shape.create(scope, x)[0], core.Shape.create(scope, x)[0]
rate = core.PlaceholderWithDefault.create(scope, 1, ())
def scaled(rate: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    return h * rate
core.Sum.create(scope, h) / (n * (n - 0.5))  # E: {NOT_INT}
h * n
core.Sum.create(scope, w) / core.Sum.create(scope, other)  # E: RealDiv: x is float32 but y is int32; cast one with dtypes.Cast  [typegrad-dtype]
other - 0.5
core.Shape.create(scope, h)[0] - 0.5  # E: {NOT_INT}
scaled(rate)  # E: Argument 1 to "scaled" has incompatible type "PlaceholderWithDefault[TInt32, tuple[()]]"; expected "Operand[TFloat32, tuple[Any, ...]]"  [arg-type]
session.run(rate, {{rate: 0.5}})
""",
    "an array of floating-point numbers that is an index, and is fed": """
best = core.Placeholder.create(scope, tg.TInt32, ())
index, values = session.run(core.Constant.create(scope, 1)).astype(np.float64), np.zeros(3)
print(values[index])  # E: IndexError: only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid indices  [typegrad-run]
session.run(best, {best: index})
""",
    "truth values where numbers are": f"""
hot, cold = (core.OneHot.create(scope, [0, 1], 3, 1, 0) > 0 for _ in range(2))
more = core.OneHot.create(scope, [0, 1], 3, 1, 0) > 0
hot > 0.5  # E: Greater: x is bool, but must be real; cast it with dtypes.Cast  [typegrad-dtype]
nn.SoftmaxCrossEntropyWithLogits.create(scope, h, hot)
nn.SoftmaxCrossEntropyWithLogits.create(scope, w[:2, :3], more)  # E: {NOT_BOOL}
""",
    "a stack of matrices in two products": f"""
stack = tg.Variable.create(scope, np.zeros((4, 2, 2), np.float32))
other = tg.Variable.create(scope, np.zeros((4, 2, 2), np.float32))
x @ stack  # E: {STACK}
linalg.MatMul.create(scope, x, stack, transpose_b=True)
x @ other  # E: {STACK}
""",
    "a dimension that a reduction has dropped": f"""
rows = core.Placeholder.create(scope, tg.TFloat32, (Batch, 4))
total, other = core.Sum.create(scope, rows, 1), core.Sum.create(scope, rows, 1)
rows / total  # E: {KEPT}
core.Squeeze.create(scope, total, axis=[1])
core.Squeeze.create(scope, other, axis=[1])  # E: {NO_AXIS.format("Squeeze")}
core.Max.create(scope, other, 1)  # E: {NO_AXIS.format("Max")}
""",
    "an array that lacks a dimension": """
rows, other = np.zeros(6, np.float32), np.zeros(6, np.float32)
core.Constant.create(scope, rows).expect(tg.TFloat32, (6, 3))  # E: expect: the operand has shape [6], which is never [6, 3]  [typegrad-shape]
print(rows[:, :2])
print(other[:, :2])  # E: the array of shape [6] has 1 dimension, but 2 are indexed  [typegrad-shape]
""",
    "a placeholder that is to be declared otherwise": """
def predict(v: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    return v @ np.zeros((4, 3), np.float32)
rows, other = (core.Placeholder.create(scope, tg.TInt32, (None, 4)) for _ in range(2))
ids = core.Placeholder.create(scope, tg.TInt32, (None, 4))
predict(ids)  # E: Argument 1 to "predict" has incompatible type "Placeholder[TInt32, tuple[Any, Literal[4]]]"; expected "Operand[TFloat32, tuple[Any, ...]]"; declare ids as float32 [?, 4], which line 20 feeds  [arg-type]
core.Sum.create(scope, ids) / 2.5
core.Sum.create(scope, other) / 2.5  # E: / divides floating-point and complex numbers, not the operand, which is int32: cast it with dtypes.Cast  [typegrad-dtype]
session.run(h, {ids: np.zeros((3, 4), np.float32), x: np.zeros((3, 4), np.float32)})
""",
    "a value of another element type and of another shape": """
def sized(count: tg.Operand[tg.TInt32, tuple[()]]) -> None:
    print(count)
first, count = core.Shape.create(scope, h)[0], h[1:]
core.Range.create(scope, 0, count, 1)  # E: Range: `limit` must have rank 0, but has shape [?, 3]  [typegrad-shape]
sized(count)
sized(w)  # E: Argument 1 to "sized" has incompatible type "Variable[TFloat32, tuple[Literal[3], Literal[5]]]"; expected "Operand[TInt32, tuple[()]]"  [arg-type]
""",
    "the items of zip": """
pairs = [(w, w), (w, w)]
kernels, biases = zip(pairs)
for k, c in zip(kernels, biases):
    h @ k + c  # E: MatMul: b is a tuple of operands; take one of its operands: [0], [1]; core.Stack makes one operand of several  [typegrad-dtype]
tg.optimizers.Adam(scope.graph).minimize(h, var_list=[*kernels, *biases])
""",
    "a list of another element type, in a comprehension and item by item": """
def cost(gains: list[tg.Operand[tg.TFloat64, tuple[int]]]) -> tg.Operand[tg.TFloat64]:
    return gains[0] * best[0]
best = [core.Constant.create(scope, np.zeros(3)) for _ in range(2)]
learned = [tg.Variable.create(scope, np.zeros(3, np.float32)) for _ in range(2)]
cost([each.read(scope) for each in learned])  # E: List comprehension has incompatible type List[Operand[TFloat32, tuple[Literal[3]]]]; expected List[Operand[TFloat64, tuple[int]]]  [misc]
[math.SquaredDifference.create(scope, g, k) for g, k in zip(learned, best)]
""",
    "an argument that is refused, and the name that has its type": """
def advance(v: tg.Operand[tg.TFloat64]) -> tg.Operand[tg.TFloat64]:
    return v * 2.0
state = tg.Variable.create(scope, np.zeros(3, np.float32))
advance(state)  # E: Argument 1 to "advance" has incompatible type "Variable[TFloat32, tuple[Literal[3]]]"; expected "Operand[TFloat64, tuple[Any, ...]]"  [arg-type]
after = state.read(scope)
for _ in range(3):
    after = advance(after)
""",
    "two results in each other's place": """
def model(v: tg.Operand[tg.TFloat32, tuple[int, Literal[3]]]) -> tuple[tg.Operand[tg.TFloat32, tuple[int, Literal[5]]], tg.Operand[tg.TFloat32, tuple[Literal[5]]]]:
    return v @ w, core.Sum.create(scope, w, 0)
bias, logits = model(h)
y = linalg.MatMul.create(scope, logits, w)  # E: MatMul: `a` must have rank 2, but has shape [5]; as a vector, it does not fit b, [3, 5], either  [typegrad-shape]
z = core.Concat.create(scope, [bias, w[0]], 0)
""",
    "two results that are both wrong": """
def both(v: tg.Operand[tg.TFloat32, tuple[int, Literal[3]]]) -> tuple[tg.Operand[tg.TFloat32, tuple[int, Literal[5]]], tg.Operand[tg.TFloat32, tuple[int, Literal[3]]]]:
    return v @ w, v
outer, inner = both(h)
y = outer @ w  # E: MatMul: inner dimensions differ: a is [?, 5], b is [3, 5]; linalg.MatMul with transpose_b=True would fit  [typegrad-shape]
z = inner + np.zeros(7, np.float32)  # E: AddV2: shapes [?, 3] and [7] do not broadcast: 3 and 7 are neither equal nor 1  [typegrad-shape]
""",
    "what a function makes, fed by a data set and by itself": """
from collections.abc import Sequence
from typegrad.training import fit
from typegrad.training.data import Dataset
step = tg.Variable.create(scope, np.zeros(3, np.float32)).assign(scope, core.Sum.create(scope, h, 0))
def rows(count: int) -> np.ndarray:
    return np.random.default_rng(0).normal(size=(count, 4))
def train(feeds: Sequence[tg.Operand]) -> None:
    fit(session, step, Dataset.from_arrays(rows(8)).batch(2), feeds, epochs=1)  # E: the feed of 'x' (Placeholder, float32 [?, 4], line 9) does not fit: an array of float64 is not float32; convert it with astype(np.float32); called in line 21  [typegrad-run]
train((x,))
session.run(x, {x: rows(2)})
""",
    "what a function makes, fed to a training loop and by itself": """
from typegrad.training import fit
from typegrad.training.data import Dataset
step = tg.Variable.create(scope, np.zeros(3, np.float32)).assign(scope, core.Sum.create(scope, h, 0))
def rows(count: int) -> np.ndarray:
    return np.random.default_rng(0).normal(size=(count, 4))
fit(session, step, Dataset.from_arrays(rows(8)).batch(2), (x,), epochs=1)  # E: fit: the feed of x is an array of float64, but must be float32; convert it with astype(np.float32)  [typegrad-dtype]
session.run(x, {x: rows(2)})
""",
    "bools beside numbers, and in the place of numbers": """
mask = h > 0.0
y = h * mask  # E: Mul: x is float32 but y is bool; cast one with dtypes.Cast  [typegrad-dtype]
z = core.Sum.create(scope, mask, 1)
""",
    "a size that is divided": """
n = core.Shape.create(scope, x)[0]
y = core.Sum.create(scope, x) / n  # E: / divides floating-point and complex numbers, not n, which is int32: cast it with dtypes.Cast  [typegrad-dtype]
z = core.Sum.create(scope, h) / n
""",
    "what a function is declared to return": """
def scale(v: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat64]:
    return v * 2.0  # E: Incompatible return value type (got "Operand[TFloat32, tuple[Any, ...]]", expected "Operand[TFloat64, tuple[Any, ...]]"); declare the result of scale as float32  [return-value]
y = scale(h) @ w
z = scale(x) + x
other = core.Constant.create(scope, np.zeros((3, 5)))
y = h @ other  # E: MatMul: a is float32 but b is float64; cast one with dtypes.Cast  [typegrad-dtype]
""",
    "operators of a tuple": """
slopes = tg.gradients(scope, h, [x])
y = math.Square.create(scope, slopes)  # E: Square: x is of type tuple[Operand[TFloat32, tuple[Any, Literal[4]]] | None], but must be an operand or a value that the operation takes; take one gradient with [0], or write tg.grad for one x  [typegrad-dtype]
z = slopes * 0.5
""",
    "a dict in the place of a list": """
variables = {"w": w}
found = tg.gradients(scope, h, variables)  # E: gradients(): xs is a list or tuple, not dict; write list(...)  [typegrad-call]
tg.optimizers.Adam(scope.graph).apply_gradients(zip(found, variables))
""",
    "two losses of the same target": """
target = core.Placeholder.create(scope, tg.TFloat32, (None, 5))
one = core.Identity.create(scope, target)
y = nn.SoftmaxCrossEntropyWithLogits.create(scope, h, one)  # E: SoftmaxCrossEntropyWithLogits: `features` [?, 3] and `labels` [?, 5] do not broadcast  [typegrad-shape]
z = math.SquaredDifference.create(scope, h, one)
""",
    "an attribute and a fetch that do not exist": """
class Net:
    def __init__(self) -> None:
        self.weight = w
    def one(self, v: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
        return v @ self.weights  # E: "Net" has no attribute "weights"; maybe "weight"?  [attr-defined]
    def two(self, v: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
        return v @ self.weights + self.bias  # E: "Net" has no attribute "bias"  [attr-defined]
result = session.run({"h": h}, {x: np.zeros((2, 4), np.float32)})
print(result["y"])  # E: run: there is no fetch 'y'; the fetches are 'h'  [typegrad-call]
print(result["y"] * 2)
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
