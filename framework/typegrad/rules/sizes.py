"""Sizes and axes in gradient functions: Python ints where they are static, operands elsewhere."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeAlias

from typegrad.base.types import TInt32
from typegrad.graph.operand import AnyOperand, AnyOutput, Operand
from typegrad.graph.scope import Scope
from typegrad.op.core import Prod, Rank, Reshape, Select, Shape, Stack, StridedSlice
from typegrad.rules.common import cast_to

__all__ = ["Size", "Sizes", "axis_of", "shape_of", "size_between", "vector"]

Size: TypeAlias = int | Operand[TInt32]
"""A number that is known before the run, or a scalar operand."""

Sizes: TypeAlias = AnyOperand | Sequence[int]
"""A vector of integers, known before the run or not."""


def vector(scope: Scope, sizes: Sequence[Size]) -> Operand[TInt32] | Sequence[int]:
    """The sizes as the shape that an operation takes."""
    known = [size for size in sizes if isinstance(size, int)]
    return known if len(known) == len(sizes) else Stack.create(scope, sizes)


def axis_of(scope: Scope, x: AnyOutput, axis: AnyOutput) -> Size:
    """An axis of `x`, counted from the beginning."""
    known, rank = axis.static_value, x.rank
    if isinstance(known, int) and (known >= 0 or rank is not None):
        return known if rank is None else known % rank
    at = cast_to(scope, axis, TInt32)
    return Select.create(scope, at < 0, at + Rank.create(scope, x), at)


def size_between(scope: Scope, x: AnyOutput, start: Size, stop: Size | None) -> Size:
    """The product of the sizes of x's dimensions from `start` up to, but not including, `stop`."""
    dims = x.shape.dims
    if dims is not None and isinstance(start, int) and not isinstance(stop, Operand):
        sizes = [dim for dim in dims[start:stop] if isinstance(dim, int)]
        if len(sizes) == len(dims[start:stop]):
            return math.prod(sizes)
    shape, to_end = Shape.create(scope, x), int(stop is None)
    begin, end = _as_vector(scope, start), _as_vector(scope, 0 if stop is None else stop)
    return Prod.create(scope, StridedSlice.create(scope, shape, begin, end, [1], end_mask=to_end), 0)


def _as_vector(scope: Scope, size: Size) -> Operand[TInt32] | Sequence[int]:
    return [size] if isinstance(size, int) else Reshape.create(scope, size, [1])


def shape_of(scope: Scope, x: AnyOutput, dtype: Any = TInt32) -> Sizes:
    """The shape of `x`."""
    return x.shape.as_ints() if x.shape.is_static else Shape.create(scope, x, out_type=dtype)
