"""A type attribute that may be left out decides the result's type, stated or not."""

from __future__ import annotations

from typing import reveal_type

import typegrad as tg
from typegrad.op import core, math, random


def default_types(
    scope: tg.Scope, x: tg.Operand[tg.TFloat32], long: tg.Operand[tg.TInt64], floating: type[tg.TFloat64]
) -> None:
    reveal_type(core.Shape.create(scope, x))  # R: Shape[TInt32, tuple[Any]]
    reveal_type(core.Shape.create(scope, x, out_type=tg.TInt64))  # R: Shape[TInt64, tuple[Any]]
    reveal_type(core.Size.create(scope, x))  # R: Size[TInt32, tuple[()]]
    reveal_type(core.Rank.create(scope, x))  # R: Rank[tuple[()]]
    reveal_type(math.ArgMax.create(scope, x, 0))  # R: ArgMax[TInt64, tuple[Any, ...]]
    reveal_type(math.ArgMax.create(scope, x, 0, output_type=tg.TUint16))  # R: ArgMax[TUint16, tuple[Any, ...]]
    reveal_type(core.Range.create(scope, 0, 10, 1))  # R: Range[TInt32, tuple[Any]]
    reveal_type(core.Range.create(scope, 0.0, 1.0, 0.25))  # R: Range[TFloat32, tuple[Any]]
    reveal_type(core.Range.create(scope, 0, 1, 0.25))  # R: Range[TFloat32, tuple[Any]]
    reveal_type(core.Range.create(scope, 0, long, 1))  # R: Range[TInt64, tuple[Any]]
    reveal_type(random.RandomUniform.create(scope, (2,), floating))  # R: RandomUniform[TFloat64, tuple[Any, ...]]
    reveal_type(random.RandomUniformInt.create(scope, (2,), 0, 10))  # R: RandomUniformInt[TInt32, tuple[Any, ...]]
