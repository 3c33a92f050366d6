"""Small model programs, each correct and with single mistakes.

`<<good|bad|worse>>` in a program is a choice: its correct version takes the first of each, a wrong one takes another at
one place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from attrs import frozen

__all__ = ["HEADER", "PROGRAMS", "Program", "programs"]

_CHOICE: Final = re.compile(r"<<(.*?)>>", re.DOTALL)

HEADER: Final = """from typing import Any, Final, Generic, Literal, NewType, TypedDict, TypeVar

import numpy as np

import typegrad as tg
from typegrad import activations, initializers, losses, regularizers
from typegrad.op import core, dtypes, linalg, math, nn, random, train
from typegrad.training.optimizers import GradientDescent

Batch = NewType("Batch", int)
Hidden = NewType("Hidden", int)
Classes = NewType("Classes", int)
Time = NewType("Time", int)
Words = NewType("Words", int)

graph = tg.Graph(seed=1)
scope = tg.Scope(graph)
tf = tg.Ops.create(graph)
"""


@frozen
class Program:
    """One program; `mistake` is the text that is wrong, "" in the correct version."""

    name: str
    source: str
    mistake: str


def programs() -> Iterator[Program]:
    """Every program in its correct version and with each of its mistakes."""
    for name, text in PROGRAMS.items():
        body = text.strip("\n")
        yield Program(name, _with_choice(body, -1, 0), "")
        for position, choice in enumerate(_CHOICE.findall(body)):
            for index in range(1, len(choice.split("|"))):
                yield Program(name, _with_choice(body, position, index), choice.split("|")[index])


def _with_choice(text: str, position: int, index: int) -> str:
    """The program with the first of each choice, but at `position` number `index`."""
    counter = iter(range(text.count("<<")))
    return (
        HEADER + _CHOICE.sub(lambda match: match[1].split("|")[index if next(counter) == position else 0], text) + "\n"
    )


PROGRAMS: Final = {
    "logistic_regression": """
x = core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, <<784|785|Hidden>>))
labels = core.Placeholder.create(scope, <<tg.TInt32|tg.TFloat32>>, shape=(<<Batch|Batch, 1>>,))
w = tg.Variable.create(scope, np.zeros((<<784, 10|10, 784|784, 10, 1>>), np.<<float32|float64>>))
b = tg.Variable.create(scope, np.zeros(<<10|11>>, np.float32))
logits = nn.BiasAdd.create(scope, linalg.MatMul.create(scope, x, w.read(scope)), b.read(scope))
loss = math.Mean.create(scope, nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, logits, labels).loss)
step = GradientDescent(graph, 0.5).minimize(loss)
""",
    "facade_mlp": """
x = tf.placeholder(tg.TFloat32, shape=(32, <<20|21>>))
h = tf.nn.relu(tf.linalg.mat_mul(x, tf.random.truncated_normal((20, <<64|60>>), dtype=<<tg.TFloat32|tg.TFloat64>>)))
h2 = tf.nn.relu(tf.linalg.mat_mul(h, tf.random.truncated_normal((64, 30))))
logits = tf.linalg.mat_mul(h2, tf.random.truncated_normal((<<30|64>>, 5)))
target = tf.placeholder(<<tg.TFloat32|tg.TFloat64|tg.TInt32>>, shape=(32, <<5|4|30>>))
loss = tf.math.mean(tf.math.square(tf.math.sub(logits, target)), <<(0, 1)|(0, 2)|2>>)
""",
    "operators": """
x = core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, Hidden))
w = core.Placeholder.create(scope, tg.TFloat32, shape=(<<Hidden|Batch>>, 10))
b = core.Placeholder.create(scope, tg.<<TFloat32|TInt32|TFloat64>>, shape=(<<10|9>>,))
y = x @ w + b
z = 2.0 * y - <<1.0|1j>>
mean = math.Mean.create(scope, z, <<1|2|-3>>, keep_dims=True)
centered = <<z - mean|z @ mean>>
first = centered[<<:, 0|:, 0, 0|:, 10>>]
total = core.Sum.create(scope, first * <<y[:, 3]|y[0]>>)
""",
    "reassigned": """
