"""Gradients of `ops/linear_systems.yaml`."""

from __future__ import annotations

from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import ExpandDims, Range
from typegrad.op.dtypes import Cast
from typegrad.op.linalg import TriangularSolve
from typegrad.op.math import Equal, Greater, Less, MulNoNan
from typegrad.op.train import BatchMatMul
from typegrad.rules.broadcasting import sum_to_shape
from typegrad.rules.common import Gradients, N
from typegrad.rules.sizes import Size, size_between


def matrix_triangular_solve(scope: Scope, op: TriangularSolve[N], grad: Output[N]) -> Gradients:
    """The gradient of `rhs` solves the adjoint system; that gradient times X, in the triangle, is `matrix`'s."""
    matrix, rhs, lower, adjoint = op.inputs.matrix, op.inputs.rhs, op.inputs.lower, op.inputs.adjoint
    solved = TriangularSolve.create(scope, matrix, grad, lower=lower, adjoint=not adjoint).as_output()

    def grad_matrix() -> Output[N]:
        x = op.as_output()
        left, right = (x, solved) if adjoint else (solved, x)
        product = BatchMatMul.create(scope, left, right, x.dtype, adj_y=True)
        triangle = triangle_like(scope, size_between(scope, matrix, -1, None), x, lower=lower, diagonal=1)
        return sum_to_shape(scope, (-MulNoNan.create(scope, product, triangle)).as_output(), matrix)

    return grad_matrix, lambda: sum_to_shape(scope, solved, rhs)


def triangle_like(scope: Scope, size: Size, x: Operand[N], *, lower: bool, diagonal: float) -> Operand[N]:
    """A square matrix of x's type with ones on one side of its diagonal, and zeros on the other."""
    columns = Range.create(scope, 0, size, 1)
    rows = ExpandDims.create(scope, columns, 1)
    side = Cast.create(scope, (Greater if lower else Less).create(scope, rows, columns), x.dtype)
    return side + Cast.create(scope, Equal.create(scope, rows, columns), x.dtype) * diagonal
