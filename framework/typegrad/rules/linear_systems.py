"""Gradients of `ops/linear_systems.yaml`."""

from __future__ import annotations

from typegrad.base.types import TFloat64
from typegrad.graph.operand import AnyOperand, Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import Concat, Sum, ZerosLike
from typegrad.op.dtypes import Cast
from typegrad.op.linalg import Det, Inv, LogMatrixDeterminant, MatrixSolveLs, Solve, TriangularSolve
from typegrad.op.math import Exp, Log
from typegrad.rules.broadcasting import sum_to_shape
from typegrad.rules.common import Gradients, N, OutputGradients, conj, real_part
from typegrad.rules.matrices import M, diagonal_matrix, matrix_like, times, top, triangle
from typegrad.rules.matrices import adjoint as adjoint_of
from typegrad.rules.sizes import size_between


def matrix_triangular_solve(scope: Scope, op: TriangularSolve[N], grad: Output[N]) -> Gradients:
    """The gradients of `matrix_solve`, in the triangle, and summed where an input was broadcast."""
    matrix, rhs, lower, adjoint = op.inputs.matrix, op.inputs.rhs, op.inputs.lower, op.inputs.adjoint
    solved = TriangularSolve.create(scope, matrix, grad, lower=lower, adjoint=not adjoint).as_output()

    def grad_matrix() -> Output[N]:
        whole = _gradient_of_matrix(scope, op.as_output(), solved, adjoint=adjoint)
        return sum_to_shape(scope, triangle(scope, whole, lower=lower).as_output(), matrix)

    return grad_matrix, lambda: sum_to_shape(scope, solved, rhs)


def matrix_solve(scope: Scope, op: Solve[M], grad: Output[M]) -> Gradients:
    """The gradient of `rhs` solves the adjoint system; that gradient times X is `matrix`'s."""
    adjoint = op.inputs.adjoint
    solved = Solve.create(scope, op.inputs.matrix, grad, adjoint=not adjoint)
    return lambda: _gradient_of_matrix(scope, op, solved, adjoint=adjoint), lambda: solved


def _gradient_of_matrix(scope: Scope, x: Operand[N], solved: Operand[N], *, adjoint: bool) -> Operand[N]:
    left, right = (x, solved) if adjoint else (solved, x)
    return -times(scope, left, right, adj_y=True)


def matrix_inverse(scope: Scope, op: Inv[M], grad: Output[M]) -> Gradients:
    y = op.as_output()
    if op.inputs.adjoint:
        return -times(scope, times(scope, y, grad, adj_y=True), y)
    return -times(scope, times(scope, y, grad, adj_x=True), y, adj_y=True)


def matrix_determinant(scope: Scope, op: Det[M], grad: Output[M]) -> Gradients:
    return matrix_like(scope, grad * conj(op)) * Inv.create(scope, op.inputs.input, adjoint=True)


def log_matrix_determinant(scope: Scope, op: LogMatrixDeterminant[M], grads: OutputGradients) -> Gradients:
    """The derivative of the logarithm is the trace of dA / A; its imaginary part turns the sign."""
    weight: Operand[M] = real_part(scope, grads[1])
    if grads.connected(0):
        turn = conj(op.sign) * grads[0]
        weight = weight + turn - real_part(scope, turn)
    return matrix_like(scope, weight) * Inv.create(scope, op.inputs.input, adjoint=True)


def matrix_solve_ls(scope: Scope, op: MatrixSolveLs[M], grad: Output[M]) -> Gradients:
    """Golub and Pereyra, "The differentiation of pseudo-inverses and nonlinear least squares problems"."""
    matrix, rhs, x = op.inputs.matrix, op.inputs.rhs, op.as_output()
    whole: Operand[M] = matrix
    target: Operand[M] = rhs
    if op.inputs.fast:
        ones = Sum.create(scope, ZerosLike.create(scope, matrix), -2) + 1
        # Unlike Sqrt's, its derivative at 0 is not a number: a second gradient that needs it says so.
        root = Cast.create(scope, Exp.create(scope, Log.create(scope, op.inputs.l2_regularizer) / 2), x.dtype)
        whole = Concat.create(scope, [matrix, diagonal_matrix(scope, ones * root)], -2)
        target = Concat.create(scope, [rhs, ZerosLike.create(scope, x)], -2)
    turned, rows = adjoint_of(scope, whole), size_between(scope, matrix, -2, -1)
    solved = _nearest(scope, turned, grad)

    def grad_matrix() -> Operand[M]:
        first = times(scope, target - whole @ x, _nearest(scope, whole, solved), adj_y=True)
        second = times(scope, _nearest(scope, turned, x), grad - turned @ solved, adj_y=True)
        return top(scope, first + second - times(scope, solved, x, adj_y=True), rows)

    def grad_regularizer() -> AnyOperand | None:
        """The derivative of X is -(whole^H whole)^-1 X."""
        if not op.inputs.fast:
            return None
        return -Sum.create(scope, Cast.create(scope, conj(solved) * _nearest(scope, turned, x), TFloat64))

    return grad_matrix, lambda: top(scope, solved, rows), grad_regularizer


def _nearest(scope: Scope, matrix: Operand[M], rhs: Operand[M]) -> Operand[M]:
    """The product of the pseudoinverse and `rhs`."""
    return MatrixSolveLs.create(scope, matrix, rhs, 0.0, fast=False)