h = nn.Relu.create(scope, core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, 100)))
h = nn.Relu.create(scope, linalg.MatMul.create(scope, h, core.Placeholder.create(scope, tg.TFloat32, shape=(<<100|101>>, 50))))
h = nn.Relu.create(scope, linalg.MatMul.create(scope, h, core.Placeholder.create(scope, tg.TFloat32, shape=(<<50|100>>, 25))))
for i in range(3):
    h = nn.Relu.create(scope, linalg.MatMul.create(scope, h, core.Placeholder.create(scope, tg.TFloat32, shape=(<<25, 25|26, 26>>))))
h = nn.Relu.create(scope, core.Reshape.create(scope, h, (<<-1, 5, 5|-1, 5, -1|-1, 5, -2>>)))
out = core.Sum.create(scope, h, <<(1, 2)|(1, 3)|(1, 1)>>)
""",
    "functions": """
def dense(
    x: tg.Operand[tg.TFloat32, tuple[Batch, Literal[20]]], w: tg.Operand[tg.TFloat32, tuple[Literal[<<20|21>>], Hidden]]
) -> tg.Operand[tg.TFloat32, tuple[Batch, Hidden]]:
    return math.Tanh.create(scope, linalg.MatMul.create(scope, x, w))


def head(
    h: tg.Operand[tg.TFloat32, tuple[Batch, <<Hidden|Classes>>]], w: tg.Operand[tg.TFloat32, tuple[Hidden, Classes]]
) -> tg.Operand[tg.TFloat32, tuple[Batch, Classes]]:
    return nn.Softmax.create(scope, linalg.MatMul.create(scope, h, w))


x = core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, 20))
w1 = core.Placeholder.create(scope, tg.TFloat32, shape=(20, <<Hidden|Classes>>))
w2 = core.Placeholder.create(scope, tg.TFloat32, shape=(Hidden, Classes))
probabilities = head(dense(x, <<w1|w2>>), <<w2|w1>>)
""",
    "attention": """
q = core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, Time, 64))
k = core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, Time, <<64|32>>))
v = core.Placeholder.create(scope, tg.TFloat32, shape=(<<Batch|Hidden>>, Time, 32))
scores = train.BatchMatMul.create(scope, q, k, tg.TFloat32, <<adj_y=True|adj_x=True>>)
weights = nn.Softmax.create(scope, scores * 0.125)
mixed = <<weights @ v|v @ weights>>
merged = core.Concat.create(scope, [mixed, <<v|q[0]|q[:, 0]>>], <<2|1|3>>)
projected = linalg.Einsum.create(
    scope, [merged, core.Placeholder.create(scope, tg.TFloat32, shape=(<<64|32>>, 16))], equation="<<bti,io->bto|bti,bo->bto|bi,io->bo>>"
)
""",
    "lstm_step": """
SIZE: Final = 128
x = core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, 50))
h = core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, SIZE))
c = core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, <<SIZE|50>>))
kernel = core.Placeholder.create(scope, tg.TFloat32, shape=(<<50 + SIZE|SIZE>>, <<4 * SIZE|3 * SIZE>>))
gates = linalg.MatMul.create(scope, core.Concat.create(scope, [x, h], <<1|0>>), kernel)
i, f, o, g = core.Split.create(scope, <<1|2>>, gates, num_split=<<4|3|2|5>>).output
new_c = math.Sigmoid.create(scope, f) * c + math.Sigmoid.create(scope, i) * math.Tanh.create(scope, g)
new_h = math.Sigmoid.create(scope, o) * math.Tanh.create(scope, new_c)
difference = new_h - <<h|x>>
""",
    "word2vec": """
