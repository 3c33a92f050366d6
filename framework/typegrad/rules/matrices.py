"""What gradients of operations on matrices share: adjoints, products, triangles. All take stacks of matrices."""

from __future__ import annotations

from typing_extensions import TypeVar

from typegrad.base.types import TComplex, TFloat16, TFloat32, TFloat64
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.op.core import ExpandDims, StridedSlice
from typegrad.op.linalg import BandPart, Einsum, MatrixDiagPartV3, MatrixDiagV3, MatrixSetDiag, TriangularSolve
from typegrad.op.train import BatchMatMul
from typegrad.rules.common import N, conj
from typegrad.rules.sizes import Size, vector

__all__ = [
    "M",
    "adjoint",
    "column",
    "diagonal",
    "diagonal_matrix",
    "half_lower",
    "left",
    "matrix_like",
    "right",
    "row",
    "sandwiched",
    "times",
    "top",
    "triangle",
]

M = TypeVar("M", bound=TFloat16 | TFloat32 | TFloat64 | TComplex)
"""What LAPACK factors: bfloat16 is not among them."""


def adjoint(scope: Scope, x: Operand[N]) -> Operand[N]:
    """The conjugate transpose."""
    return conj(Einsum.create(scope, [x], equation="...ij->...ji"))


def times(scope: Scope, x: Operand[N], y: Operand[N], *, adj_x: bool = False, adj_y: bool = False) -> Operand[N]:
    """The product of `x` and `y`, or of their adjoints."""
    return BatchMatMul.create(scope, x, y, x.dtype, adj_x=adj_x, adj_y=adj_y)


def triangle(scope: Scope, x: Operand[N], *, lower: bool) -> Operand[N]:
    """The lower or the upper triangle, with the diagonal."""
    return BandPart.create(scope, x, -1, 0) if lower else BandPart.create(scope, x, 0, -1)


def diagonal(scope: Scope, x: Operand[N]) -> Operand[N]:
    """The main diagonal."""
    return MatrixDiagPartV3.create(scope, x)


def diagonal_matrix(scope: Scope, x: Operand[N]) -> Operand[N]:
    """A matrix with these numbers on its diagonal, and zeros elsewhere."""
    return MatrixDiagV3.create(scope, x)


def row(scope: Scope, x: Operand[N]) -> Operand[N]:
    """Vectors as matrices of one row."""
    return ExpandDims.create(scope, x, -2)


def column(scope: Scope, x: Operand[N]) -> Operand[N]:
    """Vectors as matrices of one column."""
    return ExpandDims.create(scope, x, -1)


def left(scope: Scope, x: Operand[N], size: Size) -> Operand[N]:
    """The first columns of each matrix."""
    end = vector(scope, [0, size])
    return StridedSlice.create(scope, x, [0, 0], end, [1, 1], ellipsis_mask=1, begin_mask=2)


def right(scope: Scope, x: Operand[N], size: Size) -> Operand[N]:
    """The columns of each matrix after the first ones."""
    begin = vector(scope, [0, size])
    return StridedSlice.create(scope, x, begin, [0, 0], [1, 1], ellipsis_mask=1, end_mask=2)


def top(scope: Scope, x: Operand[N], size: Size) -> Operand[N]:
    """The first rows of each matrix."""
    end = vector(scope, [0, size, 0])
    return StridedSlice.create(scope, x, [0, 0, 0], end, [1, 1, 1], ellipsis_mask=1, begin_mask=6, end_mask=4)


def half_lower(scope: Scope, x: Operand[N]) -> Operand[N]:
    """The lower triangle, with half of the diagonal."""
    return MatrixSetDiag.create(scope, triangle(scope, x, lower=True), diagonal(scope, x) / 2)


def sandwiched(scope: Scope, factor: Operand[N], x: Operand[N], *, adjoints: bool) -> Operand[N]:
    """The product of the inverse of `factor`, which is lower triangular, `x`, and the adjoint of that inverse.

    With `adjoints`, the first factor is the adjoint of the inverse, and the last one the inverse.
    """
    half = TriangularSolve.create(scope, factor, x, adjoint=adjoints)
    return adjoint(scope, TriangularSolve.create(scope, factor, adjoint(scope, half), adjoint=adjoints))


def matrix_like(scope: Scope, x: Operand[N]) -> Operand[N]:
    """Numbers as matrices of one element, which broadcast against matrices."""
    return column(scope, column(scope, x))
