"""Gradients of `ops/decomposition.yaml`."""

from __future__ import annotations

from typing import Any

from typegrad.base.errors import GradientError
from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import Concat, OneHot, OnesLike
from typegrad.op.dtypes import Cast
from typegrad.op.linalg import Cholesky, CholeskyGrad, Lu, MatrixSetDiag, Qr, TriangularSolve
from typegrad.rules.common import F, Gradients, N, OutputGradients
from typegrad.rules.matrices import M, adjoint, diagonal, half_lower, left, right, sandwiched, times, triangle
from typegrad.rules.sizes import size_between


def cholesky(scope: Scope, op: Cholesky[N], grad: Output[N]) -> Gradients:
    """Murray, "Differentiation of the Cholesky decomposition"."""
    factor = op.as_output()
    inner = half_lower(scope, times(scope, factor, triangle(scope, grad, lower=True), adj_x=True))
    outer = sandwiched(scope, factor, inner, adjoints=True)
    return (outer + adjoint(scope, outer)) / 2


def cholesky_grad(scope: Scope, op: CholeskyGrad[F], grad: Output[F]) -> Gradients:
    """With P = L^-T half_lower(L^T G) L^-1, and the symmetric S in place of the gradient of P."""
    factor, symmetric = op.inputs.l, (grad + adjoint(scope, grad)) / 2
    inner = half_lower(scope, sandwiched(scope, factor, symmetric, adjoints=False))

    def grad_l() -> Operand[F]:
        solved = adjoint(scope, TriangularSolve.create(scope, factor, symmetric))  # S L^-T
        direct = times(scope, triangle(scope, op.inputs.grad, lower=True), inner, adj_y=True)
        return triangle(scope, direct - 2 * times(scope, op, solved), lower=True)

    return grad_l, lambda: triangle(scope, times(scope, triangle(scope, factor, lower=True), inner), lower=True)


def lu(scope: Scope, op: Lu[M, Any], grads: OutputGradients) -> Gradients:
    """P dA = dL U + L dU, where dL is below the diagonal, and dU on and above it."""
    both, grad, order = op.lu, grads[0], op.p
    upper, grad_upper = triangle(scope, both, lower=False), triangle(scope, grad, lower=False)
    ones = OnesLike.create(scope, diagonal(scope, both))
    lower = MatrixSetDiag.create(scope, triangle(scope, both, lower=True), ones)
    below = times(scope, lower, grad - grad_upper, adj_x=True)
    inner = below - triangle(scope, below, lower=False)
    inner = inner + triangle(scope, times(scope, grad_upper, upper, adj_y=True), lower=False)
    half = TriangularSolve.create(scope, lower, inner, adjoint=True)
    solved = adjoint(scope, TriangularSolve.create(scope, upper, adjoint(scope, half), lower=False))
    size = size_between(scope, both, -1, None)
    one, zero = (Cast.create(scope, number, both.dtype) for number in (1, 0))
    return times(scope, OneHot.create(scope, order, size, one, zero), solved, adj_x=True)


def qr(scope: Scope, op: Qr[N], grads: OutputGradients) -> Gradients:
    """Of a wide matrix, the square block on its left is factored; the rest follows from R = Q* A."""
    q, r, grad_q, grad_r = op.q, op.r, grads[0], grads[1]
    m, n = (x.shape.dims[axis] if x.shape.dims is not None else None for x, axis in ((q, -2), (r, -1)))
    is_tall = isinstance(m, int) and isinstance(n, int) and m > n
    if is_tall and op.inputs.full_matrices:
        raise GradientError(
            f"'{op.op.name}' has no gradient with full_matrices, because matrices of shape [{m}, {n}] do not "
            "determine the last columns of `q`; use full_matrices=False"
        )
    if is_tall or (m == n and m is not None):
        return _of_independent_columns(scope, q, r, grad_q, grad_r)
    size = size_between(scope, q, -1, None)
    rest, grad_rest = right(scope, r, size), right(scope, grad_r, size)
    grad_q = grad_q + q @ times(scope, rest, grad_rest, adj_y=True)
    first = _of_independent_columns(scope, q, left(scope, r, size), grad_q, left(scope, grad_r, size))
    return Concat.create(scope, [first, q @ grad_rest], -1)


def _of_independent_columns(
    scope: Scope, q: Operand[N], r: Operand[N], grad_q: Operand[N], grad_r: Operand[N]
) -> Operand[N]:
    """dQ = Q W + (1 - Q Q*) dA / R for A = Q R.

    W is antihermitian; Q* dA / R - W is upper triangular and real on its diagonal.
    """
    projected = times(scope, q, grad_q, adj_x=True)
    slopes = projected - times(scope, grad_r, r, adj_y=True)
    turn = half_lower(scope, slopes - adjoint(scope, slopes))
    turned = grad_q + q @ (turn - projected)
    solved = TriangularSolve.create(scope, r, adjoint(scope, turned), lower=False)
    return adjoint(scope, solved) + q @ grad_r