context = core.Placeholder.create(scope, <<tg.TInt32|tg.TFloat32>>, shape=(Batch, 4))
table = tg.Variable.create(scope, random.RandomStandardNormal.create(scope, (5000, 128), tg.TFloat32))
noise = core.Placeholder.create(scope, tg.TInt32, shape=(64,))
vectors = core.Gather.create(scope, table.read(scope), context)
hidden = math.Mean.create(scope, vectors, <<1|2|3>>)
sampled = core.Gather.create(scope, table.read(scope), noise, <<0|1|2>>)
logits = linalg.MatMul.create(scope, hidden, sampled, <<transpose_b=True|transpose_a=True>>)
labels = core.Fill.create(scope, (<<64|128>>,), core.Constant.create(scope, <<0.0|0>>))
loss = math.Mean.create(scope, math.SquaredDifference.create(scope, logits, labels))
gradient = tg.grad(scope, loss, table)
update = table.assign_sub(scope, <<gradient * 0.1|vectors|hidden>>)
""",
    "normalization": """
x = core.Placeholder.create(scope, tg.TFloat64, shape=(Batch, 8, 8, 3))
mean = math.Mean.create(scope, x, <<(0, 1, 2)|(0, 1, 2, 4)>>, keep_dims=True)
variance = math.Mean.create(scope, math.SquaredDifference.create(scope, x, mean), (0, 1, 2), keep_dims=True)
scale = core.Placeholder.create(scope, tg.<<TFloat64|TFloat32>>, shape=(<<3|8>>,))
epsilon = core.Constant.create(scope, np.<<float64|float32>>(1e-5))
normal = (x - mean) * math.Rsqrt.create(scope, variance + epsilon) * scale
padded = core.Pad.create(scope, normal, <<((0, 0), (1, 1), (1, 1), (0, 0))|((1, 1), (1, 1))|((0, 0), (1, -1), (1, 1), (0, 0))>>)
rows = core.Reshape.create(scope, padded, (-1, 300))
flat = core.Squeeze.create(scope, core.ExpandDims.create(scope, rows, 1), axis=[<<1|2|0, 2>>])
""",
    "one_hot": """
labels = core.Placeholder.create(scope, tg.TInt64, shape=(Batch,))
on, off = core.Constant.create(scope, 1.0), core.Constant.create(scope, <<0.0|0|False>>)
targets = core.OneHot.create(scope, labels, <<10|12|-1>>, on, off)
logits = core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, 10))
both = nn.SoftmaxCrossEntropyWithLogits.create(scope, logits, targets)
loss = core.Sum.create(scope, both.loss, <<0|1|-2>>)
right = math.Equal.create(scope, math.ArgMax.create(scope, logits, <<1|2>>), <<labels|targets|on>>)
accuracy = math.Mean.create(scope, dtypes.Cast.create(scope, right, <<tg.TFloat32|tg.TBool>>))
""",
    "sequences": """
inputs = core.Placeholder.create(scope, tg.TFloat32, shape=(Time, Batch, 6))
last = inputs[<<-1|-1, :, 6>>]
steps = core.Unstack.create(scope, core.Placeholder.create(scope, tg.TFloat32, shape=(3, 5)), num=<<3|4|5>>)
stacked = core.Stack.create(scope, [steps.output[0], <<steps.output[1]|last>>], axis=<<1|2>>)
turned = linalg.Transpose.create(scope, inputs, (<<1, 0, 2|1, 0|1, 1, 2|1, 0, 3>>))
joined = core.Concat.create(scope, [<<turned|inputs>>, turned], 1)
weights = core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, <<6|5>>))
scored = math.Mul.create(scope, last, weights)
masked = core.Select.create(scope, <<math.Greater.create(scope, last, weights)|last>>, last, <<weights|turned>>)
""",
    "classes": """
class Dense:
    def __init__(self, w: tg.Operand[tg.TFloat32, tuple[Hidden, Classes]], b: tg.Operand[tg.TFloat32, tuple[Classes]]) -> None:
        self.w = w
        self.b = b

    def apply(self, x: tg.Operand[tg.TFloat32, tuple[Batch, Hidden]]) -> tg.Operand[tg.TFloat32, tuple[Batch, Classes]]:
        return nn.BiasAdd.create(scope, <<x @ self.w|self.w @ x|x @ self.b>>, <<self.b|self.w>>)


