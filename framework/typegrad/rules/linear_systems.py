"""Gradients of `ops/linear_systems.yaml`."""

from __future__ import annotations

from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.linalg import Det, Inv, LogMatrixDeterminant, Solve, TriangularSolve
from typegrad.rules.broadcasting import sum_to_shape
from typegrad.rules.common import Gradients, N, OutputGradients, conj, real_part
from typegrad.rules.matrices import M, matrix_like, times, triangle


def matrix_triangular_solve(scope: Scope, op: TriangularSolve[N], grad: Output[N]) -> Gradients:
    """Those of `matrix_solve`, in the triangle, and summed where an input was broadcast."""
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
