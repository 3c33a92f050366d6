"""Matrices in gradient functions: products of batches, and triangles of ones."""

from __future__ import annotations

from typing_extensions import TypeVar

from typegrad.base.types import TComplex, TFloating
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.op.core import ExpandDims, Range
from typegrad.op.dtypes import Cast
from typegrad.op.math import Add, Equal, Greater, Less, Mul
from typegrad.op.train import BatchMatMul
from typegrad.rules.common import scalar_like
from typegrad.rules.sizes import Size

N = TypeVar("N", bound=TFloating | TComplex)


def matrix_product(
    scope: Scope, x: Operand[N], y: Operand[N], *, adj_x: bool = False, adj_y: bool = False
) -> BatchMatMul[N]:
    """The product of each matrix of `x` and that of `y`."""
    return BatchMatMul.create(scope, x, y, x.dtype, adj_x=adj_x, adj_y=adj_y)


def triangle_like(scope: Scope, size: Size, x: Operand[N], *, lower: bool, diagonal: float) -> Operand[N]:
    """A square matrix of x's type with ones on one side of its diagonal, and zeros on the other."""
    columns = Range.create(scope, 0, size, 1)
    rows = ExpandDims.create(scope, columns, 1)
    side = Cast.create(scope, (Greater if lower else Less).create(scope, rows, columns), x.dtype)
    middle = Cast.create(scope, Equal.create(scope, rows, columns), x.dtype)
    return Add.create(scope, side, Mul.create(scope, middle, scalar_like(scope, diagonal, x)))