def dense() -> Dense:
    w = core.Placeholder.create(scope, tg.TFloat32, shape=(<<Hidden|Classes>>, Classes))
    b = core.Placeholder.create(scope, <<tg.TFloat32|tg.TInt32>>, shape=(<<Classes|Hidden>>,))
    return Dense(w, b)


layer = dense()
x = core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, Hidden))
logits = layer.apply(x)
loss = math.Mean.create(scope, nn.LogSoftmax.create(scope, logits) * core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, <<Classes|Hidden>>)))
""",
    "session": """
x = core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, 4))
n = core.Placeholder.create(scope, tg.TInt32, shape=())
y = math.Mul.create(scope, x, dtypes.Cast.create(scope, n, <<tg.TFloat32|tg.TFloat64>>))
with tg.Session(graph) as session:
    value, count = session.run((y, n), {x: np.zeros((3, <<4|5>>), np.<<float32|float64>>), n: <<7|7.5>>})
    rows: np.ndarray[tuple[Batch, <<Literal[4]|Literal[5]>>], np.dtype[np.<<float32|int32>>]] = value
    session.run(y, {x: <<[[1.0, 2.0, 3.0, 4.0]]|[1.0, 2.0, 3.0, 4.0]|[[1.0, 2.0, 3.0]]>>, n: 1})
    session.runner().feed(x, np.ones((2, <<4|3>>), np.float32)).feed(n, <<3|2.5>>).fetch(y).run()
""",
    "variables": """
w = tg.Variable.create(scope, np.ones((3, 4), np.float32))
v = tg.Variable.create(scope, [[1.0, 2.0], [3.0, 4.0]], tg.TFloat32)
w.assign(scope, <<np.zeros((3, 4), np.float32)|np.zeros((4, 3), np.float32)|core.Constant.create(scope, [1.0, 2.0])>>)
v.assign_add(scope, core.Constant.create(scope, <<[[0.5, 0.5], [0.5, 0.5]]|[0.5, 0.5]|[[1, 1], [1, 1]]>>))
product = <<linalg.MatMul.create(scope, w.read(scope), linalg.Transpose.create(scope, w.read(scope)))|w.read(scope) @ v.read(scope)>>
gradients = tg.gradients(scope, product, [w, v])
dw = gradients[0]
if dw is not None:
    w.assign_sub(scope, <<dw * 0.1|core.Sum.create(scope, dw, 0)|dtypes.Cast.create(scope, dw, tg.TFloat64)>>)
""",
    "expectations": """
raw = core.Placeholder.create(scope, tg.TFloat32, shape=(None, 12))
x = raw.expect(<<tg.TFloat32|tg.TFloat64>>, (Batch, <<12|13>>))
cube = core.Reshape.create(scope, x, (-1, <<3, 4|3, 5>>))
checked = core.EnsureShape.create(scope, cube, shape=(Batch, 3, <<4|5>>))
w = core.Placeholder.create(scope, tg.TFloat32, shape=(4, 2))
out: tg.Operand[tg.TFloat32, tuple[Batch, Literal[3], Literal[<<2|3>>]]] = linalg.Einsum.create(scope, [checked, w], equation="bij,jk->bik")
unsure: tg.Operand[tg.TFloat32] = core.Placeholder.create(scope, tg.TFloat32)
sure = unsure.expect(tg.TFloat32, (<<2|3>>, 7))
final = linalg.MatMul.create(scope, w, sure)
""",
    "reductions": """
data = core.Placeholder.create(scope, tg.TFloat32, shape=(6, 5, 4))
peaks = core.Max.create(scope, data, <<[1, 2]|[1, 3]|[2, 2]>>)
spread = peaks - core.Min.create(scope, data, <<[1, 2]|[0, 1]>>)
shares = data / core.Sum.create(scope, data, -1, keep_dims=<<True|False>>)
best = math.ArgMax.create(scope, shares, <<2|3>>)
chosen = core.Gather.create(scope, spread, <<[0, 5]|peaks>>)
tiled = core.Tile.create(scope, chosen, (<<3|3, 1>>,))
part = core.Slice.create(scope, tiled, (<<2|7>>,), (<<4|5>>,))
wide = core.BroadcastTo.create(scope, part, (2, <<4|5>>))
again = math.Maximum.create(scope, wide, <<part|spread|best>>)
""",
    "integers": """
