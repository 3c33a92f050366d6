"""Values, fetches, feeds, flags and arguments that are known in part: what is known is used, and nothing is guessed."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from mypy_plugin.checking import differences

STATEMENTS: Final = """
x + either_array  # type: Operand[TFloat32, tuple[Any, ...]]
session.run(b, {b: (1, whatever)})  # type: ndarray[tuple[Any, ...], dtype[bool[bool]]]
session.run((x, *pair))  # type: tuple[ndarray[tuple[Batch, Literal[784]], dtype[floating[_32Bit]]], ndarray[tuple[()], dtype[signedinteger[_32Bit]]], ndarray[tuple[()], dtype[signedinteger[_32Bit]]]]
math.Sqrt.create(scope, i)  # error: Sqrt: input `x` is int32, but must be bfloat16, float16, float32, float64, complex64 or complex128; cast it with dtypes.Cast  [typegrad-dtype]
core.Sum.create(scope, cube, -AXES[0])  # type: Sum[TFloat32, tuple[Literal[3], Literal[4]]]
core.Constant.create(scope, [array, array])  # type: Constant[TInt32, tuple[Any, ...]]
core.Sum.create(scope, cube, total)  # type: Sum[TFloat32, tuple[Any, Any]]
core.Sum.create(scope, cube, entered)  # type: Sum[TFloat32, tuple[Any, Any]]
core.Sum.create(scope, cube, left)  # type: Sum[TFloat32, tuple[Literal[3], Literal[5]]]
core.Sum.create(scope, cube, head)  # type: Sum[TFloat32, tuple[Any, Any]]
session.run({"a": x, "b": n, **more})  # type: dict[str, Any]
core.Placeholder.create(scope, tg.TFloat32, shape=(-2, "Batch", "NotASize"))  # type: Placeholder[TFloat32, tuple[Any, Batch, Any]]
losses.MeanSquaredError(*names)(scope, cube, cube)  # type: Operand[TFloat32, tuple[Any, ...]]
core.Constant.create(scope, [[], []])  # type: Constant[TFloat32, tuple[Literal[2], Literal[0]]]
core.Constant.create(scope, [[]], tg.TInt32)  # type: Constant[TInt32, tuple[Literal[1], Literal[0]]]
tg.Variable.create(scope, [[]])  # type: Variable[TFloat32, tuple[Literal[1], Literal[0]]]
tg.Variable.create(scope, [[]], tg.TInt32)  # type: Variable[TInt32, tuple[Literal[1], Literal[0]]]
core.Constant.create(scope, [*numbers, 1.5])  # type: Constant[TFloat32, tuple[Any, ...]]
core.Placeholder.create(scope, tg.TFloat32, shape=(color, 3))  # type: Placeholder[TFloat32, tuple[Literal[2], Literal[3]]]
math.Maximum.create(scope, uncertain, x)  # error: Maximum: x may be None; check that it is not None first  [typegrad-dtype]
core.Sum.create(scope, cube, 0, keep_dims=flag)  # type: Sum[TFloat32, tuple[Any, ...]]
linalg.MatMul.create(scope, x, table, transpose_b=flag)  # type: MatMul[TFloat32, tuple[Batch, Literal[10]]]
linalg.MatMul.create(scope, x, cube[0], transpose_b=flag)  # error: MatMul: inner dimensions differ: a is [Batch, 784], b is [4, 5]  [typegrad-shape]
nn.FusedBatchNorm.create(scope, images, ones, ones, ones, ones, is_training=flag).y  # type: Output[TFloat32, tuple[Batch, Literal[8], Literal[8], Literal[3]]]
linalg.MatMul.create(scope, *layer)  # type: MatMul[TFloat32, tuple[Batch, Literal[10]]]
linalg.MatMul.create(*(scope, x), *(table,))  # type: MatMul[TFloat32, tuple[Batch, Literal[10]]]
core.Sum.create(scope, *(cube, (0, 2)), keep_dims=True)  # type: Sum[TFloat32, tuple[Literal[1], Literal[4], Literal[1]]]
linalg.MatMul.create(scope, *(table, x))  # error: MatMul: inner dimensions differ: a is [784, 10], b is [Batch, 784]; b times a would fit  [typegrad-shape]
nn.Conv2d.create(scope, images, filters, (1, i, i, 1), "SAME")  # type: Conv2d[TFloat32, tuple[Batch, Any, Any, Literal[4]]]
nn.Conv2d.create(scope, images, filters, (i, 1, 1, i), "VALID", dilations=[1, i, 1, 1])  # type: Conv2d[TFloat32, tuple[Any, Any, Literal[6], Literal[4]]]
nn.Conv2d.create(scope, images, filters, (2, i, i, 1), "SAME")  # error: Conv2d: `strides` is [2, ?, ?, 1], but must be 1 for the batch (dimension 0) and the channels (dimension 3)  [typegrad-attribute]
nn.Conv2d.create(scope, images, filters, (1, i, i), "SAME")  # error: Conv2d: `strides` must be 4 positive numbers, one for each dimension, but has 3 elements  [typegrad-attribute]
nn.MaxPool.create(scope, images, (1, i, i, 1), (1, i, i, 1), "VALID")  # type: MaxPool[TFloat32, tuple[Batch, Any, Any, Literal[3]]]
nn.AvgPool.create(scope, images, (1, 3, 3, 1), (1, i, i, 1), "VALID")  # type: AvgPool[TFloat32, tuple[Batch, Any, Any, Literal[3]]]
nn.Dilation2d.create(scope, images, filters[..., 0], (1, i, i, 1), (1, 1, i, 1), "VALID")  # type: Dilation2d[TFloat32, tuple[Batch, Any, Any, Literal[3]]]
core.Squeeze.create(scope, ones[:, None, None], (1, i))  # type: Squeeze[TFloat32, tuple[Any, ...]]
linalg.MatMul.create(scope, *[x, table])  # type: MatMul[TFloat32, tuple[Any, Any]]
"""

HEADER: Final = """
from contextlib import nullcontext
from enum import IntEnum
from typing import Any, Final, Literal, NewType
import numpy as np
import typegrad as tg
from numpy.typing import NDArray
from typegrad import losses
from typegrad.op import core, linalg, math, nn
Batch = NewType("Batch", int)
NotASize = NewType("NotASize", str)
AXES: Final = (1, 2)
class Color(IntEnum):
    RED = 2
