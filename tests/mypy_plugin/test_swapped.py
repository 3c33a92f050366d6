"""Arguments that are in each other's place, and other mistakes that no cast mends, are told with what does."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
from typing import Any
import numpy as np
import typegrad as tg
from typegrad.op import core, dtypes, math, nn
scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, (4, 6))
unknown: tg.Operand[tg.TFloat32] = x
z = core.Placeholder.create(scope, tg.TComplex64, (4,))
labels = core.Placeholder.create(scope, tg.TInt32, (4,))
sizes = core.Placeholder.create(scope, tg.TFloat32, (4,))
count = tg.Variable.create(scope, 0)
"""
CAST: Final = "cast it with dtypes.Cast"
INDICES: Final = (
    f"E: Gather: indices is float32, but must be int16, int32 or int64; {CAST}, or swap `params` and `indices`"
    "  [typegrad-dtype]"
)
ABS: Final = "bfloat16, float16, float32, float64, int8, int16, int32 or int64"
EQUAL: Final = "of operands is a bool, whether they are the same operand"

PROGRAMS: Final = {
    "two in each other's place": """
nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, labels, x)  # E: SparseSoftmaxCrossEntropyWithLogits: features is int32 and labels is float32; swap them  [typegrad-dtype]
core.Split.create(scope, x, 1, 2)  # E: Split: axis is float32 and value is 1; swap them  [typegrad-dtype]
core.Select.create(scope, x, x > 0.0, x)  # E: Select: condition is float32 and t is bool; swap them  [typegrad-dtype]
core.Sum.create(scope, 1, x)  # E: Sum: input is 1 and axis is float32; swap them  [typegrad-dtype]
core.Reshape.create(scope, (2, 12), x)  # E: Reshape: tensor is (2, 12) and shape is float32; swap them  [typegrad-dtype]
""",
    "two of other ranks": """
nn.BiasAdd.create(scope, np.zeros(6, np.float32), x)  # E: BiasAdd: `value` has shape [6] and `bias` has shape [4, 6]; swap them  [typegrad-shape]
core.Tile.create(scope, (2, 2), core.Constant.create(scope, [[1, 2], [3, 4]]))  # E: Tile: `input` has shape [2] and `multiples` has shape [2, 2]; swap them  [typegrad-shape]
nn.BiasAdd.create(scope, x, np.zeros(4, np.float32))  # E: BiasAdd: `bias` [4] must have an element for each of the 6 channels of `value` [4, 6] (NHWC: axis 1)  [typegrad-shape]
""",
    "three in another order": """
core.Split.create(scope, x, 7, 1)  # E: Split: axis is float32; the order is Split.create(scope, axis, value, num_split)  [typegrad-dtype]
core.Split.create(scope, sizes, 1, num_split=3)  # E: Split: axis is float32; the order is Split.create(scope, axis, value, num_split)  [typegrad-dtype]
core.Split.create(scope, x, 2, 1)  # E: Split: axis is float32; the order is Split.create(scope, axis, value, num_split)  [typegrad-dtype]
""",
    "beside what is unknown": f"""
def net(x: Any) -> Any:
    return x @ np.ones((6, 8), np.float32)
hot = core.Placeholder.create(scope, tg.TFloat32, (None, 8))
nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, net(x), hot)  # E: SparseSoftmaxCrossEntropyWithLogits: labels is float32, but must be int32 or int64; {CAST}; nn.SoftmaxCrossEntropyWithLogits takes probabilities  [typegrad-dtype]
nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, labels, net(x))  # E: SparseSoftmaxCrossEntropyWithLogits: features is int32, but must be bfloat16, float16, float32 or float64; {CAST}, or swap `features` and `labels`  [typegrad-dtype]
i, j, f, o = core.Split.create(scope, net(x), 4, 1)  # E: Split: value is 4; the order is Split.create(scope, axis, value, num_split)  [typegrad-dtype]
y = math.Sigmoid.create(scope, i) * math.Tanh.create(scope, j)
core.Split.create(scope, net(x), 1, num_split=2)  # E: Split: value is 1; the order is Split.create(scope, axis, value, num_split)  [typegrad-dtype]
core.Split.create(scope, labels[0], 4, 2)  # E: Split: `value` must have rank 1 or more, but has shape []; core.ExpandDims adds a dimension  [typegrad-shape]
core.Concat.create(scope, 1, [net(x), net(x)])  # E: Concat.create(): `values` is 1 and `axis` is a list of 2 operands; swap them  [typegrad-call]
core.Concat.create(scope, 1, [1, 2])  # E: Concat.create(): `values` is a list of operands, not int  [typegrad-call]
axis, parts = 1, [net(x), net(x)]
core.Concat.create(scope, axis, parts)  # E: Concat.create(): `values` is 1 and `axis` is a list of operands; swap them  [typegrad-call]
nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, net(x), labels)
a, b = core.Split.create(scope, 1, net(x), 2)
math.Sigmoid.create(scope, a) * math.Tanh.create(scope, b)
core.Concat.create(scope, parts, axis)
""",
    "those that a cast may mend": f"""
core.Gather.create(scope, labels, sizes, 0)  # {INDICES}
core.Gather.create(scope, labels, unknown, 0)  # {INDICES}
""",
    "complex numbers": f"""
math.Abs.create(scope, z)  # E: Abs: x is complex64, but must be {ABS}; write math.ComplexAbs.create(scope, x)  [typegrad-dtype]
math.Floor.create(scope, z)  # E: Floor: x is complex64, but must be bfloat16, float16, float32 or float64; {CAST}  [typegrad-dtype]
""",
    "variables": """
count.assign_add(scope, 0.5)  # E: Variable.assign_add: the variable is int32 but value is the Python float 0.5; write an int  [typegrad-dtype]
count.assign(scope, 2)
""",
    "equality": f"""
(x == x).expect(tg.TBool, (4, 6))  # E: == {EQUAL}; math.Equal.create(scope, x, y) compares their values  [typegrad-call]
(x != 2).shape  # E: != {EQUAL}; math.NotEqual.create(scope, x, y) compares their values  [typegrad-call]
(x == x).real
(np.ones(3) == np.ones(3)).shape
(len("a") == 1).dtype  # E: "bool" has no attribute "dtype"  [attr-defined]
""",
    "feeds of a training": """
from typegrad.training import fit
from typegrad.training.data import Dataset
data = Dataset.from_arrays(np.ones((4, 6), np.float32), np.zeros(4, np.int32)).batch(4)
with tg.Session(scope.graph) as session:
    fit(session, core.NoOp.create(scope), data, (labels, x), epochs=1)  # E: fit: the feeds of labels and x are swapped  [typegrad-dtype]
""",
    "names of results": """
from typegrad.training.optimizers import Adam
w = tg.Variable.create(scope, np.ones(3, np.float32))
def build() -> tuple[tg.Operand[tg.TFloat32, tuple[()]], list[tg.Operand[tg.TFloat32]]]:
    loss = core.Sum.create(scope, w * w)
    parts: list[tg.Operand[tg.TFloat32]] = [w * 2.0, w * 3.0]
    return loss, parts
def unnamed() -> tuple[tg.Operand[tg.TFloat32, tuple[()]], list[tg.Operand[tg.TFloat32]]]:
    loss, parts = build()
    return -loss, parts
def program(session: tg.Session) -> None:
    parts, loss = build()  # E: result 1 of build is loss, but is named parts here; swap the names  [typegrad-call]
    step = Adam(scope.graph, 0.1).minimize(loss)
    best = core.Stack.create(scope, [p for p in parts[1:]])
    value, _ = session.run((loss, step))
    print(float(value), best)
def another(session: tg.Session) -> None:
    parts, total = unnamed()  # E: result 2 of unnamed is parts, but is named total here; swap the names  [typegrad-call]
    Adam(scope.graph, 0.1).minimize(total)
""",
    "names of results that are right": """
w = tg.Variable.create(scope, np.ones(3, np.float32))
def turned(a: tg.Operand[tg.TFloat32], b: tg.Operand[tg.TFloat32]) -> tuple[tg.Operand[tg.TFloat32], tg.Operand[tg.TFloat32]]:
    return a, b
def sized(rows: int, mean: float) -> tuple[int, float]:
    return rows, mean
def measured() -> tuple[tg.Operand[tg.TFloat32, tuple[()]], list[tg.Operand[tg.TFloat32]]]:
    loss = core.Sum.create(scope, w)
    parts: list[tg.Operand[tg.TFloat32]] = [w * 2.0]
    return loss, parts
b, a = turned(x, w)
mean, rows = sized(3, 0.5)
parts, loss = measured()
print(mean + rows, parts * 2.0, len(loss), a, b)
x + np.ones(5, np.float32)  # E: AddV2: shapes [4, 6] and [5] do not broadcast: 6 and 5 are neither equal nor 1  [typegrad-shape]
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
