"""Products, reductions and rearrangements: the element type is the operands'."""

from __future__ import annotations

from typing import reveal_type

import typegrad as tg
from typegrad.op import core, dtypes, linalg, math, nn


def computing(
    scope: tg.Scope,
    x: tg.Operand[tg.TFloat32, tuple[int, int]],
    n: tg.Operand[tg.TInt64, tuple[int]],
    b: tg.Operand[tg.TBool, tuple[int]],
) -> None:
    reveal_type(linalg.MatMul.create(scope, x, x))  # R: MatMul[TFloat32, tuple[Any, Any]]
    reveal_type(linalg.Einsum.create(scope, [x, x], equation="ij,jk->ik"))  # R: Einsum[TFloat32, tuple[Any, ...]]
    reveal_type(linalg.Transpose.create(scope, x, (1, 0)))  # R: Transpose[TFloat32, tuple[Any, ...]]
    reveal_type(core.Sum.create(scope, x))  # R: Sum[TFloat32, tuple[Any, ...]]
    reveal_type(math.Mean.create(scope, n, 0))  # R: Mean[TInt64, tuple[Any, ...]]
    reveal_type(core.All.create(scope, b))  # R: All[tuple[Any, ...]]
    reveal_type(nn.Softmax.create(scope, x))  # R: Softmax[TFloat32, tuple[int, int]]
    reveal_type(nn.L2Loss.create(scope, x))  # R: L2Loss[TFloat32, tuple[()]]
    reveal_type(core.Gather.create(scope, x, n))  # R: Gather[TFloat32, tuple[Any, ...]]
    reveal_type(core.Concat.create(scope, [n, n], 0))  # R: Concat[TInt64, tuple[Any, ...]]
    reveal_type(dtypes.Cast.create(scope, n, tg.TFloat16))  # R: Cast[TFloat16, tuple[int]]
    reveal_type(math.AddN.create(scope, [x, x]))  # R: AddN[TFloat32, Any]
    reveal_type(core.Where.create(scope, b))  # R: Where[tuple[Any, Any]]
