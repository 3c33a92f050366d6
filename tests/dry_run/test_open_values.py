"""Operations of values of which not all is known: weights from a file, sizes that data tell."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import HEADER, differences
from typegrad.dry_run.known.values import OperandValue
from typegrad.dry_run.program import Module, dry_run

KNOWN: Final = """
from typegrad import functions
from typegrad.training.optimizers import Adam
F, I = tg.TFloat32, tg.TInt32
rng = np.random.default_rng()
n = int(rng.integers(3, 5))
a = rng.random((9, 4))[rng.random(9) < 0.5].astype(np.float32)
w = np.load("weights.npz")["w"]
ids = rng.integers(0, 9, 5)
images = core.Placeholder.create(scope, F, (2, 6, 6, 3))
rows = core.Placeholder.create(scope, F, (None, n, 4))
tf = tg.Ops.create(scope)
"""
SHAPES: Final = {
    "core.Placeholder.create(scope, F, (n, 4))": "[?, 4]",
    "core.Placeholder.create(scope, F, [None, n])": "[?, ?]",
    "core.Placeholder.create(scope, F, unknown.shape)": "[...]",
    "core.Constant.create(scope, a)": "[?, 4]",
    "core.Constant.create(scope, ids)": "[5]",
    "core.Constant.create(scope, np.zeros((n, 4)), F)": "[?, 4]",
    "tg.Variable.create(scope, a)": "[?, 4]",
    "tg.Variable.create(scope, functions.normal(scope, (n, 4)))": "[?, 4]",
    "functions.zeros(scope, [2, n])": "[2, ?]",
    "core.Reshape.create(scope, np.ones(12, np.float32), [n, 4])": "[3, 4]",
    "core.Reshape.create(scope, rows, [-1, 4 * n])": "[?, ?]",
    "core.Reshape.create(scope, x, rows.shape[1:])": "[2*Batch, 4]",
    "core.OneHot.create(scope, [0, 1], n, 1.0, 0.0)": "[2, ?]",
    "core.Gather.create(scope, x, ids)": "[5, 8]",
    "nn.Conv2d.create(scope, images, w, strides=(1, 1, 1, 1), padding='SAME')": "[2, 6, 6, ?]",
    "core.Concat.create(scope, [images, w], 3)": "[2, 6, 6, ?]",
    "core.Concat.create(scope, [x, functions.zeros(scope, (n, 8))], 0)": "[?, 8]",
    "core.Tile.create(scope, x, [n, 1])": "[?, 8]",
    "x * n": "[Batch, 8]",
    "x + a[:, :1]": "[?, 8]",
    "x * w": "[...]",
    "x[:n]": "[?, 8]",
    "x[n]": "[8]",
    "x[:, n]": "[Batch]",
    "rows @ np.zeros((4, 2), np.float32)": "[?, ?, 2]",
    "core.Sum.create(scope, rows, 1)": "[?, 4]",
    "tg.gradients(scope, rows, [rows])[0]": "[?, ?, 4]",
    "linalg.MatMul.create(scope, a, np.ones((4, 2), np.float32))": "[?, 2]",
    "math.Add.create(scope, a, a)": "[?, 4]",
    "tf.constant(a)": "[?, 4]",
    "tf.placeholder(F, (n, 4))": "[?, 4]",
    "tf.linalg.mat_mul(a, np.ones((4, 2), np.float32))": "[?, 2]",
    "tf.with_name('y').math.mul(x, w)": "[...]",
    "tf.reshape(rows, [-1, 4 * n])": "[?, ?]",
    "tf.concat([images, w], axis=3)": "[2, 6, 6, ?]",
    "tf.linalg.norm(a + x[:, :4], axis=1)": "[?]",
}
"""Expressions, and the shapes of what they result in."""

ERRORS: Final = {
    "a rank": "linalg.Transpose.create(scope, rows, [1, 0])  # E: each of the 3 dimensions",
    "a known size": "rows @ np.zeros((3, 2), np.float32)  # E: has shape [3, 2]",
    "a constant by names": "core.Constant.create(value=a, scope=scope) @ np.ones((5, 2))  # E: float64 is not float32",
    "an element type": "math.Add.create(scope, w, x) + core.Constant.create(scope, ids)  # E: is float32",
    "beside what is unknown": "nn.Conv2d.create(scope, x, w, [1, 1, 1, 1], 'SAME')  # E: must have rank 4",
    "an index": "rows[n, 0, 0, 0]  # E: 4 dimensions are indexed",
    "the sizes of a shape": "height, width = rows.shape.as_ints()  # E: expected 2, got 3",
    "the names of sizes": "height, width = rows.shape  # E: expected 2, got 3",
    "another graph than the optimizer's": """
