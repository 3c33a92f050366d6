"""Lists of sizes may hold scalar operands: the sizes that are known stay known; other operands are refused in one message."""

from __future__ import annotations

from typing import Final

import pytest

from mypy_plugin.checking import disagreements

HEADER: Final = """\
from typing import Any, Literal, NewType
import typegrad as tg
from typegrad.op import core, image, math, random
Batch = NewType("Batch", int)
scope = tg.Scope(tg.Graph())
tf = tg.Ops.create(scope)
x = core.Placeholder.create(scope, tg.TFloat32, (Batch, 4))
rows = core.Shape.create(scope, x)[0]
n = core.Placeholder.create(scope, tg.TInt64, ())
unknown = core.Placeholder.create(scope, tg.TInt32)
"""
PROGRAMS: Final = {
    "operations": """
reveal_type(core.Reshape.create(scope, x, [rows, -1, 2]))  # R: Reshape[TFloat32, tuple[Batch, Literal[2], Literal[2]]]
reveal_type(tf.reshape(x, (tf.shape(x)[0], -1, 2)))  # R: Reshape[TFloat32, tuple[Batch, Literal[2], Literal[2]]]
core.Fill.create(scope, [n, rows, 3], 0.5)  # E: Fill.create(): `dims` holds operands of int32 and of int64; cast one with dtypes.Cast  [typegrad-call]
reveal_type(core.Fill.create(scope, [n, 3], 0.5))  # R: Fill[TFloat32, tuple[Any, Literal[3]]]
reveal_type(core.Fill.create(scope, [unknown, rows], 0.5))  # R: Fill[TFloat32, tuple[Any, Batch]]
reveal_type(core.BroadcastTo.create(scope, x, [3, rows, 4]))  # R: BroadcastTo[TFloat32, tuple[Literal[3], Batch, Literal[4]]]
reveal_type(core.Tile.create(scope, x, [n, 2]))  # R: Tile[TFloat32, tuple[Any, Literal[8]]]
reveal_type(core.Slice.create(scope, x, [n, 0], [1, 2]))  # R: Slice[TFloat32, tuple[Literal[1], Literal[2]]]
reveal_type(core.Pad.create(scope, x, [[0, 0], [0, n]]))  # R: Pad[TFloat32, tuple[Batch, Any]]
reveal_type(random.RandomUniform.create(scope, [rows, 3], tg.TFloat32))  # R: RandomUniform[TFloat32, tuple[Batch, Literal[3]]]
""",
    "functions": """
reveal_type(tf.zeros([rows, 3]))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
reveal_type(tf.ones((n, 3), tg.TInt32))  # R: Operand[TInt32, tuple[Any, Literal[3]]]
reveal_type(tg.functions.normal(scope, [rows, 3]))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
reveal_type(tg.functions.normal(scope, core.Stack.create(scope, [rows, 3])))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
reveal_type(tf.random.uniform([2, unknown]))  # R: Operand[TFloat32, tuple[Literal[2], Any]]
""",
    "names": """
pair = (rows, 2)
reveal_type(tf.zeros(pair))  # R: Operand[TFloat32, tuple[Batch, Literal[2]]]
core.Reshape.create(scope, x, [rows, 3])  # E: Reshape: cannot reshape `tensor` of shape [Batch, 4] to [Batch, 3]: 4*Batch elements cannot become 3*Batch  [typegrad-shape]
def fill(size: tg.Operand[tg.TInt32, tuple[()]], columns: int) -> tg.Operand[tg.TFloat32, tuple[Batch, Literal[2]]]:
    return tf.zeros([size, columns])
""",
    "what is refused": """
sizes = [rows, 4]
core.Reshape.create(scope, x, sizes)  # E: Reshape.create(): `shape` is sizes, which type checkers take for a list of any objects; make it a tuple  [typegrad-call]
core.Reshape.create(scope, x, [core.Shape.create(scope, x), 1])  # E: Reshape.create(): `shape` must hold scalars, but holds an operand of shape [2]; core.Concat.create(scope, [...], 0) joins vectors  [typegrad-call]
tf.zeros([x[0, 0], 1])  # E: Ops.zeros(): `shape` must hold int32 or int64, but holds an operand of float32; cast it with dtypes.Cast  [typegrad-call]
tf.zeros([1.5, 1])  # E: Ops.zeros(): `shape` must hold integers, not the Python float 1.5  [typegrad-call]
tf.zeros([n, rows])  # E: Ops.zeros(): `shape` holds operands of int32 and of int64; cast one with dtypes.Cast  [typegrad-call]
tf.zeros(3)  # E: Ops.zeros(): `shape` is a list of integers, not int; write [3]  [typegrad-call]
def one(count: int) -> None:
    tf.zeros(count)  # E: Ops.zeros(): `shape` is a list of integers, not int; write [count] for one  [typegrad-call]
    tf.zeros(count + 1)  # E: Ops.zeros(): `shape` is a list of integers, not int; write [x] for one  [typegrad-call]
tf.math.logsumexp(x, [rows])  # E: MathOps.logsumexp(): `axis` is a list of integers, but holds an operand  [typegrad-call]
""",
}


@pytest.fixture(scope="module")
def different(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    return disagreements(tmp_path_factory.mktemp("lists_of_sizes"), PROGRAMS, HEADER)


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
