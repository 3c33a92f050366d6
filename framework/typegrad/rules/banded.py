"""Gradients of `ops/banded.yaml`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from typegrad.base.types import TComplex, TFloat32, TFloat64
from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import Concat, Reshape, Shape, Stack, Sum, Unstack, ZerosLike
from typegrad.op.linalg import BandedTriangularSolve, Einsum, MatrixDiagPartV3, TridiagonalMatMul, TridiagonalSolve
from typegrad.rules.broadcasting import sum_to_shape
from typegrad.rules.common import Gradients, N, conj
from typegrad.rules.matrices import M, adjoint, left, right, row, times
from typegrad.rules.sizes import size_between, vector

D = TypeVar("D", bound=TFloat32 | TFloat64 | TComplex)
"""What tridiagonal matrices hold."""


def banded_triangular_solve(scope: Scope, op: BandedTriangularSolve[M], grad: Output[M]) -> Gradients:
    """As of a triangular matrix, but only the diagonals of the band."""
    matrix, rhs, lower, turned = op.inputs.matrix, op.inputs.rhs, op.inputs.lower, op.inputs.adjoint
    solved = BandedTriangularSolve.create(scope, matrix, grad, lower=lower, adjoint=not turned).as_output()

    def grad_matrix() -> Output[M]:
        first, second = (op.as_output(), solved) if turned else (solved, op.as_output())
        product = -times(scope, first, second, adj_y=True)
        last = size_between(scope, matrix, -2, -1) - 1
        ends = vector(scope, [-last, 0] if lower else [0, last])
        diagonals = MatrixDiagPartV3.create(scope, product, ends, align="LEFT_RIGHT")
        shape = Concat.create(scope, [Shape.create(scope, product)[:-2], Shape.create(scope, matrix)[-2:]], 0)
        return sum_to_shape(scope, Reshape.create(scope, diagonals, shape).as_output(), matrix)

    return grad_matrix, lambda: sum_to_shape(scope, solved, rhs)


def tridiagonal_solve(scope: Scope, op: TridiagonalSolve[D], grad: Output[D]) -> Gradients:
    """The gradient of `rhs` solves the adjoint system; its products with X are the gradients of the diagonals."""
    above, main, below = Unstack.create(scope, op.inputs.diagonals, 3, axis=-2)
    adjoints = _adjoint_diagonals(scope, above, main, below)
    solved = TridiagonalSolve.create(
        scope,
        Stack.create(scope, adjoints, axis=-2),
        grad,
        partial_pivoting=op.inputs.partial_pivoting,
        perturb_singular=op.inputs.perturb_singular,
    )
    return lambda: -Stack.create(scope, _products(scope, solved, op), axis=-2), lambda: solved


def tridiagonal_mat_mul(scope: Scope, op: TridiagonalMatMul[D], grad: Output[D]) -> Gradients:
    rhs, diagonals = op.inputs.rhs, (op.inputs.superdiag, op.inputs.maindiag, op.inputs.subdiag)
    above, main, below = _adjoint_diagonals(scope, *diagonals)
    products = [row(scope, each) for each in _products(scope, grad, rhs)]
    return (*products, lambda: TridiagonalMatMul.create(scope, above, main, below, grad))


def _adjoint_diagonals(
    scope: Scope, above: Operand[N], main: Operand[N], below: Operand[N]
) -> tuple[Operand[N], Operand[N], Operand[N]]:
    """The diagonals of the adjoint, above the main one, on it and below it."""
    return conj(_earlier(scope, below)), conj(main), conj(_later(scope, above))


def _products(scope: Scope, x: Operand[N], y: Operand[N]) -> Sequence[Operand[N]]:
    """The three diagonals of the product of `x` and the adjoint of `y`, above the main one, on it and below it."""
    turned, others = Einsum.create(scope, [x], equation="...ij->...ji"), adjoint(scope, y)
    shifted = _earlier(scope, others), others, _later(scope, others)
    return [Sum.create(scope, turned * each, -2) for each in shifted]


def _earlier(scope: Scope, x: Operand[N]) -> Operand[N]:
    """Each element replaced by the one after it, the last one by 0."""
    return Concat.create(scope, [right(scope, x, 1), ZerosLike.create(scope, left(scope, x, 1))], -1)


def _later(scope: Scope, x: Operand[N]) -> Operand[N]:
    """Each element replaced by the one before it, the first one by 0."""
    return Concat.create(scope, [ZerosLike.create(scope, left(scope, x, 1)), left(scope, x, -1)], -1)