def f(
    scope: tg.Scope, session: tg.Session, i: int, whatever: Any, array: NDArray[np.int32], names: list[str],
    x: tg.Operand[tg.TFloat32, tuple[Batch, Literal[784]]], n: tg.Operand[tg.TInt32, tuple[()]], b: tg.Operand[tg.TBool],
    cube: tg.Operand[tg.TFloat32, tuple[Literal[3], Literal[4], Literal[5]]], either_array: NDArray[np.float32 | np.float64],
    pair: tuple[tg.Operand[tg.TInt32, tuple[()]], tg.Operand[tg.TInt32, tuple[()]]], more: dict[str, tg.Operand[tg.TFloat32]],
    uncertain: float | None, numbers: list[int], color: Literal[Color.RED], flag: bool,
    table: tg.Operand[tg.TFloat32, tuple[Literal[784], Literal[10]]], ones: tg.Operand[tg.TFloat32, tuple[Literal[3]]],
    filters: tg.Operand[tg.TFloat32, tuple[Literal[3], Literal[3], Literal[3], Literal[4]]],
    images: tg.Operand[tg.TFloat32, tuple[Batch, Literal[8], Literal[8], Literal[3]]],
) -> None:
    layer = x, table
    total = core.Constant.create(scope, 1)
    total += 1
    with nullcontext(core.Constant.create(scope, 1)) as entered:
        pass
    left, right = core.Constant.create(scope, 1), core.Constant.create(scope, 2)
    head, *tail = core.Constant.create(scope, 1), core.Constant.create(scope, 2)
""".lstrip()


def test_every_statement(tmp_path: Path) -> None:
    different = differences(tmp_path, HEADER, STATEMENTS)
    assert not different, "\n".join(different)
