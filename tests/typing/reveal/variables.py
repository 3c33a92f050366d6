"""Variables: made of arrays, numbers and operands."""

from __future__ import annotations

from typing import Any, reveal_type

import numpy as np
from numpy.typing import NDArray

import typegrad as tg


def variables(
    scope: tg.Scope,
    x: tg.Operand[tg.TFloat64],
    matrix: tg.Operand[tg.TFloat32, tuple[int, int]],
    v: tg.Variable[tg.TFloat32, tuple[int]],
    any_array: NDArray[Any],
) -> None:
    reveal_type(tg.Variable.create(scope, x))  # R: Variable[TFloat64, tuple[Any, ...]]
    reveal_type(tg.Variable.create(scope, matrix))  # R: Variable[TFloat32, tuple[int, int]]
    reveal_type(tg.Variable.create(scope, np.zeros(3)))  # R: Variable[TFloat64, tuple[Any, ...]]
    reveal_type(tg.Variable.create(scope, np.zeros((2, 3), np.int32)))  # R: Variable[TInt32, tuple[Any, ...]]
    reveal_type(tg.Variable.create(scope, any_array))  # R: Variable[Any, tuple[Any, ...]]
    reveal_type(tg.Variable.create(scope, 0.0))  # R: Variable[TFloat32, tuple[()]]
    reveal_type(tg.Variable.create(scope, np.float64(0.0)))  # R: Variable[Any, tuple[()]]
    reveal_type(tg.Variable.create(scope, [0.0], tg.TFloat16))  # R: Variable[TFloat16, tuple[Any, ...]]
    reveal_type(v.read(scope))  # R: Operand[TFloat32, tuple[int]]
    reveal_type(v.dtype)  # R: type[TFloat32]
    reveal_type(v.assign(scope, [1.0]))  # R: Op
    reveal_type(v.handle)  # R: Output[TResource, tuple[Any, ...]]
