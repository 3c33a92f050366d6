"""Indices and labels are integers: other values are told in one line, with the remedy for arrays."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
from __future__ import annotations
from enum import IntEnum
from math import prod
import numpy as np
import typegrad as tg
from typegrad.op import core, nn
scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, (4, 2))
n = core.Placeholder.create(scope, tg.TInt32, ())
"""
ARRAY: Final = "is an array of float64, but must be {}; convert it with astype  [typegrad-dtype]"
INTEGERS: Final = "int16, int32 or int64"
PROGRAMS: Final = {
    "indices that have a name": """
first, corner = slice(1, 3), (slice(None, 2), Ellipsis, None)
reveal_type(x[first])  # R: Operand[TFloat32, tuple[Literal[2], Literal[2]]]
reveal_type(x[:, slice(1)])  # R: Operand[TFloat32, tuple[Literal[4], Literal[1]]]
reveal_type(x[corner])  # R: Operand[TFloat32, tuple[Literal[2], Literal[2], Literal[1]]]
x[(0, slice(None), 0)]  # E: StridedSlice: 3 dimensions are indexed, but `input` has shape [4, 2]  [typegrad-shape]
def program(rows: slice, count: int) -> None:
    reveal_type(x[rows])  # R: Operand[TFloat32, tuple[Any, ...]]
    reveal_type(x[slice(count)])  # R: Operand[TFloat32, tuple[Any, Literal[2]]]
""",
    "members of enums": """
class Axis(IntEnum):
    ROW = 0
    COLUMN = 1
reveal_type(core.Sum.create(scope, x, Axis.ROW))  # R: Sum[TFloat32, tuple[Literal[2]]]
reveal_type(core.Sum.create(scope, x, [Axis.ROW, Axis.COLUMN]))  # R: Sum[TFloat32, tuple[()]]
""",
    "known sizes": """
rows, columns = x.shape.as_ints()
reveal_type(core.Reshape.create(scope, x, (columns, rows)))  # R: Reshape[TFloat32, tuple[Literal[2], Literal[4]]]
(last,) = x.shape[-1:].as_ints()
reveal_type(tg.Variable.create(scope, np.zeros((last, 3))))  # R: Variable[TFloat64, tuple[Literal[2], Literal[3]]]
""",
    "products of sizes": """
images = np.zeros((10, 6, 4), np.float32)
reveal_type(core.Reshape.create(scope, images, (-1, int(np.prod(images.shape[1:])))))  # R: Reshape[TFloat32, tuple[Literal[10], Literal[24]]]
reveal_type(core.Reshape.create(scope, images, (-1, prod(images.shape[1:]))))  # R: Reshape[TFloat32, tuple[Literal[10], Literal[24]]]
""",
    "integers": """
reveal_type(core.Gather.create(scope, x, [0, 1, 3], 0))  # R: Gather[TFloat32, tuple[Literal[3], Literal[2]]]
reveal_type(core.Gather.create(scope, x, [n, 1], 0))  # R: Gather[TFloat32, tuple[Literal[2], Literal[2]]]
reveal_type(core.Gather.create(scope, x, np.array([0, 1]), 0))  # R: Gather[TFloat32, tuple[Literal[2], Literal[2]]]
reveal_type(core.OneHot.create(scope, np.arange(3), 5, 1.0, 0.0))  # R: OneHot[TFloat32, tuple[Literal[3], Literal[5]]]
""",
    "other values": f"""
core.Gather.create(scope, x, [0.0], 0)  # E: Gather.create(): `indices` must hold integers, not the Python float 0.0  [typegrad-call]
core.Gather.create(scope, x, [[0, 1], [0, 0.5]], 0)  # E: Gather.create(): `indices` must hold integers, not the Python float 0.5  [typegrad-call]
core.Gather.create(scope, x, None, 0)  # E: Gather.create(): `indices` must be an integer, not None  [typegrad-call]
rows = [0.0]
core.Gather.create(scope, x, rows, 0)  # E: Gather: indices holds a Python float, but must be {INTEGERS}  [typegrad-dtype]
core.Gather.create(scope, x, x, 0)  # E: Gather: indices is float32, but must be {INTEGERS}; cast it with dtypes.Cast  [typegrad-dtype]
nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, x, [0.0] * 4)  # E: SparseSoftmaxCrossEntropyWithLogits: labels holds a Python float, but must be int32 or int64  [typegrad-dtype]
""",
    "arrays": f"""
core.Gather.create(scope, x, np.zeros(2), 0)  # E: Gather: indices {ARRAY.format(INTEGERS)}
core.OneHot.create(scope, np.arange(3.0), 3, 1.0, 0.0)  # E: OneHot: indices {ARRAY.format("int8, int32, int64 or uint8")}
labels = np.zeros(4)
nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, x, labels)  # E: SparseSoftmaxCrossEntropyWithLogits: labels {ARRAY.format("int32 or int64")}
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