a = core.Placeholder.create(scope, tg.TInt32, shape=(Batch, 3))
b = core.Placeholder.create(scope, tg.<<TInt32|TInt64|TFloat32>>, shape=(Batch, <<3|4>>))
c = math.FloorDiv.create(scope, a, b)
d = c % <<7|7.5>>
e = <<dtypes.Cast.create(scope, d, tg.TFloat32)|d>> / 2.0
f = math.Sqrt.create(scope, <<e|d|e > 1.0>>)
g = math.LogicalAnd.create(scope, <<a > b|a>>, math.LessEqual.create(scope, e, <<f|a>>))
h = core.Select.create(scope, g, e, <<f|d>>)
""",
    "dictionary_of_fetches": """
class Results(TypedDict):
    loss: np.ndarray[tuple[()], np.dtype[np.float32]]
    rows: np.ndarray[tuple[Batch], np.dtype[np.float32]]


x = core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, <<9|8>>))
w = core.Constant.create(scope, np.ones((9, 1), np.<<float32|float64>>))
rows = core.Squeeze.create(scope, x @ w, axis=[<<1|2>>])
loss = math.Mean.create(scope, rows)
with tg.Session(graph) as session:
    results: Results = session.run({"loss": <<loss|x>>, "rows": <<rows|w>>}, {x: np.ones((2, 9), np.<<float32|float64>>)})
    total: np.ndarray[tuple[()], np.dtype[np.float32]] = results["loss"]
""",
    "einsum": """
x = core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, Time, 8))
wq = core.Placeholder.create(scope, tg.TFloat32, shape=(<<8|9>>, 2, 4))
q = linalg.Einsum.create(scope, [x, wq], equation="bti,<<ihd|hid>>->bthd")
scores = linalg.Einsum.create(scope, [q, q], equation="<<bthd,bshd->bhts|bthd,bsdh->bhts>>")
mask = core.Placeholder.create(scope, tg.<<TFloat32|TBool>>, shape=(1, 1, <<Time, Time|Time, Batch>>))
attention = nn.Softmax.create(scope, scores + mask)
context = linalg.Einsum.create(scope, [attention, q], equation="bhts,bshd->bthd")
joined = core.Reshape.create(scope, context[:, :, :, <<0|4|0, 0>>], (-1, 2))
""",
    "resolution": """
images = core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, 28, 28, 1))
pixels = core.Reshape.create(scope, images, (-1, <<784|780>>))
weights = tg.Variable.create(scope, random.TruncatedNormal.create(scope, (<<784|783>>, 32), tg.TFloat32))
code = math.Tanh.create(scope, pixels @ weights.read(scope))
back = linalg.MatMul.create(scope, code, weights.read(scope), <<transpose_b=True|transpose_b=False|transpose_a=True>>)
again = core.Reshape.create(scope, back, (-1, 28, <<28|29>>, 1))
error = math.Mean.create(scope, math.Square.create(scope, again - <<images|pixels[:, None, :]>>))
small = code[:, :<<32|16>>] + core.Constant.create(scope, np.zeros(32, np.<<float32|int32>>))
""",
    "residual": """
x = core.Placeholder.create(scope, tg.TBfloat16, shape=(<<16, 32|32, 16>>))
w = core.Placeholder.create(scope, <<tg.TBfloat16|tg.TFloat16>>, shape=(<<32, 32|32, 16|16, 32>>))
inner = nn.Elu.create(scope, x @ w)
outer = nn.LeakyRelu.create(scope, <<x + inner|x @ inner>>, alpha=0.1)
gate = math.Sigmoid.create(scope, outer[<<:, :1|:, 0|0:5>>])
mixed = gate * outer + (<<1.0|1j>> - gate) * <<x|w>>
halves = core.Split.create(scope, <<1|2|0 - 3>>, mixed, num_split=<<2|3>>).output
left, right = halves
flipped = core.Reverse.create(scope, left, (<<1|2|1, 1>>,))
pairs = core.Stack.create(scope, [<<left|mixed>>, flipped], axis=<<0|3>>)
checked: tg.Operand[tg.TBfloat16, tuple[Literal[2], Literal[<<16|32>>], Literal[16]]] = pairs
""",
    "pipeline": """
