"""Functions and methods have the same static shapes as in a graph, and the same errors."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import pytest

import typegrad as tg
from mypy_plugin.checking import check, type_arguments
from typegrad.op import core

HEADER: Final = """from typing import Any, Literal, NewType
import numpy as np
import typegrad as tg
from typegrad import functions
Rows = NewType("Rows", int)
Matrix = tg.Operand[tg.TFloat32, tuple[Rows, Literal[3]]]
Vector = tg.Operand[tg.TFloat64, tuple[Literal[4]]]
"""

SHAPES: Final = {
    "functions.zeros(scope, (2, 3))": "[2, 3]",
    "tf.zeros([2, 3], tg.TInt8)": "[2, 3]",
    "tf.ones((Rows(7), 3))": "[Rows, 3]",
    "tf.random.normal((2, 3), stddev=0.1)": "[2, 3]",
    "functions.truncated_normal(scope, (Rows(7), 3))": "[Rows, 3]",
    "tf.random.uniform([2], 1, 7, tg.TInt32)": "[2]",
    "tf.random.normal((3,), tf.zeros((2, 3)))": "[2, 3]",
    "tf.random.uniform((4, 1), maxval=x[0])": "[4, 3]",
    "tg.random.Generator.from_seed(scope, 1).normal(scope, (2, 3))": "[2, 3]",
    "tg.random.Generator.from_seed(scope, 1).truncated_normal(scope, [5, 3], x[0])": "[5, 3]",
    "tg.random.Generator.from_seed(scope, 1).uniform(scope, (Rows(7), 3), dtype=tg.TFloat64)": "[Rows, 3]",
    "tg.random.Generator.from_seed(scope, 1).uniform_full_int(scope, ())": "[]",
    "tg.random.Generator.from_seed(scope, 1).binomial(scope, (4,), v, 0.5)": "[4]",
    "tg.random.Generator.from_seed(scope, 1).make_key(scope)": "[3]",
    "tg.metrics.AUC(scope).result(scope)": "[]",
    "tg.metrics.MeanSquaredError(scope).result(scope)": "[]",
    "tf.eye(3)": "[3, 3]",
    "tf.eye(3, 2, batch_shape=(5,), dtype=tg.TBool)": "[5, 3, 2]",
    "tf.one_hot([1, 2], 5)": "[2, 5]",
    "tf.one_hot([1, 2], 5, 2.5, axis=0)": "[5, 2]",
    "tf.meshgrid(v, v[1:])[0]": "[3, 4]",
    "tf.meshgrid(x[:, 0], x[0], indexing='ij')[1]": "[Rows, 3]",
    "functions.meshgrid(scope, v)[0]": "[4]",
    "tf.repeat(v, 2)": "[8]",
    "functions.repeat(scope, x, 2, -1)": "[Rows, 6]",
    "tf.sequence_mask(c, 5)": "[Rows, 5]",
    "tf.sequence_mask(c, 5, dtype=tg.TInt8)": "[Rows, 5]",
    "tf.nn.l2_normalize(x, 1)": "[Rows, 3]",
    "tf.math.logsumexp(x, 1)": "[Rows]",
    "functions.logsumexp(scope, x, 0, keepdims=True)": "[1, 3]",
    "tf.math.logsumexp(x)": "[]",
    "tf.nn.moments(x, [0])[1]": "[3]",
    "tf.nn.softmax(x, 0)": "[Rows, 3]",
    "tf.nn.dropout(x, 0.5)": "[Rows, 3]",
    "tf.nn.sigmoid_cross_entropy(labels=x, logits=x)": "[Rows, 3]",
    "tf.nn.nce_loss(x, x[:, 0], [[1], [2]], tf.zeros((2, 3)), 3, 10)": "[2]",
    "tf.linalg.global_norm([x])": "[]",
    "tf.linalg.tensordot(x, x, [[1], [1]])": "[Rows, Rows]",
    "tf.linalg.tensordot(x, tf.zeros((3, 5, 2)), 1)": "[Rows, 5, 2]",
    "tf.linalg.norm(x, axis=1)": "[Rows]",
    "tf.linalg.norm(x, 1, (0, 1), keepdims=True)": "[1, 1]",
    "tf.linalg.trace(x)": "[]",
    "tf.linalg.pinv(tf.zeros((2, 5, 3)))": "[2, 3, 5]",
    "tf.clip_by_norm(x, 1.0)": "[Rows, 3]",
    "tf.clip_by_global_norm([x, x], 1.0)[1]": "[]",
    "tf.math.reduce_variance(x, 1)": "[Rows]",
    "tf.math.reduce_std(x, 0, keepdims=True)": "[1, 3]",
    "tf.math.count_nonzero(x, 1, dtype=tg.TInt32)": "[Rows]",
    "tf.math.zero_fraction(x)": "[]",
    "tf.sort(x, 0)": "[Rows, 3]",
    "tf.argsort(x, direction='DESCENDING')": "[Rows, 3]",
    "tf.nn.gelu(x)": "[Rows, 3]",
    "tf.nn.silu(x, 1.5)": "[Rows, 3]",
    "tf.math.log_sigmoid(x)": "[Rows, 3]",
    "tf.nn.batch_normalization(x, *tf.nn.moments(x, 0), None, None, 0.001)": "[Rows, 3]",
    "tf.nn.weighted_cross_entropy_with_logits(labels=x, logits=x, pos_weight=2.0)": "[Rows, 3]",
    "tf.signal.frame(x, 2, 1)": "[Rows, 2, 2]",
    "tf.signal.frame(x, 4, 1, True, axis=0)": "[Rows, 4, 3]",
    "tf.signal.stft(v, 2, 1)": "[3, 2]",
    "tf.signal.inverse_stft(tf.signal.stft(v, 2, 1), 2, 1)": "[4]",
    "functions.dct(scope, x, 2, 8)": "[Rows, 8]",
    "tf.signal.hamming_window(6)": "[6]",
    "functions.linear_to_mel_weight_matrix(scope)": "[129, 20]",
    "tg.jacobian(scope, x, v)": "[Rows, 3, 4]",
    "tf.hessian(x, v)": "[4, 4]",
    "tf.hvp(x, v, [1.0, 2.0, 3.0, 4.0])": "[4]",
    "tf.variable(np.zeros((2, 3), np.float32))": "[2, 3]",
}

UNBUILDABLE: Final = ("Rows(", "jacobian", "hessian", "hvp")
"""Errors that only a graph with sizes or values can report."""

REFUSED: Final = {
    "functions.softmax(scope, x, 2)": ("shape", "softmax: `logits` of shape [Rows, 3] has no axis 2"),
    "tf.sort(x, 2)": ("shape", "sort: `values` of shape [Rows, 3] has no axis 2"),
    "tf.linalg.tensordot(x, x, [[2], [0]])": ("shape", "tensordot: `a`, of shape [Rows, 3], has no axis 2"),
    "tf.nn.softmax(x, -3)": ("shape", "softmax: `logits` of shape [Rows, 3] has no axis -3"),
    "tf.math.logsumexp(x, 4)": ("shape", "logsumexp: Max: `axis` is 4, but must be in [-2, 2)"),
    "tf.nn.dropout(x, 1.5)": ("attribute", "dropout: rate is 1.5, but must be from 0 up to, but not including, 1; "),
    "tf.nn.dropout(x, 0.5, noise_shape=(2, 5))": (
        "shape",
        "dropout: noise_shape [2, 5] does not broadcast to the shape of",
    ),
    "tf.nn.sigmoid_cross_entropy(labels=x[:, :1], logits=x)": (
        "shape",
        "sigmoid_cross_entropy: `labels` (float32 [Rows, 1]) must have the shape of `logits` (float32 [Rows, 3])",
    ),
    "tf.eye(-1)": ("shape", "eye: num_rows is -1, but a size cannot be negative"),
    "tf.one_hot(x, 3)": ("dtype", "Ops.one_hot: indices is float32, but must be int8, int32, int64 or uint8; cast it"),
    "functions.one_hot(scope, x, 3, 2.5, dtype=tg.TFloat64)": ("dtype", "one_hot: indices is float32, but must be"),
    "tf.one_hot([1.0, 2.0], 3)": ("dtype", "Ops.one_hot: indices must be integers, not (1.0, 2.0)"),
    "tf.meshgrid(v, x)": ("dtype", "Ops.meshgrid: vectors[0] is float64, but vectors[1] is float32; cast one"),
    "functions.meshgrid(scope, x, indexing='yx')": (
        "attribute",
        "meshgrid(): `indexing` is 'yx'; allowed are 'xy', 'ij'",
    ),
    "functions.norm(scope, x, 'inf', axis=1)": (
        "attribute",
        "norm(): `ord` is 'inf'; allowed are 'euclidean', 'fro' or a number; infinity is np.inf",
    ),
    "functions.uniform(scope, x, -1, 1)": (
        "dtype",
        "uniform: shape is float32, but must be int32 or int64; core.Shape.create(scope, x) is the shape of x",
    ),
    "functions.zeros(scope, x)": (
        "dtype",
        "zeros: shape is float32, but must be int32 or int64; core.Shape.create(scope, x) is the shape of x",
    ),
    "tf.random.normal((4,), x[0])": ("shape", "normal: shapes [4] and [3] do not broadcast: 4 and 3 are neither"),
    "tf.random.uniform(tf.shape(x)[0])": (
        "shape",
        "uniform: `shape` must have rank 1, but has shape []; write [x] for one",
    ),
    "tf.zeros(tf.shape(x)[1], tg.TFloat32)": ("shape", "zeros: `shape` must have rank 1, but has shape []; write [x]"),
    "functions.ones(scope, tf.expand_dims(c, 0))": ("shape", "ones: `shape` must have rank 1, but has shape [1, Rows]"),
    "tf.repeat(x, 2, 2)": ("shape", "repeat: `x` of shape [Rows, 3] has no axis 2"),
    "tf.repeat(x, [1, 2], 1)": (
        "shape",
        "repeat: `repeats` has shape [2], but axis 1 of `x` of shape [Rows, 3] has size 3; give a",
    ),
    "tf.sequence_mask(x)": ("dtype", "Ops.sequence_mask: lengths is float32, but must be int32 or int64; cast it"),
    "functions.norm(scope, c)": ("dtype", "norm: x is int32, but must be bfloat16, float16, float32, float64, complex"),
    "tf.nn.gelu(c)": ("dtype", "NnOps.gelu: x is int32, but must be bfloat16, float16, float32 or float64; cast it"),
    "functions.print(scope, x, v, output_stream='log')": ("attribute", "print: PrintV2: `output_stream` is 'log', but"),
    "tf.strings.string_format([x, v])": ("attribute", "StringFormat: `template` must have as many '%s' as `inputs`"),
    "tf.one_hot([1], -3)": ("shape", "one_hot: OneHot: `depth` is -3, but cannot be negative"),
}

ACCEPTED: Final = (
    "tf.nn.softmax(u, 5)",
    "tf.nn.moments(u, [3])",
    "tf.math.logsumexp(n, 1)",
    "tf.one_hot(u, k)",
    "tf.print('x:', x, u, [k, v], {'n': n})",
    "tf.print(x, v, c)",
    "tf.group(x, v)",
)
"""Calls with too little knowledge for an error."""


def _source(lines: list[str]) -> str:
    parameters = "scope: tg.Scope, tf: tg.Ops, x: Matrix, v: Vector, u: tg.Operand[Any], n: tg.Operand[tg.TFloat32, tuple[Any, Any]], c: tg.Operand[tg.TInt32, tuple[Rows]], k: int"
    return f"{HEADER}def f({parameters}) -> None:\n" + "".join(f"    {line}\n" for line in lines)


def test_shapes(tmp_path: Path) -> None:
    lines = [f"reveal_type({call})" for call in SHAPES] + list(REFUSED) + list(ACCEPTED)
    report = check(tmp_path, {"functions_asked.py": _source(lines)})
    first = HEADER.count("\n") + 2
    revealed = report.revealed("functions_asked.py")
    actual = {call: _shape(revealed[first + i]) for i, call in enumerate(SHAPES)}
    assert actual == SHAPES
    errors = {error.line: error for error in report.errors("functions_asked.py")}
    start = first + len(SHAPES)
    for i, (call, (code, text)) in enumerate(REFUSED.items()):
        error = errors.pop(start + i)
        assert error.code == f"typegrad-{code}" and error.text.startswith(text), f"{call}: {error.text}"
    assert not errors


def _shape(revealed: str) -> str:
    """The last argument of a type, as shapes are written."""
    sizes = type_arguments(type_arguments(revealed)[-1])
    return f"[{', '.join(size.removeprefix('functions_asked.').removeprefix('Literal[').rstrip(']') for size in sizes)}]".replace(
        "[()]", "[]"
    )


@pytest.mark.parametrize("call", [call for call in SHAPES if not any(word in call for word in UNBUILDABLE)])
def test_graphs_have_these_shapes(call: str) -> None:
    tf = tg.Ops.create(tg.Graph())
    names = {"scope": tf.scope, "tf": tf, "tg": tg, "functions": tg.functions}
    v = core.Placeholder.create(tf.scope, tg.TFloat64, shape=(4,))
    x: tg.Operand[tg.TFloat32] = core.Placeholder.create(tf.scope, tg.TFloat32, shape=("Rows", 3))
    c = core.Placeholder.create(tf.scope, tg.TInt32, shape=("Rows",))
    actual = eval(call, {**names, "np": np, "x": x, "v": v, "c": c})
    assert str(actual.shape) == SHAPES[call]