other = tg.Scope(tg.Graph())
v = tg.Variable.create(scope, a)
Adam(other.graph, 0.1).minimize(core.Sum.create(scope, v))  # E: belongs to another graph than this optimizer
""",
    "another graph than that of a gradient": """
other = tg.Scope(tg.Graph())
tg.grad(other, core.Sum.create(scope, rows), rows)  # E: belongs to another graph than the scope
""",
    "a missing feed": "y = nn.Relu.create(scope, x * w)\ntg.Session(scope.graph).run(y)  # E: must be fed",
    "a feed beside an unknown fetch": (
        "tg.Session(scope.graph).run(unknown.fetch, {x: np.zeros((5, 7), np.float32)})  # E: does not fit"
    ),
    "a feed": "tg.Session(scope.graph).run(rows, {rows: np.zeros((2, n), np.float32)})  # E: does not fit",
    "a part that begins at an item of a range": (
        "for start in range(0, unknown.size, 2):\n"
        "    tg.Session(scope.graph).run(x, {x: np.zeros((9, 8))[start : start + 2]})  # E: float64"
    ),
    "the name of a size": "core.Placeholder.create(scope, F, Batch)  # E: got __main__.Batch",
    "a misspelt option": "core.Sum.create(scope, rows, axes=1)  # E: takes no argument `axes`",
    "what is expected": "rows.expect(F, (None, None, 5))  # E: 5",
    "a dimension that is not there": "rows.shape[3]  # E: there is no dimension 3",
    "a method of the facade": "tf.linalg.mat_mul(a, np.ones((3, 2), np.float32))  # E: inner dimensions differ",
    "an argument of one": "tf.linalg.mat_mul(x * w, x, transpose_c=True)  # E: takes no argument `transpose_c`",
    "an operand of the facade's": "tf.math.add(tf.math.mul(x, w), tf.constant(ids))  # E: is float32",
    "an attribute that no shape has": "tg.Variable.create(scope, a).read(scope).shape.as_list()  # E: See `.as_ints`",
    "a shape that is called": "rows.shape()  # E: 'Shape' object is not callable",
    "a rank that is called": "rows.rank()  # E: 'int' object is not callable",
    "the value of a variable": (
        "v = tg.Variable.create(scope, a)\ntg.Session(scope.graph).value(v) @ np.zeros((5, 2))  # E: 4 is not 5"
    ),
    "a fetch": (
        "v = tg.Variable.create(scope, a)\ng = tg.gradients(scope, x @ core.Tile.create(scope, v, [n, 1]), [v])\n"
        "tg.Session(scope.graph).run(g, {x: np.zeros((1, 8), np.float32)})[1]  # E: out of range"
    ),
}

RIGHT: Final = {
    "sizes that are known in a run": "for each in range(rows.shape[1]):\n    rows[:, each]\nassert rows.shape[1] == n",
    "a shape that may be known": (
        "if rows.shape[1] is None:\n    raise ValueError\n"
        "y = np.zeros(rows.shape[1:], np.float32)\ny @ np.zeros((4, 2), np.float32)"
    ),
    "what shapes have": (
        "rows.shape.dims, rows.shape.size, rows.shape.is_static, rows.shape.rank, rows.shape.accepts([2, 3, 4])\n"
        "list(rows.shape), len(rows.shape), str(rows.shape), rows.shape + (3,), rows.shape == (2, 3, 4)"
    ),
    "an attribute that a shape may have": (
        "getattr(rows.shape, 'as_list', rows.shape.as_ints)()\n"
        "if hasattr(rows.shape, 'as_list'): rows.shape.as_list()\n"
        "try:\n    rows.shape.as_list()\nexcept AttributeError:\n    pass"
    ),
    "an optimizer of variables without sizes": (
        "v = tg.Variable.create(scope, a)\nloss = core.Sum.create(scope, v @ np.ones((4, 1), np.float32), [0, 1])\n"
        "step = Adam(scope.graph, 0.1).minimize(loss)\ntg.Session(scope.graph).run([step, loss])[1] + 1.0"
    ),
    "what a run may refuse is no error in try": (
        "try:\n    y = x[:, :4] * w\nexcept tg.TypegradError:\n    y = x\ny @ np.zeros((8, 2), np.float32)"
    ),
    "a rank that w tells": "y = x * w\nassert y.rank == 2\nif y.rank == 3:\n    y[0] + np.zeros((3, 5), np.float32)",
    "items of a list that may be lists": (
        "p, q = unknown.rows\ny = core.Gather.create(scope, x, [p, q])\ncore.Reshape.create(scope, y, (4, 8))"
    ),
    "a number that may be an int or a float": (
        "rate = 1 if unknown.flag else 0.5\nx * core.Constant.create(scope, rate)\n"
        "core.Stack.create(scope, [rate, rate, 0.5])"
    ),
    "a gradient that may flow through what is not known": (
        "v = tg.Variable.create(scope, np.zeros((8, 8), np.float32))\nh = unknown.layers(x, v)\n"
        "(g,) = tg.gradients(scope, core.Sum.create(scope, x * h, [0, 1]), [v])\ng * 0.5"
    ),
    "an option": "functions.dropout(scope, x, float(unknown.rate))\nAdam(scope.graph, 0.1, beta_1=float(unknown.beta))",
    "integers in a list that takes no operands": (
        "core.Sum.create(scope, x, [0, n])\ncore.Roll.create(scope, x, [1, n], [0, 1])\n"
        "core.Stack.create(scope, [ids[:2], [n, n]])"
    ),
    "the operation of a constant": (
        "y = x * n\nw = np.zeros((8 if y.op.inputs[1].op.type == 'Const' else 7, 3), np.float32)\ny @ w"
    ),
    "what a graph lists": (
        "tg.Variable.create(scope, w)\nv = tg.Variable.create(scope, np.zeros((8, 2), np.float32))\n"
        "x @ scope.graph.variables[1]\n{v.name: v}['Variable_1']\nnp.zeros((8, len(scope.graph)))[:, 50]"
    ),
    "an array of one of several types": (
        "tokens = np.array([len(each) for each in unknown.words])\ncore.Gather.create(scope, x, tokens)\n"
        "core.Constant.create(scope, tokens) + core.Constant.create(scope, np.array([1]))"
    ),
    "numbers of Python and of NumPy": (
        "math.Add.create(scope, n, n) + core.Constant.create(scope, [1])\n"
        "math.Add.create(scope, np.int64(n), np.int64(n)) + core.Constant.create(scope, np.array([1]))\n"
        "math.Mul.create(scope, float(n), 2.0) + core.Constant.create(scope, 1.0)\n"
        "math.Mul.create(scope, a.sum(), a.mean()) + core.Constant.create(scope, 1.0)"
    ),
    "methods of the facade": (
        "with tf.with_sub_scope('inner') as inner:\n"
        "    inner.math.mul(x, unknown.row) + inner.constant(unknown.value)\n"
        "tf.sum(x, unknown.axis); tf.fill([n, 2], 0.5); tf.split(unknown.axis, x, 2); tf.group(*unknown.operations)\n"
        "tf.gather(x, unknown.rows, 1); tf.dtypes.cast(w, tg.TFloat64); tf.one_hot([1, 2], n, 1.0, 0.0)\n"
        "tf.linalg.mat_mul(a[:, :3], np.ones((3, 2), np.float32)) + np.ones(2, np.float32)"
    ),
    "integers beside arrays of them": "math.Equal.create(scope, ids, n)\nmath.Add.create(scope, n, ids)",
    "a graph that is made later": (
        "v = tg.Variable.create(scope, a)\nother = tg.Scope(tg.Graph())\n"
        "u = core.Placeholder.create(other, F, (n, 8))\n"
        "if u.shape[0] is None:\n    u @ np.zeros((3, 3), np.float32)"
    ),
    "a picture with values": (
        "session = tg.Session(scope.graph)\nscope.graph.to_text(session=session, feed_dict={x: [[0.0] * 8]})"
    ),
    "a large array": "core.Gather.create(scope, x, rng.integers(0, 9, (10**6, 10**5))) + np.zeros(8, np.float32)",
    "a facade that needs a size": "functions.zeros(scope, unknown.shape)\nlist(rows.shape), len(rows.shape)",
}


def shape_of(folder: Path, expression: str) -> str:
    """What a dry run knows of the operand that an expression results in."""
    source = f"{HEADER}{KNOWN}result = core.Identity.create(scope, {expression})"
    path = str(folder / "program.py")
    places = dry_run(Module("program", path, source), lambda _: None).results[path]
    values = [each for (line, *_), each in places.items() if line == len(source.splitlines())]
    value = values[-1][0]
    assert isinstance(value, OperandValue)
    return "[...]" if value.shape.dims is None else str(value.shape)


@pytest.mark.parametrize("expression", SHAPES)
def test_the_shape_of_an_operation(expression: str, tmp_path: Path) -> None:
    assert shape_of(tmp_path, expression) == SHAPES[expression]


@pytest.mark.parametrize("program", [*ERRORS.values(), *RIGHT.values()], ids=[*ERRORS, *RIGHT])
def test_what_is_told(program: str, tmp_path: Path) -> None:
    assert differences(tmp_path, KNOWN + program) == []