SIZES: Final = (12, 24)
WIDTH: Final = 48


def block(x: tg.Operand[tg.TFloat32, tuple[Batch, Literal[48]]]) -> tg.Operand[tg.TFloat32, tuple[Batch, Literal[<<48|24>>]]]:
    w = core.Placeholder.create(scope, tg.TFloat32, shape=(WIDTH, <<WIDTH|12>>))
    h = nn.Selu.create(scope, linalg.MatMul.create(scope, x, w))
    return math.Add.create(scope, h, x)


w1 = core.Placeholder.create(scope, tg.TFloat32, shape=SIZES)
w2 = core.Placeholder.create(scope, tg.TFloat32, shape=(SIZES[1], <<2 * SIZES[1]|SIZES[0]>>))
x = core.Placeholder.create(scope, tg.<<TFloat32|TFloat64>>, shape=(Batch, <<SIZES[0]|SIZES[1]>>))
h = block(linalg.MatMul.create(scope, linalg.MatMul.create(scope, x, w1), w2))
deep = block(block(<<h|x>>))
norm = math.Sqrt.create(scope, core.Sum.create(scope, deep * deep, <<1|2>>, keep_dims=True))
unit = deep / norm
cosine = core.Sum.create(scope, unit * <<unit|w1>>, <<[-1]|[-3]>>)
rank_one: tg.Operand[tg.TFloat32, tuple[<<Batch|Batch, Batch>>]] = cosine
""",
    "initializers": """
x = core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, 12))
w = tg.Variable.create(scope, initializers.GlorotUniform()(scope, (<<12, 7|13, 7|7, 12>>), tg.<<TFloat32|TFloat64>>))
b = tg.Variable.create(scope, initializers.Zeros()(scope, (<<7|8>>,), tg.TFloat32))
y = linalg.MatMul.create(scope, x, w.read(scope)) + b.read(scope)
t = core.Placeholder.create(scope, tg.TFloat32, shape=(<<Batch|Time>>, <<7|12>>))
loss = losses.MeanSquaredError()(scope, t, y)
g = tg.grad(scope, loss, w)
w.assign_sub(scope, <<g|x|b.read(scope)>>)
""",
    "sparse_losses": """
logits = core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, Time, Words))
labels = core.Placeholder.create(scope, tg.TInt32, shape=(Batch, <<Time|Hidden|Time, Words>>))
loss = losses.SparseCategoricalCrossentropy(from_logits=True)(scope, labels, logits)
per = losses.sparse_categorical_crossentropy(scope, labels, logits)
mask = core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, <<Time|Words>>))
total = core.Sum.create(scope, per * mask, <<1|2>>)
""",
    "activations_and_regularizers": """
x = core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, 20))
h = activations.gelu(scope, x)
k = activations.softmax(scope, h @ core.Placeholder.create(scope, tg.TFloat32, shape=(<<20|21>>, 5)))
pen = regularizers.L2(0.01)(scope, x)
loss = losses.CategoricalCrossentropy()(scope, core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, <<5|6>>)), k)
total = loss + pen * <<0.5|1j>>
scal: tg.Operand[tg.TFloat32, tuple[()]] = total
worse: tg.Operand[tg.TFloat32, tuple[<<Batch, Literal[5]|Literal[5]>>]] = k
""",
    "gradients_applied": """
w = tg.Variable.create(scope, np.ones((4, 2), np.float32))
g = core.Placeholder.create(scope, tg.TFloat32, shape=(<<4, 2|2, 4>>))
opt = GradientDescent(graph, 0.1)
step = opt.apply_gradients([(<<g|core.Sum.create(scope, g, 0)>>, w)])
""",
    "generic_functions": """
