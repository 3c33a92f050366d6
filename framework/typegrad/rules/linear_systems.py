"""Gradients of `ops/linear_systems.yaml`."""

from __future__ import annotations

from typing_extensions import TypeVar

from typegrad.base.types import TComplex, TFloating
from typegrad.graph.operand import Output
from typegrad.graph.scope import Scope
from typegrad.op.linalg import TriangularSolve
from typegrad.op.math import MulNoNan, Neg
from typegrad.rules.broadcasting import sum_to_shape
from typegrad.rules.common import Gradients
from typegrad.rules.matrices import matrix_product, triangle_like
from typegrad.rules.sizes import size_between

N = TypeVar("N", bound=TFloating | TComplex)


def matrix_triangular_solve(scope: Scope, op: TriangularSolve[N], grad: Output[N]) -> Gradients:
    """dX = -(dA X - dB) / A: the gradient of B solves the adjoint system, that of A is its product with X, in the triangle."""
    matrix, rhs, lower, adjoint = op.inputs.matrix, op.inputs.rhs, op.inputs.lower, op.inputs.adjoint
    solved = TriangularSolve.create(scope, matrix, grad, lower=lower, adjoint=not adjoint).as_output()

    def grad_matrix() -> Output[N]:
        x = op.as_output()
        product = matrix_product(scope, *((x, solved) if adjoint else (solved, x)), adj_y=True)
        triangle = triangle_like(scope, size_between(scope, matrix, -1, None), x, lower=lower, diagonal=1)
        full = Neg.create(scope, MulNoNan.create(scope, product, triangle)).as_output()
        return sum_to_shape(scope, full, matrix)

    return grad_matrix, lambda: sum_to_shape(scope, solved, rhs)