F = TypeVar("F", bound=tg.TFloating)
M = TypeVar("M", bound=int)
N = TypeVar("N", bound=int)


class Layer(Generic[N]):
    def __init__(self, w: tg.Operand[tg.TFloat32, tuple[N, N]]) -> None:
        self.w = w

    def residual(self, x: tg.Operand[tg.TFloat32, tuple[M, N]], y: tg.Operand[tg.TFloat32, tuple[M, N]]) -> tg.Operand[tg.TFloat32, tuple[M, N]]:
        return linalg.MatMul.create(scope, x, self.w) + y


def dot(x: tg.Operand[F, tuple[M, N]], y: tg.Operand[F, tuple[M, N]]) -> tg.Operand[F, tuple[M]]:
    return core.Sum.create(scope, math.Mul.create(scope, x, y), <<1|0|2>>)


a = core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, 9))
b = core.Placeholder.create(scope, tg.TFloat32, shape=(<<Batch|Time>>, <<9|8>>))
c = dot(a, b)
d = dot(a, y=a)
layer = Layer(core.Placeholder.create(scope, tg.TFloat32, shape=(9, 9)))
e = layer.residual(a, <<a|core.Placeholder.create(scope, tg.TFloat32, shape=(Time, 9))>>)
unknown: tg.Operand[tg.TFloat32] = core.Placeholder.create(scope, tg.TFloat32)
f = dot(a, unknown)
g = dot(core.Placeholder.create(scope, tg.TFloat32, shape=(None, 9)), a)
""",
    "fine_tuning": """
frozen = tg.Variable.create(scope, np.zeros((30, 20), np.float32), trainable=False)
head = tg.Variable.create(scope, initializers.RandomNormal()(scope, (20, <<3|4>>), tg.TFloat32))
x = core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, <<30|20>>))
features = core.StopGradient.create(scope, activations.relu(scope, x @ frozen.read(scope)))
probabilities = activations.softmax(scope, features @ head.read(scope))
target = core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, 3))
criterion = losses.CategoricalCrossentropy(label_smoothing=<<0.1|1.1>>)
loss = criterion(scope, <<target|features>>, probabilities)
scores: tg.Operand[tg.TFloat32, <<tuple[()]|tuple[Batch]>>] = loss
weights = core.Placeholder.create(scope, tg.TFloat32, shape=(<<Batch|3>>,))
each = losses.Huber(1.5, reduction=losses.Reduction.NONE)(scope, target, probabilities, weights)
back = each + <<weights|target>>
optimizer = GradientDescent(graph, 0.1)
dhead = tg.grad(scope, loss, head)
optimizer.apply_gradients([(dhead, <<head|frozen>>)])
loss = losses.MeanSquaredError()(scope, target, probabilities)
""",
    "unrolled_recurrence": """
xs = core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, 3, 7))
h = core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, 11))
wx = tg.Variable.create(scope, initializers.LecunUniform()(scope, (<<7|8>>, 11), tg.TFloat32)).read(scope)
wh = tg.Variable.create(scope, initializers.Identity()(scope, (11, <<11|12>>), tg.TFloat32)).read(scope)
h = math.Tanh.create(scope, xs[:, 0] @ wx + h @ wh)
h = math.Tanh.create(scope, xs[:, 1] @ wx + h @ wh)
outs = core.Stack.create(scope, [h, <<h|xs[:, 2]>>], axis=1)
probs = nn.Softmax.create(scope, core.Reshape.create(scope, outs, (-1, 22)))
""",
    "loops": """
h = math.Tanh.create(scope, core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, 16)))
w = core.Placeholder.create(scope, tg.TFloat32, shape=(16, <<16|15>>))
for _ in range(3):
    h = math.Tanh.create(scope, h @ w)
out: tg.Operand[tg.TFloat32, tuple[Batch, Literal[<<16|17>>]]] = h
layers = [core.Placeholder.create(scope, tg.TFloat32, shape=(16, 16)) for _ in range(2)]
for layer in layers:
    h = math.Tanh.create(scope, linalg.MatMul.create(scope, h, layer))
final = h @ core.Placeholder.create(scope, tg.TFloat32, shape=(<<16|8>>, 2))
""",
    "branches": """
def block(x: tg.Operand[tg.TFloat32, tuple[Batch, Literal[6]]], deep: bool) -> tg.Operand[tg.TFloat32, tuple[Batch, Literal[6]]]:
    w = core.Placeholder.create(scope, tg.TFloat32, shape=(6, 6))
    if deep:
        h = x @ w
    else:
        h = x @ w + <<1.0|w>>
    y = h if deep else <<x|w>>
    return nn.Relu.create(scope, <<y|y[:, :3]>>)


out = block(core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, 6)), True)
""",
    "variables_used_again": """
x = core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, 20))
loss = losses.mean_squared_error(scope, x, x)
loss = losses.MeanSquaredError()(scope, x, x)
start = initializers.Zeros()(scope, (2, 3), tg.TFloat32)
start = initializers.Zeros()(scope, (3,), tg.TFloat32)
y = x.expect(tg.TFloat32, (Batch, 20))
y = x[:, :3].expect(tg.TFloat32, (Batch, 3))
gs = tg.gradients(scope, loss, [x])
gs = tg.gradients(scope, loss, [x[0]])
v = x + 1.0
k = core.Placeholder.create(scope, tg.TFloat32, shape=(<<20|3>>, 4))
v = v @ k
w = tg.Variable.create(scope, np.zeros((2, 2), np.float32))
w = tg.Variable.create(scope, np.zeros((3,), np.float32))
with tg.Session(graph) as session:
    got = session.run(v, {x: np.zeros((1, 20), np.float32), k: np.zeros((20, 4), np.float32)})
    got = session.run(w.read(scope))
    many = session.run((x, loss), {x: np.zeros((1, 20), np.float32)})
""",
    "convolution": """
image = core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, 28, 28, <<1|0, 1>>))
filters = tg.Variable.create(scope, np.zeros((5, 5, 1, 6), np.<<float32|float64>>))
c = nn.Conv2d.create(scope, image, filters.read(scope), strides=(1, <<1, 1|0, 1>>, 1), padding="VALID")
p = nn.MaxPool.create(scope, c, ksize=(1, 2, 2, 1), strides=(1, 2, 2, 1), padding="VALID")
flat = core.Reshape.create(scope, p, (-1, <<12 * 12 * 6|13 * 13 * 6>>))
out = linalg.MatMul.create(scope, flat, initializers.HeNormal()(scope, (<<864|800>>, 10), tg.TFloat32))
""",
    "shapes_as_values": """
x = core.Placeholder.create(scope, tg.TFloat32, shape=(6, 5))
shape = core.Shape.create(scope, x)
n = shape + core.Placeholder.create(scope, tg.TInt32, shape=(<<2|3>>,))
z = core.Reshape.create(scope, core.Placeholder.create(scope, tg.TFloat32, shape=(<<5, 6|5, 7>>)), shape)
r = core.Range.create(scope, 0, <<6|7>>, 1)
w = core.Gather.create(scope, z, r) + x
f = core.Fill.create(scope, shape, core.Constant.create(scope, <<1.0|1>>)) * x
size = core.Rank.create(scope, x) + core.Size.create(scope, x)
""",
    "scattering": """
idx = core.Placeholder.create(scope, tg.TInt32, shape=(6, <<1|3>>))
upd = core.Placeholder.create(scope, tg.TFloat32, shape=(<<6|5>>, 4))
s = core.ScatterNd.create(scope, idx, upd, (10, <<4|5>>))
out = s + core.Placeholder.create(scope, tg.TFloat32, shape=(10, <<4|6>>))
seg = math.UnsortedSegmentSum.create(scope, upd, core.Placeholder.create(scope, tg.TInt32, shape=(<<6|7>>,)), 3)
both = seg @ core.Placeholder.create(scope, tg.TFloat32, shape=(<<4|3>>, 2))
""",
}
